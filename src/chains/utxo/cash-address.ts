import { bech32 } from '@scure/base';
import { concatBytes } from '../../htlc/byte-writer.ts';
import { sameBytes } from '../../primitives/hex.ts';

/** What a cash address pays to: a hash of 20 bytes, of a key or of a script. */
export type CashAddress = { readonly kind: 'key' | 'script'; readonly hash: Uint8Array };

const ALPHABET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const CHECK_LENGTH = 8;
const HASH_BYTES = 20;
/** First byte of what is encoded: the kind, and 0 for a hash of 160 bits. */
const VERSIONS = { key: 0x00, script: 0x08 } as const;

/** A cash address with its prefix, in lower case. */
export function encodeCashAddress({ kind, hash }: CashAddress, prefix: string): string {
  const words = bech32.toWords(concatBytes([Uint8Array.of(VERSIONS[kind]), hash]));
  const check = checksum([...prefixWords(prefix), ...words, ...new Array<number>(CHECK_LENGTH).fill(0)]);
  const checkWords = Array.from({ length: CHECK_LENGTH }, (_, place) =>
    Number((check >> BigInt(5 * (CHECK_LENGTH - 1 - place))) & 31n),
  );
  return `${prefix}:${[...words, ...checkWords].map((word) => ALPHABET[word]).join('')}`;
}

/** Reads one with or without its prefix, in lower case or in upper case throughout. Null for another network's, and for what is none. */
export function decodeCashAddress(text: string, prefix: string): CashAddress | null {
  if (text !== text.toLowerCase() && text !== text.toUpperCase()) return null;
  const lower = text.toLowerCase();
  const body = lower.startsWith(`${prefix}:`) ? lower.slice(prefix.length + 1) : lower;
  const words = [...body].map((letter) => ALPHABET.indexOf(letter));
  if (words.length <= CHECK_LENGTH || words.includes(-1)) return null;
  if (checksum([...prefixWords(prefix), ...words]) !== 0n) return null;
  const payload = words.slice(0, -CHECK_LENGTH);
  let bytes: Uint8Array;
  try {
    bytes = bech32.fromWords(payload);
  } catch {
    return null;
  }
  const [version] = bytes;
  const kind = (['key', 'script'] as const).find((each) => VERSIONS[each] === version);
  const hash = bytes.subarray(1);
  return kind !== undefined &&
    hash.length === HASH_BYTES &&
    sameBytes(Uint8Array.from(bech32.toWords(bytes)), Uint8Array.from(payload))
    ? { kind, hash }
    : null;
}

function prefixWords(prefix: string): number[] {
  return [...[...prefix].map((letter) => letter.charCodeAt(0) & 31), 0];
}

const GENERATORS = [0x98f2bc8e61n, 0x79b76d99e2n, 0xf33e5fb3c4n, 0xae2eabe2a8n, 0x1e4f43e470n];

/** The code of cash addresses over 40 bits; 0 for words that end in their own check. */
function checksum(words: readonly number[]): bigint {
  let check = 1n;
  for (const word of words) {
    const top = check >> 35n;
    check = ((check & 0x07_ffff_ffffn) << 5n) ^ BigInt(word);
    for (const [bit, generator] of GENERATORS.entries()) if ((top >> BigInt(bit)) & 1n) check ^= generator;
  }
  return check ^ 1n;
}
