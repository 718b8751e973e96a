import { bytesToHex, sameBytes } from '../../../primitives/hex.ts';
import { lenientTokenId } from '../../../smartchain/encoding/lenient.ts';
import { isValidPublicKey } from '../../../smartchain/keys/secp256k1.ts';
import { classifyScript } from '../../../smartchain/script/classify.ts';
import { DEAD_KEY } from '../../../smartchain/tokens/scripts.ts';
import { type Built, buildTransfer, type TokenMaker } from '../../../smartchain/wallet/token-transactions.ts';
import { findTransaction } from '../chain-view.ts';
import type { RpcMethod } from '../method.ts';
import { countAt, textAt } from '../params.ts';
import { publicKeyOfText, tokenFailure, tokenMaker } from '../token-params.ts';

const NO_ID = '0'.repeat(64);

/** Builds and signs a transfer of tokens; sends nothing. */
export const tokentransfer: RpcMethod = {
  name: 'tokentransfer',
  usage: 'tokenid destpubkey amount',
  summary: 'Returns a signed transaction that sends tokens to a public key; send it with sendrawtransaction.',
  arity: [3, 3],
  run(params, context) {
    const maker = tokenMaker(context);
    const tokenId = lenientTokenId(textAt(params, 0));
    const destination = textAt(params, 1);
    const amount = countAt(params, 2);
    if (tokenId === NO_ID) return tokenFailure('invalid tokenid');
    if (amount <= 0n) return tokenFailure('amount must be positive');
    const recipient = publicKeyOfText(destination);
    // The node would decode this text to arbitrary bytes, and write an output that nobody could spend.
    if (recipient === undefined || !canReceive(recipient)) return tokenFailure('invalid destpubkey');
    const answer = buildTransfer(maker, { tokenId, recipient, amount });
    return 'error' in answer ? tokenFailure(answer.error) : { result: 'success', hex: hexOf(answer, maker) };
  },
};

/** Whether the key can have a private key, or is the one for burning. */
function canReceive(key: Uint8Array): boolean {
  return isValidPublicKey(key) || sameBytes(key, DEAD_KEY);
}

/** As on the node: a token input without its signature leaves no transaction, a coin input without one does. */
function hexOf({ built, unsigned }: Exclude<Built, { error: string }>, { chain }: TokenMaker): string {
  const lacksToken = unsigned.some((index) => {
    const { txid, vout } = built.transaction.inputs[index] ?? { txid: '', vout: 0 };
    const script = findTransaction(chain, txid)?.identified.transaction.outputs[vout]?.script;
    return script !== undefined && classifyScript(script).type === 'cryptocondition';
  });
  return lacksToken ? '' : bytesToHex(built.bytes);
}
