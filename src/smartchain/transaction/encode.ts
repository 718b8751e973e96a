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
 * The bytes of a transaction: the inverse of `decodeChainTransaction`. Values are written signed, so that what the rules of the chain
 * refuse can be written too.
 *
 * @throws RangeError when a number does not fit its field.
 *
 * @example
 * ```ts
 * import { bytesToHex, hexToBytes } from 'swapfold/htlc';
 * import { decodeChainTransaction, encodeChainTransaction } from 'swapfold/smartchain';
 *
 * const read = decodeChainTransaction(hexToBytes('0100000000012202000000000000015100000000'));
 * const bytes = read && encodeChainTransaction({ ...read.transaction, lockTime: 1_764_000_000 });
 * bytes && bytesToHex(bytes); // → '0100000000012202000000000000015100812469'
 * ```
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

/**
 * Id of a transaction from its bytes: the double SHA-256, last byte first.
 *
 * @example
 * ```ts
 * import { bytesToHex, hexToBytes } from 'swapfold/htlc';
 * import { transactionIdOf } from 'swapfold/smartchain';
 *
 * // The first transaction of Bitcoin.
 * const said = 'The Times 03/Jan/2009 Chancellor on brink of second bailout for banks';
 * const text = bytesToHex(new TextEncoder().encode(said));
 * const x = '678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb6';
 * const y = '49f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5f';
 * const input = `${'00'.repeat(32)}ffffffff4d04ffff001d010445${text}ffffffff`;
 * const bytes = hexToBytes(`0100000001${input}0100f2052a01000000434104${x}${y}ac00000000`);
 * transactionIdOf(bytes); // → '4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b'
 * ```
 */
export function transactionIdOf(bytes: Uint8Array): string {
  return displayHash(hash256(bytes));
}
