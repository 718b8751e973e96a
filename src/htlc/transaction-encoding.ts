import { hash256 } from '../primitives/hash.ts';
import { hexToBytes } from '../primitives/hex.ts';
import { compactSize, concatBytes, uint64Bytes, uintBytes } from './byte-writer.ts';
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
  parts.push(uintBytes(zcash ? version + OVERWINTERED : version, 4));
  if (zcash) parts.push(uintBytes(transaction.versionGroupId ?? 0, 4));
  if (format === 'proofOfStake') parts.push(uintBytes(transaction.nTime ?? 0, 4));
  if (format === 'segwit') parts.push(Uint8Array.of(0, 1));
  parts.push(encodeList(inputs, encodeInput), encodeList(outputs, encodeOutput));
  if (format === 'segwit') parts.push(concatBytes(inputs.map(encodeWitness)));
  parts.push(uintBytes(transaction.lockTime, 4));
  if (zcash) parts.push(uintBytes(transaction.expiryHeight ?? 0, 4));
  if (format === 'sapling') parts.push(uint64Bytes(BigInt.asUintN(64, transaction.valueBalance ?? 0n)));
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

function encodeList<Item>(items: readonly Item[], encode: (item: Item) => Uint8Array): Uint8Array {
  return concatBytes([compactSize(items.length), concatBytes(items.map(encode))]);
}

function encodeInput(input: TransactionInput): Uint8Array {
  const txid = hexToBytes(input.txid).reverse();
  if (txid.length !== 32) throw new RangeError(`a txid has 64 hex digits, not ${input.txid.length}`);
  const { scriptSig } = input;
  return concatBytes([
    txid,
    uintBytes(input.vout, 4),
    compactSize(scriptSig.length),
    scriptSig,
    uintBytes(input.sequence, 4),
  ]);
}

function encodeOutput(output: TransactionOutput): Uint8Array {
  return concatBytes([uint64Bytes(output.value), compactSize(output.script.length), output.script]);
}

function encodeWitness(input: TransactionInput): Uint8Array {
  return encodeList(input.witness ?? [], (item) => concatBytes([compactSize(item.length), item]));
}
