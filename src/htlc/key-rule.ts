import { hexToBytes, isHex } from '../primitives/hex.ts';
import { pointOfKey } from './curve-point.ts';

/** Says why a key, 33 bytes in hex, cannot be the other side's key for a coin; null if it can. */
export type KeyRule = (key: string) => string | null;

/**
 * {@link KeyRule} of every coin with secp256k1 keys: the key must be the compressed form of a point of the curve (SEC 1 §2.3.4), otherwise nobody
 * could sign for it. The reason is in KDF's words.
 *
 * @example
 * ```ts
 * import { secp256k1KeyProblem } from 'swapfold/htlc';
 *
 * const key = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';
 * secp256k1KeyProblem(key); // → null
 * secp256k1KeyProblem(`02${'ff'.repeat(32)}`); // → 'InvalidPubKey: "malformed public key"'
 * ```
 */
export const secp256k1KeyProblem: KeyRule = (key) => (isPoint(key) ? null : 'InvalidPubKey: "malformed public key"');

function isPoint(key: string): boolean {
  return isHex(key) && pointOfKey(hexToBytes(key)) !== undefined;
}
