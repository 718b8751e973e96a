import { displayHash } from '../../../htlc/transaction.ts';
import { hash256 } from '../../../primitives/hash.ts';
import { hexToBytes, isHex } from '../../../primitives/hex.ts';
import type { JsonValue } from '../../../primitives/json.ts';
import { type UnixSeconds, unixSecondsOf } from '../../../primitives/time.ts';

/** The contents of a header. Hashes are in display order. */
export type Header = {
  /** Double SHA-256 of its bytes: the id of the block on all but a few chains. */
  readonly hash: string;
  readonly previous: string;
  readonly merkleRoot: string;
  readonly time: UnixSeconds;
};

const BITCOIN_HEADER = 80;
const PREVIOUS_AT = 4;
const ROOT_AT = 36;
const TIME_AT = 68;
/** Zcash's family has one more hash before the time, and behind the nonce a solution of Equihash with its length. */
const LONG_TIME_AT = 100;
const SOLUTION_AT = 140;
/** A flag of the version: merged mining, with the proof of the other chain's block behind the header. */
const MERGED = 0x100;

/** Reads a header in hex; null if it is invalid. */
export function headerOf(told: JsonValue): Header | null {
  const bytes = typeof told === 'string' && isHex(told) ? hexToBytes(told) : new Uint8Array(0);
  if (bytes.length < BITCOIN_HEADER) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isLong = hasSolution(bytes);
  const isMerged = !isLong && (view.getUint32(0, true) & MERGED) !== 0;
  return {
    hash: displayHash(hash256(isMerged ? bytes.subarray(0, BITCOIN_HEADER) : bytes)),
    previous: displayHash(bytes.slice(PREVIOUS_AT, ROOT_AT)),
    merkleRoot: displayHash(bytes.slice(ROOT_AT, TIME_AT)),
    time: unixSecondsOf(view.getUint32(isLong ? LONG_TIME_AT : TIME_AT, true)),
  };
}

/** Solutions whose length is one byte: none, and those of Equihash by its parameters 48,5 and 96,5 and 144,5. */
const SHORT_SOLUTIONS = [0, 36, 68, 100];

/**
 * Whether a length and so many bytes of a solution end the header, as in Zcash's family and in no other. In Qtum's headers, which have two roots, a
 * stake and a signature in the place of it, any byte may stand where the length is.
 */
function hasSolution(bytes: Uint8Array): boolean {
  const [first, low = 0, high = 0] = bytes.subarray(SOLUTION_AT, SOLUTION_AT + 3);
  if (first === undefined) return false;
  const [size, prefix] = first === 0xfd ? [low + 256 * high, 3] : [first, 1];
  if (first < 0xfd && !SHORT_SOLUTIONS.includes(first)) return false;
  return first <= 0xfd && bytes.length === SOLUTION_AT + prefix + size;
}
