import { hash256 } from '../primitives/hash.ts';
import { hexToBytes } from '../primitives/hex.ts';
import {
  type DecodedTransaction,
  displayHash,
  OVERWINTERED,
  type TransactionInput,
  type TransactionOutput,
} from './transaction.ts';

/**
 * Raw bytes of a transaction in its own form: the inverse of `decodeTransaction`. A missing shielded part is written as
 * empty vectors.
 *
 * @throws RangeError when a number does not fit its field or a txid is not 64 hex digits.
 */
export function encodeTransaction(transaction: DecodedTransaction): Uint8Array {
  const { format, version, inputs, outputs } = transaction;
  const parts: Uint8Array[] = [];
  const zcash = format === 'overwinter' || format === 'sapling';
  parts.push(uint(zcash ? version + OVERWINTERED : version, 4));
  if (zcash) parts.push(uint(transaction.versionGroupId ?? 0, 4));
  if (format === 'proofOfStake') parts.push(uint(transaction.nTime ?? 0, 4));
  if (format === 'segwit') parts.push(Uint8Array.of(0, 1));
  parts.push(encodeList(inputs, encodeInput), encodeList(outputs, encodeOutput));
  if (format === 'segwit') parts.push(concatBytes(inputs.map(encodeWitness)));
  parts.push(uint(transaction.lockTime, 4));
  if (zcash) parts.push(uint(transaction.expiryHeight ?? 0, 4));
  if (format === 'sapling') parts.push(uint64(BigInt.asUintN(64, transaction.valueBalance ?? 0n)));
  if (zcash || format === 'sprout')
    parts.push(transaction.shielded?.bytes ?? new Uint8Array(format === 'sapling' ? 3 : 1));
  return concatBytes(parts);
}

/**
 * Id of a transaction as explorers and KDF show it: the double SHA-256 of its bytes without witness, last byte first.
 * `decoded` must be the decoded form of `raw`.
 */
export function transactionId(raw: Uint8Array, decoded: DecodedTransaction): string {
  const hashed = decoded.format === 'segwit' ? encodeTransaction({ ...decoded, format: 'legacy' }) : raw;
  return displayHash(hash256(hashed));
}

/** Bitcoin's compact size in its shortest form. @throws RangeError outside 0 to 2^32 - 1. */
export function compactSize(value: number): Uint8Array {
  if (value < 0xfd) return uint(value, 1);
  return value < 0x1_0000
    ? concatBytes([Uint8Array.of(0xfd), uint(value, 2)])
    : concatBytes([Uint8Array.of(0xfe), uint(value, 4)]);
}

/** All parts in one new array. */
export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((total, part) => total + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

function encodeList<Item>(items: readonly Item[], encode: (item: Item) => Uint8Array): Uint8Array {
  return concatBytes([compactSize(items.length), concatBytes(items.map(encode))]);
}

function encodeInput(input: TransactionInput): Uint8Array {
  const txid = hexToBytes(input.txid).reverse();
  if (txid.length !== 32) throw new RangeError(`a txid has 64 hex digits, not ${input.txid.length}`);
  const { scriptSig } = input;
  return concatBytes([txid, uint(input.vout, 4), compactSize(scriptSig.length), scriptSig, uint(input.sequence, 4)]);
}

function encodeOutput(output: TransactionOutput): Uint8Array {
  return concatBytes([uint64(output.value), compactSize(output.script.length), output.script]);
}

function encodeWitness(input: TransactionInput): Uint8Array {
  return encodeList(input.witness ?? [], (item) => concatBytes([compactSize(item.length), item]));
}

function uint(value: number, size: number): Uint8Array {
  if (!Number.isSafeInteger(value) || value < 0 || value >= 256 ** size) {
    throw new RangeError(`${value} does not fit ${size} bytes`);
  }
  const bytes = new Uint8Array(size);
  let rest = value;
  for (let index = 0; index < size; index++) {
    bytes[index] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  return bytes;
}

function uint64(value: bigint): Uint8Array {
  if (value < 0n || value >= 1n << 64n) throw new RangeError(`${value} does not fit 8 bytes`);
  return concatBytes([uint(Number(value & 0xffff_ffffn), 4), uint(Number(value >> 32n), 4)]);
}
