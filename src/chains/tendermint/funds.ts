import type { Parts } from './parts.ts';
import type { Look } from './reader.ts';
import { takenBy } from './transaction.ts';

/** What an account has by its blocks, and what of that is not promised to what waits or is signed, in base units. */
export type Funds = { readonly all: bigint; readonly free: bigint };

export type Asked = {
  readonly look: Look;
  readonly denom: string;
  /** A sequence whose transactions do not count, because another one is to take their place. @defaultValue none */
  readonly beside?: number;
};

/** @throws BackendSilent */
export async function fundsOf({ account }: Pick<Parts, 'account'>, { look, denom, beside }: Asked): Promise<Funds> {
  const used = await account.used(look);
  const waiting = account.waiting({ used, height: look.head.height }).filter(({ sequence }) => sequence !== beside);
  const all = await look.balance({ address: account.address, denom });
  const free = waiting.reduce((rest, made) => rest - takenBy(made, denom), all);
  return { all, free: free > 0n ? free : 0n };
}
