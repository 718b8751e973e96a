import {
  type ByteReader,
  byteReader,
  failReading,
  readCount,
  readUint,
  readUint64,
  readVarBytes,
} from '../../htlc/byte-reader.ts';
import { readShielded } from '../../htlc/shielded.ts';
import { OVERWINTER_GROUP_ID, OVERWINTERED, readInputs, SAPLING_GROUP_ID } from '../../htlc/transaction.ts';
import { hasShieldedPart } from '../../htlc/transaction-encoding.ts';
import { formOf, NOTHING_SHIELDED, type Transaction, type TxOutput } from './transaction.ts';

/** A transaction with the bytes that it was read from, so that an id needs no second writing. */
export type ReadTransaction = { readonly transaction: Transaction; readonly bytes: Uint8Array };

const OUTPUT_BYTES = 9;

/**
 * Reads one transaction from where the reader stands and leaves it behind the last byte. On a fault `reader.problem` says
 * which, and the answer holds no meaning. An overwintered header with any other version and group than those of Overwinter
 * and Sapling is a fault (ZIP 202, ZIP 243). Values are signed, as the node reads them.
 */
export function readTransaction(reader: ByteReader): Transaction {
  const header = readUint(reader, 4);
  const overwintered = header >= OVERWINTERED;
  const version = overwintered ? header - OVERWINTERED : header;
  const versionGroupId = overwintered ? readUint(reader, 4) : 0;
  const sapling = overwintered && version === 4 && versionGroupId === SAPLING_GROUP_ID;
  if (overwintered && !sapling && !(version === 3 && versionGroupId === OVERWINTER_GROUP_ID)) {
    failReading(reader, `has version ${version} with group id ${versionGroupId}, which is no known form`);
  }
  const inputs = readInputs(reader);
  const outputs = readOutputs(reader);
  const lockTime = readUint(reader, 4);
  const expiryHeight = overwintered ? readUint(reader, 4) : 0;
  const valueBalance = sapling ? BigInt.asIntN(64, readUint64(reader)) : 0n;
  const vectors = hasShieldedPart({ format: formOf({ overwintered, version }) });
  const shielded = vectors ? { valueBalance, ...readShielded(reader, { sapling }) } : NOTHING_SHIELDED;
  return { overwintered, version, versionGroupId, inputs, outputs, lockTime, expiryHeight, shielded };
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
  const transaction = readTransaction(reader);
  if (reader.problem !== undefined) return undefined;
  return { transaction, bytes: raw.subarray(0, reader.offset) };
}

function readOutputs(reader: ByteReader): TxOutput[] {
  const outputs: TxOutput[] = [];
  for (let left = readCount(reader, OUTPUT_BYTES); left > 0 && reader.problem === undefined; left--) {
    const value = BigInt.asIntN(64, readUint64(reader));
    outputs.push({ value, script: readVarBytes(reader) });
  }
  return outputs;
}
