import { type ByteReader, byteReader, failReading } from '../htlc/byte-reader.ts';
import { BITCOIN_FORM, SMART_CHAIN_FORM, type TransactionForm } from '../htlc/spend.ts';
import {
  type DecodedTransaction,
  displayHash,
  OVERWINTER_GROUP_ID,
  OVERWINTERED,
  readTransaction,
  SAPLING_GROUP_ID,
} from '../htlc/transaction.ts';
import { transactionBytes } from '../htlc/transaction-encoding.ts';
import { hash256 } from '../primitives/hash.ts';
import type { ChainParams } from './params.ts';

/** The form of transactions in a block of this height. */
export function formAt({ saplingHeight }: ChainParams, height: number): TransactionForm {
  return saplingHeight !== undefined && height >= saplingHeight ? SMART_CHAIN_FORM : BITCOIN_FORM;
}

/** A transaction with the bytes that it was read from, so that an id needs no second writing. */
export type ReadTransaction = { readonly transaction: DecodedTransaction; readonly bytes: Uint8Array };

/**
 * Reads one transaction from where the reader stands and leaves it behind the last byte. On a fault `reader.problem` says
 * which, and the answer holds no meaning. The version alone tells the form: with its top bit, those of Overwinter and Sapling with
 * their own groups (ZIP 202, ZIP 243) and nothing else; without it, Sprout's from version 2 on, and Bitcoin's first below.
 */
export function readChainTransaction(reader: ByteReader): DecodedTransaction {
  const header = uint32At(reader, 0);
  if (header < OVERWINTERED) return readTransaction(reader, header >= 2 ? 'sprout' : 'legacy');
  const version = header - OVERWINTERED;
  const group = uint32At(reader, 4);
  const isSapling = version === 4 && group === SAPLING_GROUP_ID;
  if (!isSapling && !(version === 3 && group === OVERWINTER_GROUP_ID)) {
    failReading(reader, `has version ${version} with group id ${group}, which is unknown`);
  }
  return readTransaction(reader, isSapling ? 'sapling' : 'overwinter');
}

/** Four bytes ahead of the reader, the least significant first; what is not there counts as zero and is found when it is read. */
function uint32At({ bytes, offset }: ByteReader, ahead: number): number {
  const at = (index: number) => bytes[offset + ahead + index] ?? 0;
  return ((at(3) << 24) | (at(2) << 16) | (at(1) << 8) | at(0)) >>> 0;
}

/**
 * Reads a transaction that the bytes start with; undefined when they do not. What follows it is ignored, as the node does,
 * and is not part of `bytes` of the answer. Never throws. The byte arrays of the answer are views of `raw`.
 *
 * @example
 * ```ts
 * import { hexToBytes } from 'swapfold/htlc';
 * import { decodeChainTransaction } from 'swapfold/smartchain';
 *
 * const raw = hexToBytes('01000000000122020000000000000151000000006a6a');
 * const read = decodeChainTransaction(raw);
 * read?.transaction.outputs[0]?.value; // → 546n
 * read?.bytes.length; // → raw.length - 2
 * decodeChainTransaction(raw.subarray(1)); // → undefined
 * ```
 */
export function decodeChainTransaction(raw: Uint8Array): ReadTransaction | undefined {
  const reader = byteReader(raw);
  const transaction = readChainTransaction(reader);
  if (reader.problem !== undefined) return undefined;
  return { transaction, bytes: raw.subarray(0, reader.offset) };
}

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
export const encodeChainTransaction = transactionBytes;

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
