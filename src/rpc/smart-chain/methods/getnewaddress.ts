import type { RpcMethod } from '../method.ts';
import { optionalTextAt } from '../params.ts';

/** A new key of the wallet. It is durable before the answer shows its address. */
export const getnewaddress: RpcMethod = {
  name: 'getnewaddress',
  usage: '( "account" )',
  summary: 'Makes a new key; returns its address.',
  arity: [0, 1],
  async run(params, { wallet }) {
    optionalTextAt(params, 0);
    return (await wallet.create()).address;
  },
};
