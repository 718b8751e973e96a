import type { Parts } from './parts.ts';
import type { TendermintLook } from './reader.ts';
import { takenBy } from './transaction.ts';

/** What an account has by its blocks, what of that is not freed later, and what of that is not promised to what waits or is signed, in base units. */
export type TendermintFunds = { readonly all: bigint; readonly unlocked: bigint; readonly free: bigint };

export type Asked = {
  readonly look: TendermintLook;
  readonly denom: string;
  /** A sequence whose transactions do not count, because another one is to take their place. @defaultValue none */
  readonly beside?: number;
};

/** What an account has of one denomination as of a look, by its blocks and by what was signed for it here. @throws BackendSilent */
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
