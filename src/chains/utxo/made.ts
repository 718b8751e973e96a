import { type DecodedTransaction, decodeTransaction, isTransactionProblem } from '../../htlc/transaction.ts';
import { transactionId } from '../../htlc/transaction-encoding.ts';
import { hexToBytes } from '../../primitives/hex.ts';

/** A transaction in all its forms. */
export type Made = { readonly txid: string; readonly hex: string; readonly tx: DecodedTransaction };

/** Reads the bytes of a transaction; null for hex that is none. */
export function madeOf(hex: string): Made | null {
  if (!/^([0-9a-f]{2})+$/.test(hex)) return null;
  const bytes = hexToBytes(hex);
  const tx = decodeTransaction(bytes);
  return isTransactionProblem(tx) ? null : { txid: transactionId(bytes, tx), hex, tx };
}

/** Its inputs as `txid:vout`. */
export function spentBy({ inputs }: DecodedTransaction): readonly string[] {
  return inputs.map(({ txid, vout }) => `${txid}:${vout}`);
}
