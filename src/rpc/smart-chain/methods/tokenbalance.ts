import { lenientTokenId } from '../../../smartchain/encoding/lenient.ts';
import { tokenBalance } from '../../../smartchain/wallet/token-balance.ts';
import { whole } from '../amount.ts';
import { findTransaction } from '../chain-view.ts';
import type { RpcMethod } from '../method.ts';
import { optionalTextAt, textAt } from '../params.ts';
import { publicKeyOrModule, tokenAddress, tokenFailure, tokenMaker } from '../token-params.ts';

/** Confirmed tokens of one id that a key holds. */
export const tokenbalance: RpcMethod = {
  name: 'tokenbalance',
  usage: 'tokenid [pubkey]',
  summary: "Returns how many tokens of an id a public key holds, by default this node's key.",
  arity: [0, 2],
  run(params, context) {
    const { chain, publicKey } = tokenMaker(context);
    const text = textAt(params, 0);
    const keyText = optionalTextAt(params, 1);
    const key = keyText === undefined ? publicKey : publicKeyOrModule(keyText);
    const tokenId = lenientTokenId(text);
    if (findTransaction(chain, tokenId) === undefined) return tokenFailure('cant find tokenid');
    return {
      result: 'success',
      CCaddress: tokenAddress(key, chain.params.prefixes),
      tokenid: text,
      balance: whole(tokenBalance(chain, { tokenId, key })),
    };
  },
};
