import { hash160, ripemd160, sha256 } from '../primitives/hash.ts';
import { hexToBytes, isHex, sameBytes } from '../primitives/hex.ts';

/** Bytes of a swap secret. */
export const SECRET_BYTES = 32;

/**
 * Whether `hash` is the hash of a swap secret: HASH160 if it has 20 bytes, SHA-256 if it has 32 (KDF uses the longer one if a side is Tendermint, or
 * the maker's is Lightning). A secret of another length than 32, or a hash of another length, never matches.
 *
 * @example
 * ```ts
 * import { secretHashMatches, secretHashOf } from 'swapfold/htlc';
 *
 * const secret = new Uint8Array(32).fill(0x5e);
 * secretHashMatches(secret, secretHashOf(secret, 32)); // → true
 * secretHashMatches(secret.subarray(1), secretHashOf(secret)); // → false
 * ```
 */
export function secretHashMatches(secret: Uint8Array, hash: Uint8Array): boolean {
  if (secret.length !== SECRET_BYTES) return false;
  if (hash.length === 20) return sameBytes(hash160(secret), hash);
  return hash.length === 32 && sameBytes(sha256(secret), hash);
}

/** Whether a secret has a hash, both in hex. Text that is not hex, or of another length, never matches. */
export function secretFits(secret: string, hash: string): boolean {
  if (secret.length !== 2 * SECRET_BYTES || !isHex(secret) || !isHex(hash)) return false;
  return secretHashMatches(hexToBytes(secret), hexToBytes(hash));
}

/**
 * The hash that a maker offers for its secret: HASH160, or SHA-256 if a chain needs 32 bytes (Tendermint, and a maker on Lightning).
 *
 * @throws RangeError if the secret does not have 32 bytes.
 *
 * @example
 * ```ts
 * import { bytesToHex, secretHashOf, sha256 } from 'swapfold/htlc';
 *
 * const secret = new Uint8Array(32).fill(0x5e);
 * bytesToHex(secretHashOf(secret)); // → '97f55bb66bf6ae306e3a0e1e22cdd69221084a9d'
 * secretHashOf(secret, 32); // → sha256(secret)
 * secretHashOf(secret.subarray(1)); // throws RangeError
 * ```
 */
export function secretHashOf(secret: Uint8Array, bytes: 20 | 32 = 20): Uint8Array {
  if (secret.length !== SECRET_BYTES) throw new RangeError(`a secret has ${SECRET_BYTES} bytes, not ${secret.length}`);
  return bytes === 20 ? hash160(secret) : sha256(secret);
}

/**
 * The 20 bytes that a script or a swap contract holds for a secret hash: the hash itself, or RIPEMD-160 of a 32-byte one, which
 * is HASH160 of the secret either way. Undefined for a hash of another length.
 *
 * @example
 * ```ts
 * import { scriptHash160, secretHashOf } from 'swapfold/htlc';
 *
 * const secret = new Uint8Array(32).fill(0x5e);
 * scriptHash160(secretHashOf(secret, 32)); // → secretHashOf(secret, 20)
 * scriptHash160(secret.subarray(1)); // → undefined
 * ```
 */
export function scriptHash160(secretHash: Uint8Array): Uint8Array | undefined {
  if (secretHash.length === 20) return secretHash;
  return secretHash.length === 32 ? ripemd160(secretHash) : undefined;
}
