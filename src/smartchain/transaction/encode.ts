import { compactSize, concatBytes, uint64Bytes, uintBytes } from '../../htlc/byte-writer.ts';
import { displayHash, OVERWINTERED } from '../../htlc/transaction.ts';
import { hash256 } from '../../primitives/hash.ts';
import { hexToBytes } from '../../primitives/hex.ts';
import type { OutPoint, ShieldedPart, Transaction, TxInput, TxOutput } from './transaction.ts';

/**
 * The bytes of a transaction: the inverse of `decodeTransaction`.
 *
 * @throws RangeError when a number does not fit its field.
 */
export function encodeTransaction(transaction: Transaction): Uint8Array {
  const { overwintered, version, inputs, outputs, shielded } = transaction;
  const parts: Uint8Array[] = [headerBytes(transaction)];
  parts.push(compactSize(inputs.length));
  for (const input of inputs) parts.push(inputBytes(input, input.scriptSig));
  parts.push(compactSize(outputs.length));
  for (const output of outputs) parts.push(outputBytes(output));
  parts.push(uintBytes(transaction.lockTime, 4));
  if (overwintered) parts.push(uintBytes(transaction.expiryHeight, 4));
  if (overwintered && version === 4) parts.push(saplingBytes(shielded));
  if (overwintered || version >= 2) {
    parts.push(compactSize(shielded.joinSplits.length), ...shielded.joinSplits, shielded.joinSplitSeal);
  }
  parts.push(shielded.bindingSignature);
  return concatBytes(parts);
}

/** Id of a transaction from its bytes: the double SHA-256, last byte first. */
export function transactionIdOf(bytes: Uint8Array): string {
  return displayHash(hash256(bytes));
}

/** The version with its top bit, and the group id where there is one. */
export function headerBytes({ overwintered, version, versionGroupId }: Transaction): Uint8Array {
  if (!overwintered) return uintBytes(version, 4);
  return concatBytes([uintBytes(version + OVERWINTERED, 4), uintBytes(versionGroupId, 4)]);
}

/** 36 bytes: the id, first byte first, and the index. */
export function outPointBytes({ txid, vout }: OutPoint): Uint8Array {
  return concatBytes([hexToBytes(txid).reverse(), uintBytes(vout, 4)]);
}

/** An input with the script that stands in its place when it is hashed or written. */
export function inputBytes(input: TxInput, script: Uint8Array): Uint8Array {
  return concatBytes([outPointBytes(input), compactSize(script.length), script, uintBytes(input.sequence, 4)]);
}

export function outputBytes({ value, script }: TxOutput): Uint8Array {
  return concatBytes([int64Bytes(value), compactSize(script.length), script]);
}

/** A signed number of eight bytes, least significant byte first. */
export function int64Bytes(value: bigint): Uint8Array {
  return uint64Bytes(BigInt.asUintN(64, value));
}

function saplingBytes({ valueBalance, spends, outputs }: ShieldedPart): Uint8Array {
  return concatBytes([
    int64Bytes(valueBalance),
    compactSize(spends.length),
    ...spends,
    compactSize(outputs.length),
    ...outputs,
  ]);
}
