import { ownedOutputs } from '../../../smartchain/chain/address-index.ts';
import { ownerKey, scriptOwner } from '../../../smartchain/chain/script-owner.ts';
import type { SmartChain } from '../../../smartchain/node.ts';
import { askedAddresses } from '../address-query.ts';
import { whole } from '../amount.ts';
import type { RpcMethod } from '../method.ts';

/** Confirmed satoshis that addresses hold, and that they ever received. */
export const getaddressbalance: RpcMethod = {
  name: 'getaddressbalance',
  usage: '{"addresses":["address",...]} ( CCvout )',
  summary: 'Returns how many satoshis addresses hold, and how many they ever received.',
  arity: [1, 2],
  run(params, { chain }) {
    const owners = new Set(askedAddresses(chain, params).map(({ owner }) => owner));
    const { addresses } = chain.tree.ledger;
    const balance = [...owners].reduce((total, owner) => total + ownedOutputs(addresses, owner).balance, 0n);
    return { balance: whole(balance), received: whole(receivedBy(chain, owners)) };
  },
};

/** No index holds this, so all transactions are looked through. */
function receivedBy({ tree }: SmartChain, owners: ReadonlySet<string>): bigint {
  let total = 0n;
  for (const { transaction } of tree.ledger.transactions.values()) {
    for (const { script, value } of transaction.outputs) {
      const owner = scriptOwner(script);
      if (owner !== undefined && owners.has(ownerKey(owner))) total += value;
    }
  }
  return total;
}
