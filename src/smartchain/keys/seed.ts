import { sha256 } from '../../primitives/hash.ts';

/**
 * The private key, 32 bytes, that a seed phrase stands for: SHA-256 of its UTF-8 text with five bits fixed, as a key of
 * Curve25519 has them. So do KDF and the `convertpassphrase` of the smart-chain node. Every text gives a key, one that is
 * itself a private key in the wallet import format too: whether it is such a one is for the caller to ask first.
 */
export function secretKeyOfSeed(seed: string): Uint8Array {
  const key = sha256(new TextEncoder().encode(seed));
  key[0] = (key[0] as number) & 248;
  key[31] = ((key[31] as number) & 127) | 64;
  return key;
}
