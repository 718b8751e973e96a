import { verifyMessage } from '../../../smartchain/keys/message.ts';
import { ADDRESS_INVALID, ADDRESS_NOT_KEY } from '../address-params.ts';
import type { RpcMethod } from '../method.ts';
import { textAt } from '../params.ts';
import { RPC_CODE, RpcError } from '../rpc-error.ts';

/** Whether the key of an address signed a text. */
export const verifymessage: RpcMethod = {
  name: 'verifymessage',
  usage: '"address" "signature" "message"',
  summary: 'Returns whether a signature in base64 was made for a message with the key of an address.',
  arity: [3, 3],
  run(params, { chain }) {
    const [address, signature, message] = [textAt(params, 0), textAt(params, 1), textAt(params, 2)];
    const verdict = verifyMessage({ address, signature, message, prefixes: chain.params.prefixes });
    if (verdict === 'addressInvalid') throw new RpcError(RPC_CODE.type, ADDRESS_INVALID);
    if (verdict === 'addressNotKey') throw new RpcError(RPC_CODE.type, ADDRESS_NOT_KEY);
    if (verdict === 'malformed') throw new RpcError(RPC_CODE.addressOrKey, 'Malformed base64 encoding');
    return verdict === 'true';
  },
};
