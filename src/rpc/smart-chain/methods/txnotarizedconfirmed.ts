import { lenientHash } from '../../../smartchain/encoding/lenient.ts';
import { depthOf } from '../chain-view.ts';
import type { NodeContext } from '../context.ts';
import type { RpcMethod } from '../method.ts';
import { textAt } from '../params.ts';

/** Confirmations that the node requires without notarization; the specification says 60. */
const NODE_DEPTH = 101;

/** Whether a transaction is final: notarized, or deep enough in a chain without notarization. */
export const txnotarizedconfirmed: RpcMethod = {
  name: 'txnotarizedconfirmed',
  usage: 'txid',
  summary: 'Returns whether a transaction is notarized or, on a chain without notarization, has enough confirmations.',
  arity: [1, 1],
  run(params, context) {
    const confirmed = isConfirmed(lenientHash(textAt(params, 0)), context);
    return context.compatibility === 'node' ? { result: confirmed } : confirmed;
  },
};

function isConfirmed(txid: string, { chain, compatibility }: NodeContext): boolean {
  const height = chain.tree.ledger.transactions.get(txid)?.height ?? 0;
  if (height <= 0) return false;
  const depth = depthOf(chain, height);
  const notarized = chain.notarizedHeight();
  if (notarized > 0 && height <= notarized) return depth > 1;
  return depth >= (compatibility === 'node' ? NODE_DEPTH : chain.params.notarizedDepth);
}
