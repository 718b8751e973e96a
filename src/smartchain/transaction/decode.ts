import {
  type ByteReader,
  byteReader,
  failReading,
  readBytes,
  readCount,
  readUint,
  readUint64,
  readVarBytes,
} from '../../htlc/byte-reader.ts';
import { OVERWINTER_GROUP_ID, OVERWINTERED, readInputs, SAPLING_GROUP_ID } from '../../htlc/transaction.ts';
import { NOTHING_SHIELDED, type ShieldedPart, type Transaction, type TxOutput } from './transaction.ts';

/** A transaction with the bytes that it was read from, so that an id needs no second writing. */
export type ReadTransaction = { readonly transaction: Transaction; readonly bytes: Uint8Array };

const OUTPUT_BYTES = 9;
const SPEND_BYTES = 384;
const SHIELDED_OUTPUT_BYTES = 948;
const PHGR_JOIN_SPLIT_BYTES = 1802;
const GROTH_JOIN_SPLIT_BYTES = 1698;
const JOIN_SPLIT_SEAL_BYTES = 96;
const BINDING_SIGNATURE_BYTES = 64;

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
  const shielded = readShielded(reader, { sapling, joinSplits: overwintered || isSprout(header) });
  return { overwintered, version, versionGroupId, inputs, outputs, lockTime, expiryHeight, shielded };
}

/**
 * Reads a transaction that the bytes start with; undefined when they do not. What follows it is ignored, as the node does,
 * and is not part of `bytes` of the answer. Never throws. The byte arrays of the answer are views of `raw`.
 */
export function decodeTransaction(raw: Uint8Array): ReadTransaction | undefined {
  const reader = byteReader(raw);
  const transaction = readTransaction(reader);
  if (reader.problem !== undefined) return undefined;
  return { transaction, bytes: raw.subarray(0, reader.offset) };
}

/** Versions 2 and above without the top bit carry join splits; the version is signed, so none is above 2^31. */
function isSprout(version: number): boolean {
  return version >= 2;
}

function readOutputs(reader: ByteReader): TxOutput[] {
  const outputs: TxOutput[] = [];
  for (let left = readCount(reader, OUTPUT_BYTES); left > 0 && reader.problem === undefined; left--) {
    const value = BigInt.asIntN(64, readUint64(reader));
    outputs.push({ value, script: readVarBytes(reader) });
  }
  return outputs;
}

type ShieldedForm = { readonly sapling: boolean; readonly joinSplits: boolean };

function readShielded(reader: ByteReader, form: ShieldedForm): ShieldedPart {
  if (!form.joinSplits) return NOTHING_SHIELDED;
  const valueBalance = form.sapling ? BigInt.asIntN(64, readUint64(reader)) : 0n;
  const spends = form.sapling ? readItems(reader, SPEND_BYTES) : [];
  const outputs = form.sapling ? readItems(reader, SHIELDED_OUTPUT_BYTES) : [];
  const joinSplits = readItems(reader, form.sapling ? GROTH_JOIN_SPLIT_BYTES : PHGR_JOIN_SPLIT_BYTES);
  const joinSplitSeal = readBytes(reader, joinSplits.length > 0 ? JOIN_SPLIT_SEAL_BYTES : 0);
  const bindingSignature = readBytes(reader, spends.length + outputs.length > 0 ? BINDING_SIGNATURE_BYTES : 0);
  return { valueBalance, spends, outputs, joinSplits, joinSplitSeal, bindingSignature };
}

function readItems(reader: ByteReader, size: number): Uint8Array[] {
  const items: Uint8Array[] = [];
  for (let left = readCount(reader, size); left > 0; left--) items.push(readBytes(reader, size));
  return items;
}
