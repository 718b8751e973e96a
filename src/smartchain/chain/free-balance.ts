import type { Mempool } from './mempool.ts';

/** Unspent outputs with their sum, as the indexes of the ledger hold them. */
export type Held<Entry> = {
  /** By `<txid>:<vout>`. */
  readonly unspent: ReadonlyMap<string, Entry>;
  readonly balance: bigint;
};

/**
 * What is left of a confirmed balance when a waiting transaction spends some of it already. The cost is that of the smaller
 * of the two. Source: smart-chain node, whose token methods pass such outputs over.
 */
export function freeBalance<Entry>(
  { unspent, balance }: Held<Entry>,
  { spentBy }: Mempool,
  amountOf: (entry: Entry) => bigint,
): bigint {
  let spent = 0n;
  const names = spentBy.size < unspent.size ? spentBy.keys() : unspent.keys();
  for (const name of names) {
    const entry = spentBy.has(name) ? unspent.get(name) : undefined;
    if (entry !== undefined) spent += amountOf(entry);
  }
  return balance - spent;
}
