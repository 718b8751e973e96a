import { decodeAddress } from '../../../smartchain/encoding/address.ts';
import { signMessage } from '../../../smartchain/keys/message.ts';
import { keyOfHash } from '../../../smartchain/wallet/keyring.ts';
import { ADDRESS_INVALID, ADDRESS_NOT_KEY } from '../address-params.ts';
import type { RpcMethod } from '../method.ts';
import { textAt } from '../params.ts';
import { RPC_CODE, RpcError } from '../rpc-error.ts';

/** Signs a text with the key of an address. */
export const signmessage: RpcMethod = {
  name: 'signmessage',
  usage: '"address" "message"',
  summary: 'Signs a message with the private key of an address; returns the signature in base64.',
  arity: [2, 2],
  run(params, { chain, wallet }) {
    const [text, message] = [textAt(params, 0), textAt(params, 1)];
    const address = decodeAddress(text, chain.params.prefixes);
    if (address === undefined) throw new RpcError(RPC_CODE.type, ADDRESS_INVALID);
    if (address.kind !== 'key') throw new RpcError(RPC_CODE.type, ADDRESS_NOT_KEY);
    const key = keyOfHash(wallet.ring, address.hash);
    if (key === undefined) throw new RpcError(RPC_CODE.wallet, 'Private key not available');
    return signMessage({ secretKey: key.secretKey, compressed: key.compressed, message });
  },
};
