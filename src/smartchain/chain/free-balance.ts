import type { Mempool } from './mempool.ts';

/** What of the outputs is spoken for. */
export type Taken = Pick<Mempool, 'spentBy'> & {
  /** By `outPointKey`: what was sent, does not wait and could still be mined spends them. */
  readonly promised: ReadonlySet<string>;
};

/** Unspent outputs with their sum, as the indexes of the ledger hold them. */
export type Held<Entry> = {
  /** By `<txid>:<vout>`. */
  readonly unspent: ReadonlyMap<string, Entry>;
  readonly balance: bigint;
};

/**
 * What is left of a confirmed balance when a transaction that waits, or was sent, spends some of it already: what could be chosen
 * as an input. The cost is that of the smaller of the two. Source: smart-chain node, whose token methods pass such outputs over.
 */
export function freeBalance<Entry>(
  { unspent, balance }: Held<Entry>,
  { spentBy, promised }: Taken,
  amountOf: (entry: Entry) => bigint,
): bigint {
  let spent = 0n;
  if (spentBy.size + promised.size < unspent.size) {
    for (const name of new Set([...spentBy.keys(), ...promised])) {
      const entry = unspent.get(name);
      if (entry !== undefined) spent += amountOf(entry);
    }
    return balance - spent;
  }
  for (const [name, entry] of unspent) if (spentBy.has(name) || promised.has(name)) spent += amountOf(entry);
  return balance - spent;
}
