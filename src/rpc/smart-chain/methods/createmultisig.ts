import { hash160 } from '../../../primitives/hash.ts';
import { bytesToHex } from '../../../primitives/hex.ts';
import { encodeAddress } from '../../../smartchain/encoding/address.ts';
import { multisigScript } from '../../../smartchain/keys/multisig.ts';
import { keyOfHash } from '../../../smartchain/wallet/keyring.ts';
import type { RpcMethod } from '../method.ts';
import { integerAt, listAt, textAt } from '../params.ts';
import { RPC_CODE, RpcError } from '../rpc-error.ts';

/** Address and redeem script that some of several keys can spend from. */
export const createmultisig: RpcMethod = {
  name: 'createmultisig',
  usage: 'nrequired ["key",...]',
  summary: 'Returns the address and the redeem script that nrequired of the keys can spend from.',
  arity: [2, 2],
  run(params, { chain, wallet }) {
    const required = integerAt(params, 0);
    const keys = listAt(params, 1);
    const { prefixes } = chain.params;
    const answer = multisigScript(required, keys, {
      prefixes,
      textOf: (key) => textAt([key], 0),
      keyOfAddress: ({ hash }) => keyOfHash(wallet.ring, hash)?.publicKey,
    });
    if ('error' in answer) throw new RpcError(RPC_CODE.misc, answer.error);
    const address = encodeAddress({ kind: 'script', hash: hash160(answer.script) }, prefixes);
    return { address, redeemScript: bytesToHex(answer.script) };
  },
};
