import type { JsonValue } from '../../../primitives/json.ts';
import { type AddressIndex, ownedOutputs } from '../../../smartchain/chain/address-index.ts';
import { inTurns, type Steps } from '../../../smartchain/turns.ts';
import { type AskedAddress, askedAddresses } from '../address-query.ts';
import { whole } from '../amount.ts';
import type { RpcMethod } from '../method.ts';

/** Confirmed satoshis that addresses hold, and that they ever received. */
export const getaddressbalance: RpcMethod = {
  name: 'getaddressbalance',
  usage: '{"addresses":["address",...]} ( CCvout )',
  summary: 'Returns how many satoshis addresses hold, and how many they ever received.',
  arity: [1, 2],
  async run(params, { chain }) {
    const asked = await askedAddresses(chain, params);
    return inTurns(sumSteps(asked, chain.tree.ledger.addresses));
  },
};

function* sumSteps(asked: readonly AskedAddress[], addresses: AddressIndex): Steps<JsonValue> {
  let balance = 0n;
  let received = 0n;
  for (const { owner } of asked) {
    const held = ownedOutputs(addresses, owner);
    balance += held.balance;
    received += held.received;
    yield;
  }
  return { balance: whole(balance), received: whole(received) };
}
