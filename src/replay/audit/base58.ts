import { hash256 } from '../../primitives/hash.ts';
import { sameBytes } from '../../primitives/hex.ts';

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
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
  const bytes: number[] = [];
  for (const character of text) {
    let carry = ALPHABET.indexOf(character);
    if (carry < 0) return undefined;
    for (let index = 0; index < bytes.length; index++) {
      carry += (bytes[index] as number) * 58;
      bytes[index] = carry & 0xff;
      carry >>= 8;
    }
    for (; carry > 0; carry >>= 8) bytes.push(carry & 0xff);
  }
  for (const character of text) {
    if (character !== '1') break;
    bytes.push(0);
  }
  const whole = Uint8Array.from(bytes.reverse());
  if (whole.length <= CHECKSUM_BYTES) return undefined;
  const payload = whole.subarray(0, -CHECKSUM_BYTES);
  const checksum = hash256(payload).subarray(0, CHECKSUM_BYTES);
  return { payload, checksumRight: sameBytes(checksum, whole.subarray(-CHECKSUM_BYTES)) };
}
