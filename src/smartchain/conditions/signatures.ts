import { secp256k1 } from '@noble/curves/secp256k1.js';
import { SmartChainError } from '../error.ts';

// What is signed is a hash already, and the node's library takes no other s than a low one.
const OF_HASH = { prehash: false, lowS: true, format: 'compact' } as const;

/**
 * Compressed public key of a secret key, 33 bytes.
 *
 * @throws SmartChainError SMARTCHAIN_KEY_INVALID when the secret is not 32 bytes from 1 to the order of the curve.
 */
export function compressedKeyOf(secretKey: Uint8Array): Uint8Array {
  if (!secp256k1.utils.isValidSecretKey(secretKey)) {
    throw new SmartChainError('SMARTCHAIN_KEY_INVALID', 'This secret key is not one of secp256k1.', {
      facts: { bytes: secretKey.length },
      next: 'Give 32 bytes, as a number above zero and below the order of the curve.',
    });
  }
  return secp256k1.getPublicKey(secretKey, true);
}

/** Signature over a hash of 32 bytes: r and s, 64 bytes, s low, nonce by RFC 6979 without extra entropy. */
export function signHash(hash: Uint8Array, secretKey: Uint8Array): Uint8Array {
  return secp256k1.sign(hash, secretKey, OF_HASH);
}

/**
 * Whether a signature of 64 bytes over a hash of 32 bytes is of this key. A high s is refused, as libsecp256k1 does; so is a
 * key that is no point of the curve.
 */
export function isSignedBy(
  key: Uint8Array,
  of: { readonly hash: Uint8Array; readonly signature: Uint8Array },
): boolean {
  return secp256k1.verify(of.signature, of.hash, key, OF_HASH);
}
