import { sha256 } from '../../primitives/hash.ts';

/**
 * The private key, 32 bytes, that a seed phrase stands for: SHA-256 of its UTF-8 text with five bits fixed, as a key of
 * Curve25519 has them. So do KDF and the `convertpassphrase` of the smart-chain node. Every text gives a key, one that is
 * itself a private key in the wallet import format too: whether it is such a one is for the caller to ask first.
 *
 * @example
 * ```ts
 * import { bytesToHex } from 'swapfold/htlc';
 * import { secretKeyOfSeed } from 'swapfold/smartchain';
 *
 * const key = secretKeyOfSeed('your long and secure seed generated with atomicDEX');
 * bytesToHex(key); // → 'c88ec5711d611f4c2b53597352d60e58fa77e2ca0580386f71b7867147a5d250'
 * ```
 */
export function secretKeyOfSeed(seed: string): Uint8Array {
  const key = sha256(new TextEncoder().encode(seed));
  key[0] = (key[0] as number) & 248;
  key[31] = ((key[31] as number) & 127) | 64;
  return key;
}
