import { byteReader, failReading, readBytes, readCount, readUint, readVarBytes } from '../../htlc/byte-reader.ts';
import type { DecodedTransaction } from '../../htlc/transaction.ts';
import { type CreatePayload, IMPORT_BLOB, readPayload } from '../../smartchain/tokens/payload.ts';
import { readChainTransaction, transactionIdOf } from '../../smartchain/transaction.ts';

/** Index of the spent output in a transaction that brings coins or tokens of another chain. */
const IMPORTED_OUTPUT = 1_000_000_000;
const EVAL_IMPORTCOIN = 0xe2;
const BURN_BLOB = 0x80;
const UNREADABLE = "can't decode";

const MERKLE_BRANCH = 0x11;
const NOTARY_IDS = 0x12;
const MERKLE_BLOCK = 0x13;

type Reader = ReturnType<typeof byteReader>;

/** Whether a transaction brings tokens of another chain. */
export function isImport({ inputs }: DecodedTransaction): boolean {
  return inputs.length === 1 && inputs[0]?.vout === IMPORTED_OUTPUT;
}

/** Where an imported token was created. */
export type ImportSource = { readonly sourceChain: string; readonly sourceTokenId: string };

/**
 * Reads where an imported token comes from out of the proof that its creation carries: the transaction that burned it on the
 * other chain, and the creation in that one's payload. What cannot be read is said to be so, as the node does.
 */
export function importSource({ blobs }: CreatePayload): ImportSource {
  const proof = blobs.find(({ id }) => id === IMPORT_BLOB)?.data;
  const burn = proof === undefined ? undefined : burnTransaction(proof);
  const blob = burn === undefined ? undefined : burnBlob(burn);
  const source = blob === undefined ? undefined : burnSource(blob);
  return source ?? { sourceChain: UNREADABLE, sourceTokenId: UNREADABLE };
}

function burnTransaction(proof: Uint8Array): DecodedTransaction | undefined {
  const reader = byteReader(proof);
  if (readUint(reader, 1) !== EVAL_IMPORTCOIN) return undefined;
  skipProof(reader);
  const transaction = readChainTransaction(reader);
  return reader.problem === undefined ? transaction : undefined;
}

/** The proof is checked by the module that imports; here it stands before what is wanted. */
function skipProof(reader: Reader): void {
  const kind = readUint(reader, 1);
  if (kind === MERKLE_BRANCH) {
    readBytes(reader, 32);
    skipVarInt(reader);
  }
  if (kind === MERKLE_BRANCH || kind === NOTARY_IDS) readBytes(reader, readCount(reader, 32) * 32);
  else if (kind === MERKLE_BLOCK) readVarBytes(reader);
  else failReading(reader, 'has no known kind of proof');
}

/** A number in groups of seven bits, as the node keeps them in its database. */
function skipVarInt(reader: Reader): void {
  while (reader.problem === undefined && readUint(reader, 1) >= 0x80);
}

function burnBlob({ outputs }: DecodedTransaction): Uint8Array | undefined {
  const script = outputs.at(-1)?.script;
  return script === undefined ? undefined : readPayload(script)?.blobs.find(({ id }) => id === BURN_BLOB)?.data;
}

function burnSource(blob: Uint8Array): ImportSource | undefined {
  const reader = byteReader(blob);
  if (readUint(reader, 1) !== EVAL_IMPORTCOIN) return undefined;
  skipVarInt(reader);
  readVarBytes(reader);
  readBytes(reader, 32);
  const raw = byteReader(readVarBytes(reader));
  if (reader.problem !== undefined) return undefined;
  const symbol = readVarBytes(raw);
  const sourceChain = raw.problem === undefined ? new TextDecoder().decode(symbol) : UNREADABLE;
  return { sourceChain, sourceTokenId: creationId(raw) };
}

function creationId(reader: Reader): string {
  const start = reader.offset;
  readChainTransaction(reader);
  if (reader.problem !== undefined) return UNREADABLE;
  return transactionIdOf(reader.bytes.subarray(start, reader.offset));
}
