import { base58 } from '@scure/base';
import { hash256 } from '../../primitives/hash.ts';
import { sameBytes } from '../../primitives/hex.ts';

const LONGEST = 64;
const CHECKSUM_BYTES = 4;

/** A text with a version, a hash and a checksum, as addresses of most UTXO chains are. */
export type Base58Text = {
  /** Version bytes and hash. */
  readonly payload: Uint8Array;
  /** Whether the last four bytes are the start of the double SHA-256; a few chains use another hash. */
  readonly checksumRight: boolean;
};

/** Reads a Base58 text; undefined for other characters, for more than 64 of them, and for less than five bytes. */
export function decodeBase58(text: string): Base58Text | undefined {
  if (text.length > LONGEST) return undefined;
  const whole = bytesOf(text);
  if (whole === undefined || whole.length <= CHECKSUM_BYTES) return undefined;
  const payload = whole.subarray(0, -CHECKSUM_BYTES);
  const checksum = hash256(payload).subarray(0, CHECKSUM_BYTES);
  return { payload, checksumRight: sameBytes(checksum, whole.subarray(-CHECKSUM_BYTES)) };
}

function bytesOf(text: string): Uint8Array | undefined {
  try {
    return base58.decode(text);
  } catch {
    return undefined;
  }
}
