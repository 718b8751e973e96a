import { answeringFixture } from './chain-contract/answering.ts';
import { feeCases } from './chain-contract/fees.ts';
import { paymentCases } from './chain-contract/payments.ts';
import type { ChainFixture } from './chain-contract/scene.ts';
import { schemeCases } from './chain-contract/schemes.ts';
import { sharingCases } from './chain-contract/sharing.ts';
import { spendCases } from './chain-contract/spends.ts';
import { truthCases } from './chain-contract/truths.ts';
import { unitCases } from './chain-contract/units.ts';
import { walletCases } from './chain-contract/wallets.ts';
import { watcherCases } from './chain-contract/watchers.ts';

export type { ChainFixture } from './chain-contract/scene.ts';

/** A case of a contract: it throws, or its promise fails, where the adapter breaks a rule. */
export type ContractCase = { readonly title: string; readonly run: () => Promise<void> };

/**
 * What every adapter of the `Chain` port must do (C1 to C4, and every purpose of `prepare`), as cases for any test runner. Each
 * case asks for a fixture of its own. What a chain cannot do is asked for all the same and must be answered `unsupported`.
 */
export function chainContract(createFixture: () => ChainFixture | Promise<ChainFixture>): readonly ContractCase[] {
  const paying = [sharingCases, feeCases, paymentCases, spendCases, schemeCases];
  const cases = [unitCases, truthCases, walletCases, paying.flat(), watcherCases].flat();
  return cases.map(({ title, check }) => ({ title, run: async () => check(answeringFixture(await createFixture())) }));
}
