import { hash256, keccak256, sha256 } from '../primitives/hash.ts';
import { bytesToHex, hexToBytes, isHex } from '../primitives/hex.ts';
import { type ByteReader, byteReader, readBytes, readUint, remainingBytes } from './byte-reader.ts';
import { readRlp } from './rlp.ts';
import { type DecodedTransaction, decodeTransaction, displayHash, isTransactionProblem } from './transaction.ts';
import { transactionId } from './transaction-encoding.ts';

/**
 * How a family of chains makes an id from the bytes of a transaction: `utxo` is the double SHA-256 shown last byte first,
 * `utxoSingleSha256` the single one (Groestlcoin), `evm` Keccak-256, `tendermint` SHA-256, both in byte order.
 */
export type HashFamily = 'utxo' | 'utxoSingleSha256' | 'evm' | 'tendermint';

/** Why an id cannot be computed from what is stored. */
export type UncheckableId =
  /** Both texts are empty: a taker that is exempt from the fee stores no transaction. */
  | 'empty'
  /** Both texts are one and the same 32 bytes: the payment hash of a Lightning payment. */
  | 'lightningPaymentHash'
  /** Zcash version 5 and later: the id is a tree of BLAKE2b hashes (ZIP 244). */
  | 'zcashVersion5'
  /** Sia: the bytes are JSON, and the id is a BLAKE2b hash of another encoding. */
  | 'sia'
  /** A Litecoin transaction with an extension block, which is not part of its id. */
  | 'extensionBlock';

export type TransactionIdentity =
  | { readonly status: 'verified'; readonly family: HashFamily }
  | {
      readonly status: 'violated';
      /** The family as which the bytes parse; undefined when they parse as none. */
      readonly family: HashFamily | undefined;
      /** The id that the bytes have in that family. */
      readonly expected: string | undefined;
      /** The stored id, in lower case and without 0x. */
      readonly found: string;
    }
  | { readonly status: 'notCheckable'; readonly reason: UncheckableId };

type Shape =
  | { readonly kind: 'evm' }
  | { readonly kind: 'tendermint' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'utxo'; readonly decoded: DecodedTransaction }
  | { readonly kind: 'uncheckable'; readonly reason: UncheckableId };

/**
 * Whether a stored `tx_hash` is the id of the stored `tx_hex`. Both are hex of either case, with or without 0x. The form of the bytes determines the
 * family, so an id made by another family's rule is a violation. Never throws.
 *
 * The id of a segwit transaction omits the witness (BIP 141); its hash with the witness is accepted as well.
 *
 * @example
 * ```ts
 * import { identifyTransaction } from 'swapfold/htlc';
 *
 * // The example of EIP-155.
 * const hex =
 *   'f86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008025' +
 *   'a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276a067cbe9d8997f761aecb7' +
 *   '03304b3800ccf555c9f3dc64214b297fb1966a3b6d83';
 * const id = '33469b22e9f636356c4160a87eb19df52b7412e8eac32a4a55ffe88ea8350788';
 * identifyTransaction(hex, `0x${id}`); // → { status: 'verified', family: 'evm' }
 * identifyTransaction(hex, id.replace('33', '34')).status; // → 'violated'
 * ```
 */
export function identifyTransaction(txHex: string, txHash: string): TransactionIdentity {
  return readIdentity(txHex, txHash).identity;
}

/** What is known of a stored transaction once its id was looked at. */
export type ReadIdentity = {
  readonly identity: TransactionIdentity;
  /** Nothing where the text is no hex. */
  readonly bytes: Uint8Array;
  /** Present where the bytes have the shape of a transaction of a UTXO chain. */
  readonly decoded?: DecodedTransaction;
};

/** As {@link identifyTransaction}, with what it has read on the way: bytes are decoded once. */
export function readIdentity(txHex: string, txHash: string): ReadIdentity {
  const hex = normalise(txHex);
  const found = normalise(txHash);
  if (hex === '' && found === '') return unread({ status: 'notCheckable', reason: 'empty' });
  if (!isHex(hex) || hex === '') return unread({ status: 'violated', family: undefined, expected: undefined, found });
  const bytes = hexToBytes(hex);
  if (hex === found && hex.length === 64) {
    return { identity: { status: 'notCheckable', reason: 'lightningPaymentHash' }, bytes };
  }
  const shape = shapeOf(bytes);
  const identity = identityOf(bytes, shape, found);
  return shape.kind === 'utxo' ? { identity, bytes, decoded: shape.decoded } : { identity, bytes };
}

function unread(identity: TransactionIdentity): ReadIdentity {
  return { identity, bytes: new Uint8Array(0) };
}

function identityOf(bytes: Uint8Array, shape: Shape, found: string): TransactionIdentity {
  if (shape.kind === 'uncheckable') return { status: 'notCheckable', reason: shape.reason };
  if (shape.kind === 'evm' || shape.kind === 'tendermint') {
    const expected = bytesToHex(shape.kind === 'evm' ? keccak256(bytes) : sha256(bytes));
    if (expected === found) return { status: 'verified', family: shape.kind };
    return { status: 'violated', family: shape.kind, expected, found };
  }
  // Bytes of an unknown shape are held against the double hash too: a form of transaction that is not decoded here still
  // has that id on nearly every UTXO chain.
  if (displayHash(hash256(bytes)) === found) return { status: 'verified', family: 'utxo' };
  if (shape.kind === 'unknown') return { status: 'violated', family: undefined, expected: undefined, found };
  const expected = transactionId(bytes, shape.decoded);
  if (expected === found) return { status: 'verified', family: 'utxo' };
  if (displayHash(sha256(bytes)) === found) return { status: 'verified', family: 'utxoSingleSha256' };
  return { status: 'violated', family: 'utxo', expected, found };
}

/**
 * The id of a transaction whose bytes came without one, in hex: by the rule of the family whose form they have, the double SHA-256 for an unknown
 * form, the 32 bytes themselves (the payment hash of a Lightning payment), nothing for nothing.
 *
 * @throws RangeError if the text is not hex.
 */
export function idOfTransaction(txHex: string): string {
  const bytes = hexToBytes(txHex);
  if (bytes.length === 0) return '';
  if (bytes.length === 32) return bytesToHex(bytes);
  const shape = shapeOf(bytes);
  if (shape.kind === 'evm') return bytesToHex(keccak256(bytes));
  if (shape.kind === 'tendermint') return bytesToHex(sha256(bytes));
  return shape.kind === 'utxo' ? transactionId(bytes, shape.decoded) : displayHash(hash256(bytes));
}

function normalise(text: string): string {
  const lower = text.toLowerCase();
  return lower.startsWith('0x') ? lower.slice(2) : lower;
}

function shapeOf(bytes: Uint8Array): Shape {
  if (isEvmTransaction(bytes)) return { kind: 'evm' };
  if (isTendermintTransaction(bytes)) return { kind: 'tendermint' };
  if (bytes[0] === 0x7b && bytes[bytes.length - 1] === 0x7d) return { kind: 'uncheckable', reason: 'sia' };
  const decoded = decodeTransaction(bytes);
  if (!isTransactionProblem(decoded)) return { kind: 'utxo', decoded };
  if (decoded.kind === 'malformed') return { kind: 'unknown' };
  return { kind: 'uncheckable', reason: bytes[3] === 0x80 ? 'zcashVersion5' : 'extensionBlock' };
}

/** An RLP list that ends with the bytes, alone (legacy) or after a type byte 1 to 4 (EIP-2718). */
function isEvmTransaction(bytes: Uint8Array): boolean {
  const type = bytes[0] ?? 0;
  const reader = byteReader(bytes, type >= 1 && type <= 4 ? 1 : 0);
  return readRlp(reader).isList && reader.problem === undefined && remainingBytes(reader) === 0;
}

/** A Cosmos `TxRaw` message: a body, its authorisation and signatures, as protobuf fields 1, 2 and 3 in this order. */
function isTendermintTransaction(bytes: Uint8Array): boolean {
  const reader = byteReader(bytes);
  let last = 0;
  for (const expected of [0x0a, 0x12]) {
    if (readUint(reader, 1) !== expected || reader.problem !== undefined) return false;
    readBytes(reader, readVarint(reader));
    last = expected;
  }
  while (remainingBytes(reader) > 0) {
    last = readUint(reader, 1);
    if (last !== 0x1a) return false;
    readBytes(reader, readVarint(reader));
  }
  return last === 0x1a && reader.problem === undefined;
}

function readVarint(reader: ByteReader): number {
  let value = 0;
  for (let shift = 0; shift < 5; shift++) {
    const byte = readUint(reader, 1);
    value += (byte & 0x7f) * 128 ** shift;
    if (byte < 0x80) return value;
  }
  return Number.MAX_SAFE_INTEGER;
}
