import { leastRate } from '../network.ts';
import { acceptUtxo } from './accept.ts';
import { IN_MEMPOOL, type UtxoEntry, type UtxoState } from './state.ts';
import { paymentSize } from './transaction.ts';

/** Attaches a row of transactions at the least price to one that waits; returns how many nodes accepted. */
export function burdenUtxo(state: UtxoState, hash: string, children: number): number {
  let parent = state.entries.get(hash);
  for (let count = 0; count < children; count += 1) {
    if (parent === undefined || parent.height !== IN_MEMPOOL) return count;
    const child = childOf(state, parent);
    if (child === null || !acceptUtxo(state, child.hex, parent.party).ok) return count;
    parent = state.entries.get(child.id);
  }
  return children;
}

/** Takes an output of the parent's signer, back to the same address. */
function childOf(state: UtxoState, { tx, takers, party }: UtxoEntry) {
  const fee = BigInt(Math.ceil(leastRate(state.network) * paymentSize(1, 1)));
  for (const [vout, { kind, lock, value }] of tx.outputs.entries()) {
    const owner = kind === 'key' && takers[vout] === null ? state.owners.get(lock) : undefined;
    if (owner === undefined || owner.party.name !== party || value < fee + state.settings.minTxAmount) continue;
    const inputs = [{ by: 'key', txid: tx.id, vout, final: true, signer: owner.signer } as const];
    return state.codec.encode({ lockTime: 0, inputs, outputs: [{ kind: 'key', value: value - fee, lock }] });
  }
  return null;
}
