import { hash160 } from '../../../primitives/hash.ts';
import { inIndexOrder, ownedOutputs, type UnspentEntry } from '../../../smartchain/chain/address-index.ts';
import { ownerKey, type ScriptOwner } from '../../../smartchain/chain/script-owner.ts';
import { conditionAddressHash } from '../../../smartchain/script/condition-scripts.ts';
import { payloadOf } from '../../../smartchain/tokens/move.ts';
import { MARKER_SCRIPT, TOKENS_KEY } from '../../../smartchain/tokens/scripts.ts';
import type { RpcMethod } from '../method.ts';
import { tokenMaker } from '../token-params.ts';

/** Ids of all tokens in blocks: those with a marker of the old form in the order of the chain, then by the bytes of their ids. */
export const tokenlist: RpcMethod = {
  name: 'tokenlist',
  usage: '',
  summary: 'Returns the ids of all tokens on the chain.',
  arity: [0, 0],
  run(_params, context) {
    const { chain } = tokenMaker(context);
    const { addresses } = chain.tree.ledger;
    const unspent = (owner: ScriptOwner) => [...ownedOutputs(addresses, ownerKey(owner)).unspent.values()];
    const old = unspent({ kind: 'key', hash: hash160(TOKENS_KEY) }).sort(byPlace);
    const marked = inIndexOrder(unspent({ kind: 'condition', hash: conditionAddressHash(MARKER_SCRIPT) }));
    const creations = [...old, ...marked].filter(({ record }) => payloadOf(record.transaction)?.kind === 'create');
    return [...new Set(creations.map(({ txid }) => txid))];
  },
};

function byPlace({ record: left }: UnspentEntry, { record: right }: UnspentEntry): number {
  return left.height - right.height || left.position - right.position;
}
