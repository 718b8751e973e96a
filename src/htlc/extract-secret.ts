import { parseScript } from './script.ts';
import { SECRET_BYTES, secretHashMatches } from './secret-hash.ts';
import { decodeTransaction, isTransactionProblem } from './transaction.ts';

/**
 * Finds a swap's secret, 32 bytes, in the raw transaction that claims a payment. Undefined if the transaction does not reveal a secret with this hash
 * (20 or 32 bytes).
 */
export type ExtractSecret = (rawTransaction: Uint8Array, secretHash: Uint8Array) => Uint8Array | undefined;

/**
 * {@link ExtractSecret} for UTXO chains: the first 32-byte push in an input script, or witness item, that has the hash. Does not need to know which
 * input spends the payment, and never throws.
 *
 * @example
 * ```ts
 * import {
 *   BITCOIN_FORM, encodeTransaction, extractSecret, FINAL_SEQUENCE, opReturnScript,
 *   pushData, secretHashOf,
 * } from 'swapfold/htlc';
 *
 * const secret = new Uint8Array(32).fill(0x5e);
 * const funding = { txid: 'ab'.repeat(32), vout: 0, sequence: FINAL_SEQUENCE };
 * const inputs = [{ ...funding, scriptSig: pushData(secret) }];
 * const outputs = [{ value: 0n, script: opReturnScript() }];
 * const claim = encodeTransaction({ ...BITCOIN_FORM, inputs, outputs, lockTime: 0 });
 * extractSecret(claim, secretHashOf(secret)); // → secret
 * extractSecret(claim, secretHashOf(secret, 32)); // → secret
 * extractSecret(claim, new Uint8Array(20)); // → undefined
 * ```
 */
export const extractSecret: ExtractSecret = (rawTransaction, secretHash) => {
  const decoded = decodeTransaction(rawTransaction);
  if (isTransactionProblem(decoded)) return undefined;
  for (const { scriptSig, witness = [] } of decoded.inputs) {
    const pushes = (parseScript(scriptSig) ?? []).flatMap(({ data }) => (data === undefined ? [] : [data]));
    const found = [...pushes, ...witness].find(
      (bytes) => bytes.length === SECRET_BYTES && secretHashMatches(bytes, secretHash),
    );
    if (found !== undefined) return found;
  }
  return undefined;
};

/** KDF's answer if a spend reveals no secret with the hash. */
export const NO_SECRET_TEXT = "Couldn't extract secret";
