import { blake2b } from '@noble/hashes/blake2.js';
import { ripemd160 as nobleRipemd160 } from '@noble/hashes/legacy.js';
import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { type Blake2b, compiledBlake2b } from './blake2b.ts';
import { platformHash } from './platform-hash.ts';

/** SHA-256, 32 bytes. */
export const sha256: (bytes: Uint8Array) => Uint8Array = platformHash('sha256', nobleSha256);

/** RIPEMD-160, 20 bytes. */
export const ripemd160: (bytes: Uint8Array) => Uint8Array = platformHash('ripemd160', nobleRipemd160);

/** Double SHA-256, 32 bytes: Bitcoin's transaction and block hash. */
export function hash256(bytes: Uint8Array): Uint8Array {
  return sha256(sha256(bytes));
}

/** RIPEMD-160 of SHA-256, 20 bytes: the hash of keys, scripts and, by default, swap secrets. */
export function hash160(bytes: Uint8Array): Uint8Array {
  return ripemd160(sha256(bytes));
}

/** Keccak-256 as Ethereum uses it (not SHA3-256), 32 bytes. */
export function keccak256(bytes: Uint8Array): Uint8Array {
  return keccak_256(bytes);
}

/** BLAKE2b of 32 bytes under a personalization of 16 bytes, as the signature hashes of Overwinter and Sapling use it. */
export const blake2b256: Blake2b = compiledBlake2b() ?? portableBlake2b;

/** The portable form of {@link blake2b256}, which answers alike. */
export function portableBlake2b(bytes: Uint8Array, personalization: Uint8Array): Uint8Array {
  return blake2b(bytes, { dkLen: 32, personalization });
}
