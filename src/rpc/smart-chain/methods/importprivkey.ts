import { decodeWif } from '../../../smartchain/keys/wif.ts';
import type { RpcMethod } from '../method.ts';
import { optionalBooleanAt, optionalTextAt, textAt } from '../params.ts';
import { RPC_CODE, RpcError } from '../rpc-error.ts';

/** Adds a private key to the wallet. No error quotes it. */
export const importprivkey: RpcMethod = {
  name: 'importprivkey',
  usage: '"privkey" ( "label" rescan )',
  summary: 'Adds a private key in the wallet import format to the wallet; returns its address.',
  arity: [1, 4],
  async run(params, { chain, wallet }) {
    const key = decodeWif(textAt(params, 0), chain.params.prefixes);
    optionalTextAt(params, 1);
    optionalBooleanAt(params, 2);
    if (key === undefined) throw new RpcError(RPC_CODE.addressOrKey, 'Invalid private key encoding');
    return (await wallet.add(key)).address;
  },
};
