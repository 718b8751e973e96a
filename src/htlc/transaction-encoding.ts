import { hash256 } from '../primitives/hash.ts';
import { hexToBytes } from '../primitives/hex.ts';
import { compactSize, concatBytes, uint64Bytes, uintBytes } from './byte-writer.ts';
import type { ScratchWriter } from './scratch-writer.ts';
import { NOTHING_SHIELDED, shieldedBytes } from './shielded.ts';
import {
  type DecodedTransaction,
  displayHash,
  OVERWINTERED,
  type TransactionInput,
  type TransactionOutput,
} from './transaction.ts';

/**
 * Raw bytes of a transaction in its own form: the inverse of `decodeTransaction`. Writes a missing shielded part as empty vectors.
 *
 * @throws RangeError if a number does not fit its field or a txid is not 64 hex digits.
 *
 * @example
 * ```ts
 * import {
 *   decodeTransaction, encodeTransaction, FINAL_SEQUENCE, opReturnScript, SMART_CHAIN_FORM,
 * } from 'swapfold/htlc';
 *
 * const funding = { txid: 'ab'.repeat(32), vout: 1, sequence: FINAL_SEQUENCE };
 * const inputs = [{ ...funding, scriptSig: new Uint8Array(0) }];
 * const outputs = [{ value: 1000n, script: opReturnScript() }];
 * const transaction = { ...SMART_CHAIN_FORM, inputs, outputs, lockTime: 0 };
 * decodeTransaction(encodeTransaction(transaction)); // → transaction
 * const impossible = [{ value: -1n, script: opReturnScript() }];
 * encodeTransaction({ ...transaction, outputs: impossible }); // throws RangeError
 * ```
 */
export function encodeTransaction(transaction: DecodedTransaction): Uint8Array {
  for (const { value } of transaction.outputs) {
    if (value < 0n) throw new RangeError(`an output cannot hold ${value} base units`);
  }
  return transactionBytes(transaction);
}

/**
 * As {@link encodeTransaction}, the inverse of `readTransaction`: values are written signed, so that what no chain takes can be
 * written too.
 *
 * @throws RangeError when a number does not fit its field or a txid is not 64 hex digits.
 */
export function transactionBytes(transaction: DecodedTransaction): Uint8Array {
  const { format, inputs, outputs, shielded = NOTHING_SHIELDED } = transaction;
  const sapling = format === 'sapling';
  const parts: Uint8Array[] = [headerBytes(transaction)];
  if (format === 'segwit') parts.push(Uint8Array.of(0, 1));
  parts.push(
    listBytes(inputs, (input) => inputBytes(input, input.scriptSig)),
    listBytes(outputs, outputBytes),
  );
  if (format === 'segwit') parts.push(...inputs.map(({ witness = [] }) => listBytes(witness, varBytes)));
  parts.push(uintBytes(transaction.lockTime, 4));
  if (transaction.comment !== undefined) parts.push(varBytes(transaction.comment));
  if (isOverwintered(transaction)) parts.push(uintBytes(transaction.expiryHeight ?? 0, 4));
  if (sapling) parts.push(int64Bytes(transaction.valueBalance ?? 0n));
  if (hasShieldedPart(transaction)) parts.push(shieldedBytes(shielded, { sapling }));
  return concatBytes(parts);
}

type Form = Pick<DecodedTransaction, 'format'>;

/** Whether the top bit of the version is set: versions 3 and 4 of Zcash's family. */
export function isOverwintered({ format }: Form): boolean {
  return format === 'overwinter' || format === 'sapling';
}

/** Whether the form has room for shielded value, also where there is none. */
export function hasShieldedPart(form: Form): boolean {
  return form.format === 'sprout' || isOverwintered(form);
}

/**
 * Id of a transaction as explorers and KDF show it: the double SHA-256 of its bytes without witness, last byte first.
 * `decoded` must be the decoded form of `raw`.
 *
 * @example
 * ```ts
 * import {
 *   type DecodedTransaction, encodeTransaction, FINAL_SEQUENCE, opReturnScript, transactionId,
 * } from 'swapfold/htlc';
 *
 * const input = { txid: 'ab'.repeat(32), vout: 1, scriptSig: new Uint8Array(0) };
 * const rest = { version: 2, outputs: [{ value: 1000n, script: opReturnScript() }], lockTime: 0 };
 * const idWith = (witness: readonly Uint8Array[]) => {
 *   const inputs = [{ ...input, sequence: FINAL_SEQUENCE, witness }];
 *   const signed: DecodedTransaction = { format: 'segwit', inputs, ...rest };
 *   return transactionId(encodeTransaction(signed), signed);
 * };
 * idWith([new Uint8Array(71)]); // → idWith([new Uint8Array(72), new Uint8Array(33)])
 * ```
 */
export function transactionId(raw: Uint8Array, decoded: DecodedTransaction): string {
  const hashed = decoded.format === 'segwit' ? encodeTransaction({ ...decoded, format: 'legacy' }) : raw;
  return displayHash(hash256(hashed));
}

/** The start of a transaction: the version with its top bit, the group id or the time where the form has one. */
export function headerBytes(transaction: Omit<DecodedTransaction, 'inputs' | 'outputs' | 'lockTime'>): Uint8Array {
  const { format, version } = transaction;
  if (isOverwintered(transaction)) {
    return concatBytes([uintBytes(version + OVERWINTERED, 4), uintBytes(transaction.versionGroupId ?? 0, 4)]);
  }
  const stake = format === 'proofOfStake' ? [uintBytes(transaction.nTime ?? 0, 4)] : [];
  return concatBytes([uintBytes(version, 4), ...stake]);
}

/** An output by its transaction and its index. */
export type OutPoint = Pick<TransactionInput, 'txid' | 'vout'>;

/** 36 bytes: the id, first byte first, and the index. @throws RangeError when the id is not 64 hex digits. */
export function outPointBytes({ txid, vout }: OutPoint): Uint8Array {
  const id = hexToBytes(txid).reverse();
  if (id.length !== 32) throw new RangeError(`a txid has 64 hex digits, not ${txid.length}`);
  return concatBytes([id, uintBytes(vout, 4)]);
}

/** The same as {@link outPointBytes}, behind what is written already. */
export function writeOutPoint(to: ScratchWriter, { txid, vout }: OutPoint): void {
  if (txid.length !== 64) throw new RangeError(`a txid has 64 hex digits, not ${txid.length}`);
  to.reversedHex(txid);
  to.uint32(vout);
}

/** The same as {@link outputBytes}, behind what is written already. */
export function writeOutput(to: ScratchWriter, { value, script }: TransactionOutput): void {
  to.int64(value);
  to.varBytes(script);
}

/** An input with the script that stands in its place when it is hashed or written. */
export function inputBytes(input: OutPoint & { readonly sequence: number }, script: Uint8Array): Uint8Array {
  return concatBytes([outPointBytes(input), varBytes(script), uintBytes(input.sequence, 4)]);
}

/** An output as it stands in a transaction and in what a signature commits to. */
export function outputBytes({ value, script }: TransactionOutput): Uint8Array {
  return concatBytes([int64Bytes(value), varBytes(script)]);
}

/** Bytes with their length before them. */
export function varBytes(bytes: Uint8Array): Uint8Array {
  return concatBytes([compactSize(bytes.length), bytes]);
}

/** Items with their count before them. */
export function listBytes<Item>(items: readonly Item[], bytesOf: (item: Item) => Uint8Array): Uint8Array {
  return concatBytes([compactSize(items.length), ...items.map(bytesOf)]);
}

/** A signed number of eight bytes, least significant byte first. @throws RangeError when it does not fit. */
export function int64Bytes(value: bigint): Uint8Array {
  if (value < -(1n << 63n) || value >= 1n << 64n) throw new RangeError(`${value} does not fit 8 bytes`);
  return uint64Bytes(BigInt.asUintN(64, value));
}
