import { encodeWif } from '../../../smartchain/keys/wif.ts';
import { keyOfHash } from '../../../smartchain/wallet/keyring.ts';
import { requireAddress } from '../address-params.ts';
import type { RpcMethod } from '../method.ts';
import { textAt } from '../params.ts';
import { RPC_CODE, RpcError } from '../rpc-error.ts';

/** The private key of an address: the one answer with a secret in it. */
export const dumpprivkey: RpcMethod = {
  name: 'dumpprivkey',
  usage: '"address"',
  summary: 'Reveals the private key of an address in the wallet import format.',
  arity: [1, 1],
  run(params, { chain, wallet }) {
    const { prefixes } = chain.params;
    const text = textAt(params, 0);
    const address = requireAddress(text, { prefixes, text: 'Invalid transparent address' });
    if (address.kind !== 'key') throw new RpcError(RPC_CODE.type, 'Address does not refer to a key');
    const key = keyOfHash(wallet.ring, address.hash);
    if (key === undefined) throw new RpcError(RPC_CODE.wallet, `Private key for address ${text} is not known`);
    return encodeWif(key, prefixes);
  },
};
