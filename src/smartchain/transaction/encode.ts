import { concatBytes, uintBytes } from '../../htlc/byte-writer.ts';
import { shieldedBytes } from '../../htlc/shielded.ts';
import { displayHash } from '../../htlc/transaction.ts';
import {
  hasShieldedPart,
  headerBytes,
  inputBytes,
  int64Bytes,
  listBytes,
  outputBytes,
} from '../../htlc/transaction-encoding.ts';
import { hash256 } from '../../primitives/hash.ts';
import { formOf, type Transaction } from './transaction.ts';

/**
 * The bytes of a transaction: the inverse of `decodeTransaction`. Values are written signed, so that what the rules of the chain
 * refuse can be written too.
 *
 * @throws RangeError when a number does not fit its field.
 */
export function encodeChainTransaction(transaction: Transaction): Uint8Array {
  const { overwintered, inputs, outputs, shielded } = transaction;
  const format = formOf(transaction);
  const sapling = format === 'sapling';
  const parts: Uint8Array[] = [headerBytes({ ...transaction, format, shielded })];
  parts.push(
    listBytes(inputs, (input) => inputBytes(input, input.scriptSig)),
    listBytes(outputs, outputBytes),
    uintBytes(transaction.lockTime, 4),
  );
  if (overwintered) parts.push(uintBytes(transaction.expiryHeight, 4));
  if (sapling) parts.push(int64Bytes(shielded.valueBalance));
  if (hasShieldedPart({ format })) parts.push(shieldedBytes(shielded, { sapling }));
  return concatBytes(parts);
}

/** Id of a transaction from its bytes: the double SHA-256, last byte first. */
export function transactionIdOf(bytes: Uint8Array): string {
  return displayHash(hash256(bytes));
}
