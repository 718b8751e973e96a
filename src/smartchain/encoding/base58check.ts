import { createBase58check } from '@scure/base';
import { sha256 } from '../../primitives/hash.ts';
import { trimSpaces } from './spaces.ts';

const codec = createBase58check(sha256);

// The longest text of the formats read here, a Sprout address, has 96 characters. Reading base58 costs the square of the
// length, hence the bound.
const LONGEST = 128;

/** The payload in base58 with four bytes of its double SHA-256 behind it. */
export function encodeBase58Check(payload: Uint8Array): string {
  return codec.encode(payload);
}

/**
 * The payload of a base58 text whose checksum is right, else undefined. Ignores white space around the text, as the smart-chain node does; without it, texts
 * above 128 characters are refused.
 */
export function decodeBase58Check(text: string): Uint8Array | undefined {
  const bare = trimSpaces(text);
  if (bare.length > LONGEST) return undefined;
  try {
    return codec.decode(bare);
  } catch {
    return undefined;
  }
}
