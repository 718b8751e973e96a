import { blake2b } from '@noble/hashes/blake2.js';
import { ripemd160 as nobleRipemd160 } from '@noble/hashes/legacy.js';
import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { type Blake2b, compiledBlake2b } from './blake2b.ts';
import { platformHash } from './platform-hash.ts';

/**
 * SHA-256, 32 bytes.
 *
 * @example
 * ```ts
 * import { bytesToHex, sha256 } from 'swapfold/htlc';
 *
 * const hash = bytesToHex(sha256(new TextEncoder().encode('abc')));
 * hash; // → 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
 * ```
 */
export const sha256: (bytes: Uint8Array) => Uint8Array = platformHash('sha256', nobleSha256);

/**
 * RIPEMD-160, 20 bytes.
 *
 * @example
 * ```ts
 * import { bytesToHex, ripemd160 } from 'swapfold/htlc';
 *
 * const hash = bytesToHex(ripemd160(new TextEncoder().encode('abc')));
 * hash; // → '8eb208f7e05d987a9b044a8e98c6b087f15a0bfc'
 * ```
 */
export const ripemd160: (bytes: Uint8Array) => Uint8Array = platformHash('ripemd160', nobleRipemd160);

/**
 * Double SHA-256, 32 bytes: Bitcoin's transaction and block hash.
 *
 * @example
 * ```ts
 * import { bytesToHex, hash256 } from 'swapfold/htlc';
 *
 * const hash = bytesToHex(hash256(new TextEncoder().encode('hello')));
 * hash; // → '9595c9df90075148eb06860365df33584b75bff782a510c6cd4883a419833d50'
 * ```
 */
export function hash256(bytes: Uint8Array): Uint8Array {
  return sha256(sha256(bytes));
}

/**
 * RIPEMD-160 of SHA-256, 20 bytes: the hash of keys, scripts and, by default, swap secrets.
 *
 * @example
 * ```ts
 * import { bytesToHex, hash160, hexToBytes } from 'swapfold/htlc';
 *
 * const key = hexToBytes('0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798');
 * bytesToHex(hash160(key)); // → '751e76e8199196d454941c45d1b3a323f1433bd6'
 * ```
 */
export function hash160(bytes: Uint8Array): Uint8Array {
  return ripemd160(sha256(bytes));
}

/**
 * Keccak-256 as Ethereum uses it (not SHA3-256), 32 bytes.
 *
 * @example
 * ```ts
 * import { bytesToHex, ERC20_TRANSFER, keccak256 } from 'swapfold/htlc';
 *
 * const hash = keccak256(new TextEncoder().encode('transfer(address,uint256)'));
 * bytesToHex(hash).slice(0, 8); // → ERC20_TRANSFER
 * ```
 */
export function keccak256(bytes: Uint8Array): Uint8Array {
  return keccak_256(bytes);
}

/** BLAKE2b of 32 bytes under a personalization of 16 bytes, as the signature hashes of Overwinter and Sapling use it. */
export const blake2b256: Blake2b = compiledBlake2b() ?? portableBlake2b;

/** The portable form of {@link blake2b256}, with the same results. */
export function portableBlake2b(bytes: Uint8Array, personalization: Uint8Array): Uint8Array {
  return blake2b(bytes, { dkLen: 32, personalization });
}
