import { ownedOutputs } from '../../../smartchain/chain/address-index.ts';
import { askedAddresses } from '../address-query.ts';
import { whole } from '../amount.ts';
import type { RpcMethod } from '../method.ts';

/** Confirmed satoshis that addresses hold, and that they ever received. */
export const getaddressbalance: RpcMethod = {
  name: 'getaddressbalance',
  usage: '{"addresses":["address",...]} ( CCvout )',
  summary: 'Returns how many satoshis addresses hold, and how many they ever received.',
  arity: [1, 2],
  async run(params, { chain }) {
    const owners = new Set((await askedAddresses(chain, params)).map(({ owner }) => owner));
    const { addresses } = chain.tree.ledger;
    const held = [...owners].map((owner) => ownedOutputs(addresses, owner));
    const sum = (values: readonly bigint[]) => whole(values.reduce((total, value) => total + value, 0n));
    return { balance: sum(held.map(({ balance }) => balance)), received: sum(held.map(({ received }) => received)) };
  },
};
