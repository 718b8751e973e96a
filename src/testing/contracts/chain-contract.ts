import { sha256 } from '../../primitives/hash.ts';
import { bytesToHex } from '../../primitives/hex.ts';
import { called, flag, optionsOf } from '../../sim/shape-check.ts';
import { answeringFixture } from './chain/answering.ts';
import { batchCases } from './chain/batches.ts';
import { boundCases } from './chain/bounds.ts';
import { childCases } from './chain/children.ts';
import { feedCases } from './chain/feeds.ts';
import { feeCases } from './chain/fees.ts';
import { nodeCases } from './chain/nodes.ts';
import { paymentCases } from './chain/payments.ts';
import { rewardCases } from './chain/rewards.ts';
import type { ChainFixture, Check, Scene } from './chain/scene.ts';
import { schemeCases } from './chain/schemes.ts';
import { sharingCases } from './chain/sharing.ts';
import { spendCases } from './chain/spends.ts';
import { tidyFixture } from './chain/tidy.ts';
import { truthCases } from './chain/truths.ts';
import { unitCases } from './chain/units.ts';
import { walletCases } from './chain/wallets.ts';
import { watcherCases } from './chain/watchers.ts';
import type { ContractCase } from './contract-case.ts';

export type { ChainFixture, NodePowers } from './chain/scene.ts';
export type { ContractCase } from './contract-case.ts';

export type ChainContractOptions = {
  /**
   * Whether all cases run on one fixture, made when the first of them begins: for chains that take long to set up. They then run one
   * after another, in whatever order they are started. What a case has prepared and not sent is given back at its end, and a block
   * is added. The sender needs 40 coins in outputs of at most 5, and gets none of them back.
   *
   * @defaultValue false: a fixture for each case
   */
  readonly shared?: boolean;
};

const optionsCheck = optionsOf({ shared: flag });

/**
 * What every adapter of the `Chain` port must do (C1 to C4, and every purpose of `prepare`), as cases for any test runner. Each
 * case asks for a fixture of its own unless they share one. What a chain cannot do is asked for all the same and must be answered
 * `unsupported`.
 *
 * @throws MemberTypeError, MemberValueError for an option that there is not; each case, for a fixture that lacks what it needs.
 *
 * @example
 * ```ts
 * import { decimalOf, unixSecondsOf } from 'swapfold';
 * import { chainContract, createSimChain, xorshift32 } from 'swapfold/testing';
 *
 * let at = 1_700_000_000;
 * const now = () => unixSecondsOf(at);
 * const cases = chainContract(() => {
 *   const chain = createSimChain('utxo', { coin: 'DOC', now, rng: xorshift32(1) });
 *   const wallet = (party: string) => chain.wallet({ party, funds: decimalOf('40'), coins: 10 });
 *   const confirm = (blocks: number) => {
 *     for (const end = chain.height() + blocks; chain.height() < end; at += 60) chain.mine();
 *   };
 *   const passTime = (until: number) => {
 *     while (chain.clock() <= until) confirm(1);
 *   };
 *   const [sender, receiver, watcher] = [wallet('sender'), wallet('receiver'), wallet('watcher')];
 *   const restartedSender = () => chain.wallet({ party: 'sender' });
 *   return { sender, receiver, watcher, restartedSender, now, confirm, passTime };
 * });
 * const broken: string[] = [];
 * for (const { title, run } of cases) await run().catch(() => broken.push(title));
 * broken; // → []
 * ```
 */
export function chainContract(
  createFixture: () => ChainFixture | Promise<ChainFixture>,
  options: ChainContractOptions = {},
): readonly ContractCase[] {
  called(createFixture, 'createFixture');
  optionsCheck(options, 'options');
  const { shared = false } = options;
  const paying = [sharingCases, boundCases, feeCases, paymentCases, spendCases, schemeCases, childCases];
  const cases = [
    unitCases,
    truthCases,
    walletCases,
    feedCases,
    batchCases,
    paying.flat(),
    watcherCases,
    rewardCases,
    nodeCases,
  ].flat();
  const scenes = shared ? sharedScenes(createFixture) : ownScenes(createFixture);
  return cases.map(({ title, check }) => ({ title, run: () => scenes(check) }));
}

type Scenes = (check: Check['check']) => Promise<void>;

function ownScenes(createFixture: () => ChainFixture | Promise<ChainFixture>): Scenes {
  return async (check) => check(sceneOf(answeringFixture(await createFixture()), 0));
}

function sharedScenes(createFixture: () => ChainFixture | Promise<ChainFixture>): Scenes {
  let made: Promise<ChainFixture> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let count = 0;
  const next = async (check: Check['check']): Promise<void> => {
    made ??= Promise.resolve(createFixture());
    const { fixture, tidyUp } = tidyFixture(await made);
    count += 1;
    const scene = sceneOf(answeringFixture(fixture), count);
    const broken = await check(scene).then(
      () => null,
      (error: unknown) => ({ error }),
    );
    // What breaks a case may break its end as well, and is the first to be told.
    await tidyUp().catch((error: unknown) => {
      if (broken === null) throw error;
    });
    if (broken !== null) throw broken.error;
  };
  return (check) => {
    const run = last.then(() => next(check));
    last = run.catch(() => undefined);
    return run;
  };
}

/** Secrets of their own, so that no case takes the payment of another for its own. */
function sceneOf(fixture: ChainFixture, place: number): Scene {
  const secretOf = (name: string): string => bytesToHex(sha256(new TextEncoder().encode(`contract ${place} ${name}`)));
  return { ...fixture, secret: secretOf('secret'), wrongSecret: secretOf('wrong') };
}
