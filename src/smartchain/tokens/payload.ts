import { byteReader, readBytes, readUint, readVarBytes, remainingBytes } from '../../htlc/byte-reader.ts';
import { compactSize, concatBytes } from '../../htlc/byte-writer.ts';
import { OP_PUSHDATA1, OP_PUSHDATA2, OP_RETURN } from '../../htlc/script.ts';
import { bytesToHex, hexToBytes } from '../../primitives/hex.ts';
import { EVAL_TOKENS } from '../eval-codes.ts';
import { isDataPush, operationAt } from '../script/operations.ts';

/** Id of the blob that makes a token non-fungible. */
export const NON_FUNGIBLE_BLOB = 0x11;
/** Blobs from this id on are no module's: proofs of burns, imports. */
const FIRST_FOREIGN_BLOB = 0x80;
/** Id of the blob that proves the burn on another chain from which a token was imported. */
export const IMPORT_BLOB = 0x81;

/** Bytes that a module attached to a token payload. */
export type TokenBlob = { readonly id: number; readonly data: Uint8Array };

export type CreatePayload = {
  readonly kind: 'create';
  /** Public key of the creator, 33 bytes. */
  readonly owner: Uint8Array;
  /** As the creator wrote it: 1 to 32 bytes where the node made it, any others where somebody else did. */
  readonly name: Uint8Array;
  readonly description: Uint8Array;
  readonly blobs: readonly TokenBlob[];
};

export type TransferPayload = {
  readonly kind: 'transfer';
  /** Id of the creation, 64 hex digits. */
  readonly tokenId: string;
  /** Keys of the recipient output: none, one, or two of which either may spend. */
  readonly keys: readonly Uint8Array[];
  readonly blobs: readonly TokenBlob[];
};

/** What the last output of a token transaction says. */
export type TokenPayload = CreatePayload | TransferPayload;

const CREATE = 0x63;
const TRANSFER = 0x74;
const KEY_BYTES = 33;
const MOST_KEYS = 2;
const EARLY_FORMS = [
  [0x11, 'RHQKG'],
  [0xe3, 'sbSBxo'],
] as const;

/** The output script that carries a payload: OP_RETURN and one push. */
export function payloadScript(payload: TokenPayload): Uint8Array {
  return concatBytes([Uint8Array.of(OP_RETURN), dataPush(payloadBytes(payload))]);
}

function payloadBytes(payload: TokenPayload): Uint8Array {
  const blobs = payload.blobs.flatMap(({ id, data }) => [Uint8Array.of(id), varBytes(data)]);
  if (payload.kind === 'create') {
    const { owner, name, description } = payload;
    const head = Uint8Array.of(EVAL_TOKENS, CREATE);
    return concatBytes([head, varBytes(owner), varBytes(name), varBytes(description), ...blobs]);
  }
  const { tokenId, keys } = payload;
  const head = Uint8Array.of(EVAL_TOKENS, TRANSFER);
  return concatBytes([head, hexToBytes(tokenId), Uint8Array.of(keys.length), ...keys.map(varBytes), ...blobs]);
}

/**
 * The token payload of an output script; undefined for any other. The token id stands in a payload in the order in which it is
 * printed, unlike every other id on the chain. Source: smart-chain node.
 */
export function readPayload(script: Uint8Array): TokenPayload | undefined {
  const bytes = opReturnPayload(script);
  if (bytes === undefined || bytes[0] !== EVAL_TOKENS) return undefined;
  if (bytes[1] === CREATE) return readCreate(bytes);
  return bytes[1] === TRANSFER ? readTransfer(bytes) : undefined;
}

/** The first push behind OP_RETURN; undefined where there is none. */
export function opReturnPayload(script: Uint8Array): Uint8Array | undefined {
  if (script[0] !== OP_RETURN) return undefined;
  const push = operationAt(script, 1);
  return push === undefined || !isDataPush(push.opcode) ? undefined : push.data;
}

/** The data that makes a token non-fungible; undefined for a fungible one. */
export function nonFungibleData({ blobs }: TokenPayload): Uint8Array | undefined {
  return blobs.find(({ id, data }) => id === NON_FUNGIBLE_BLOB && data.length > 0)?.data;
}

/** The module that the blobs of a payload name: that of the first one which is a module's. Source: smart-chain node. */
export function blobEval({ blobs }: TokenPayload): number | undefined {
  return blobs.find(({ id }) => id < FIRST_FOREIGN_BLOB)?.data[0];
}

function readCreate(bytes: Uint8Array): CreatePayload | undefined {
  const reader = byteReader(bytes, 2);
  const owner = readVarBytes(reader);
  const name = readVarBytes(reader);
  const description = readVarBytes(reader);
  if (reader.problem !== undefined) return undefined;
  const blobs = readBlobs(bytes.subarray(reader.offset));
  return blobs === undefined ? undefined : { kind: 'create', owner, name, description, blobs };
}

function readTransfer(bytes: Uint8Array): TransferPayload | undefined {
  const reader = byteReader(bytes, 2);
  const tokenId = bytesToHex(readBytes(reader, 32));
  const count = readUint(reader, 1);
  if (reader.problem !== undefined || count > MOST_KEYS) return undefined;
  const keys: Uint8Array[] = [];
  for (let index = 0; index < count; index++) keys.push(readVarBytes(reader));
  const isKey = ({ length }: Uint8Array) => length === KEY_BYTES;
  if (reader.problem !== undefined || !keys.every((key) => isKey(key) || key.length === 0)) return undefined;
  const blobs = readBlobs(bytes.subarray(reader.offset));
  // As on the node, an empty key is one that names nobody.
  return blobs === undefined ? undefined : { kind: 'transfer', tokenId, keys: keys.filter(isKey), blobs };
}

/** A blob without an id was written by two early builds; an id without data at the end is ignored. */
function readBlobs(bytes: Uint8Array): TokenBlob[] | undefined {
  if (bytes.length === 0) return [];
  const early = readEarlyBlob(bytes);
  if (early !== undefined) return [early];
  const reader = byteReader(bytes);
  const blobs: TokenBlob[] = [];
  while (remainingBytes(reader) > 0) {
    const id = readUint(reader, 1);
    if (remainingBytes(reader) === 0) break;
    const data = readVarBytes(reader);
    if (reader.problem !== undefined) return undefined;
    blobs.push({ id, data });
  }
  return blobs;
}

function readEarlyBlob(bytes: Uint8Array): TokenBlob | undefined {
  const reader = byteReader(bytes);
  const data = readVarBytes(reader);
  if (reader.problem !== undefined || remainingBytes(reader) > 0 || data.length < 2) return undefined;
  const form = EARLY_FORMS.find(([id, functions]) => {
    return data[0] === id && functions.includes(String.fromCharCode(data[1] as number));
  });
  return form === undefined ? undefined : { id: form[0], data };
}

/** The shortest push; a script that carries data may be longer than one that runs. At most 65,535 bytes. */
function dataPush(data: Uint8Array): Uint8Array {
  const { length } = data;
  if (length < OP_PUSHDATA1) return concatBytes([Uint8Array.of(length), data]);
  const head = length < 256 ? [OP_PUSHDATA1, length] : [OP_PUSHDATA2, length & 0xff, length >> 8];
  return concatBytes([Uint8Array.from(head), data]);
}

function varBytes(bytes: Uint8Array): Uint8Array {
  return concatBytes([compactSize(bytes.length), bytes]);
}
