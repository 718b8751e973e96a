import { virtualSize } from '../../htlc/spend.ts';
import type { ChainIndex, Seen, UtxoReader } from './reader.ts';

/** What a transaction pays in base units; undefined where it spends what cannot be read, such as shielded coins. */
export function feeOf(index: ChainIndex, { tx, isPartial }: Seen): bigint | undefined {
  if (isPartial === true) return undefined;
  if (tx.shielded !== undefined && tx.shielded.joinSplits.length > 0) return undefined;
  let fee = tx.valueBalance ?? 0n;
  for (const { txid, vout } of tx.inputs) {
    const spent = index.get(txid)?.tx.outputs[vout];
    if (spent === undefined) return undefined;
    fee += spent.value;
  }
  for (const { value } of tx.outputs) fee -= value;
  return fee < 0n ? undefined : fee;
}

/** Virtual bytes of what waits together, and what it pays together in base units. */
export type Package = { readonly size: number; readonly fee: bigint };

/**
 * A transaction with all that must be in a block before it, as far as it waits: what a miner takes together. Of what cannot be read the fee counts
 * as nothing, so that nobody relies on it.
 */
export async function packageOf(
  { reader, birth }: { readonly reader: Pick<UtxoReader, 'find' | 'index'>; readonly birth: number },
  seen: Seen,
): Promise<Package> {
  const { index } = reader;
  const found = new Set<Seen>();
  const open = [seen];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.height !== null || found.has(next)) continue;
    found.add(next);
    for (const { txid } of next.tx.inputs) {
      await reader.find(txid, birth);
      const parent = index.get(txid);
      if (parent !== undefined) open.push(parent);
    }
  }
  let size = 0;
  let fee = 0n;
  for (const one of found) {
    size += virtualSize(one.tx);
    fee += feeOf(index, one) ?? 0n;
  }
  return { size, fee };
}
