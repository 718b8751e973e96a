import { concatBytes } from '../../htlc/byte-writer.ts';
import { decodeBase58Check, encodeBase58Check } from '../encoding/base58check.ts';
import type { Prefixes } from '../params.ts';
import { isValidSecretKey, requireSecretKey } from './secp256k1.ts';

/** A private key with the form of the public key that its owner uses. */
export type WifKey = {
  /** 32 bytes. */
  readonly secretKey: Uint8Array;
  /** Whether addresses are made from the public key of 33 bytes, not of 65. */
  readonly compressed: boolean;
};

const SECRET_BYTES = 32;

/**
 * The key in the wallet import format. @throws SmartChainError SMARTCHAIN_KEY_INVALID when it is no private key.
 *
 * @example
 * ```ts
 * import { encodeWif, PREFIXES, secretKeyOfSeed } from 'swapfold/smartchain';
 *
 * const secretKey = secretKeyOfSeed('your long and secure seed generated with atomicDEX');
 * const key = { secretKey, compressed: true };
 * encodeWif(key, PREFIXES.main); // → 'UvjQFXKynQ2LSMtXeWnHdE79mtXZ7nyGqKwStWxygSyg9EecvRLm'
 * const zero = { secretKey: new Uint8Array(32), compressed: true };
 * encodeWif(zero, PREFIXES.main); // throws SMARTCHAIN_KEY_INVALID
 * ```
 */
export function encodeWif(key: WifKey, prefixes: Prefixes): string {
  requireSecretKey(key.secretKey);
  const mark = Uint8Array.from(key.compressed ? [1] : []);
  return encodeBase58Check(concatBytes([Uint8Array.of(prefixes.secret), key.secretKey, mark]));
}

/**
 * Reads a key in the wallet import format; undefined for any other text, for a network with another prefix, and for a number
 * that is no private key. White space around it is passed over, as the smart-chain node does.
 *
 * @example
 * ```ts
 * import { bytesToHex } from 'swapfold/htlc';
 * import { decodeWif, PREFIXES } from 'swapfold/smartchain';
 *
 * const wif = 'UtqWJyhXjJWYigKyKCm5ML96LvSZFDfZrT2HYXAdGs8byZ3uCMzy';
 * const key = decodeWif(wif, PREFIXES.main);
 * key?.compressed; // → true
 * key && bytesToHex(key.secretKey).slice(0, 16); // → '9005f5b2593ab3e6'
 * decodeWif(wif, PREFIXES.test); // → undefined
 * ```
 */
export function decodeWif(text: string, prefixes: Prefixes): WifKey | undefined {
  const payload = decodeBase58Check(text);
  if (payload === undefined || payload[0] !== prefixes.secret) return undefined;
  const compressed = payload.length === 2 + SECRET_BYTES && payload.at(-1) === 1;
  if (!compressed && payload.length !== 1 + SECRET_BYTES) return undefined;
  const secretKey = payload.slice(1, 1 + SECRET_BYTES);
  return isValidSecretKey(secretKey) ? { secretKey, compressed } : undefined;
}
