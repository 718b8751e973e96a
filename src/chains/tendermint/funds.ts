import type { Parts } from './parts.ts';
import type { TendermintLook } from './reader.ts';
import { takenBy } from './transaction.ts';

/** What an account has by its blocks, what of that is not freed later, and what of that is not promised to what waits or is signed, in base units. */
export type TendermintFunds = { readonly all: bigint; readonly unlocked: bigint; readonly free: bigint };

export type Asked = {
  readonly look: TendermintLook;
  readonly denom: string;
  /** A sequence whose transactions do not count, because a new one will replace them. @defaultValue none */
  readonly beside?: number;
};

/**
 * What an account has of one denomination as of a look, by its blocks and by what was signed for it here. @throws BackendSilent
 *
 * @example
 * ```ts
 * import { Secret } from 'swapfold';
 * import {
 *   createTendermintNodeReader, fundsOf, TendermintAccount, type TendermintNode,
 * } from 'swapfold/chains/tendermint';
 * import { decimalOf, unixSecondsOf } from 'swapfold/htlc';
 * import { walletOfPassphrase } from 'swapfold/node';
 * import { createCometChain, createCometNode } from 'swapfold/testing';
 *
 * const ids = { chainId: 'irishub-1', prefix: 'iaa', module: 'irismod' } as const;
 * const fees = { denom: 'uiris', decimals: 6, coin: 'IRIS' };
 * const network = { ...ids, fees, gasPrice: decimalOf('0.25') };
 * const start = { startTime: unixSecondsOf(1_700_000_000), blockTime: 5, feeDenom: 'uiris' };
 * const chain = createCometChain({ ...network, ...start });
 * const comet = createCometNode(chain);
 * const request: TendermintNode['request'] = async (...call) => comet.request(...call);
 * const reader = createTendermintNodeReader({ name: 'a node', request }, network);
 * const signer = walletOfPassphrase(new Secret('an example')).coins;
 * const account = new TendermintAccount({ reader, signer, network });
 * chain.fund(account.address, [{ denom: 'uiris', amount: 5_000_000n }]);
 * const funds = await fundsOf({ account }, { look: await reader.look(), denom: 'uiris' });
 * funds; // → { all: 5_000_000n, unlocked: 5_000_000n, free: 5_000_000n }
 * ```
 */
export async function fundsOf(
  { account }: Pick<Parts, 'account'>,
  { look, denom, beside }: Asked,
): Promise<TendermintFunds> {
  const state = await look.account(account.address);
  const used = state?.sequence ?? 0;
  const waiting = account.waiting({ used, height: look.head.height }).filter(({ sequence }) => sequence !== beside);
  const owned = { address: account.address, denom };
  const all = await look.balance(owned);
  const told = state?.isVesting === true ? await look.balance({ ...owned, unlocked: true }) : all;
  const unlocked = told < all ? told : all;
  const free = waiting.reduce((rest, made) => rest - takenBy(made, denom), unlocked);
  return { all, unlocked, free: free > 0n ? free : 0n };
}
