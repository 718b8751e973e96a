import { RECEIVER_SPEND } from '../../htlc/evm-calls.ts';
import { decodeEvmTransaction, evmCall } from '../../htlc/evm-transaction.ts';
import { type ExtractSecret, extractSecret } from '../../htlc/extract-secret.ts';
import { secretHashMatches } from '../../htlc/secret-hash.ts';

/** {@link ExtractSecret} for transactions of UTXO chains, and for calls of the swap contract on EVM chains. */
export const shownSecret: ExtractSecret = (rawTransaction, secretHash) =>
  extractSecret(rawTransaction, secretHash) ?? secretOfCall(rawTransaction, secretHash);

function secretOfCall(rawTransaction: Uint8Array, secretHash: Uint8Array): Uint8Array | undefined {
  const transaction = decodeEvmTransaction(rawTransaction);
  const call = transaction === undefined ? undefined : evmCall(transaction);
  const word = call?.selector === RECEIVER_SPEND ? call.words[2] : undefined;
  return word !== undefined && secretHashMatches(word, secretHash) ? word : undefined;
}
