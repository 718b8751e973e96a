import { secp256k1 } from '@noble/curves/secp256k1.js';

const COMPRESSED_BYTES = 33;

/**
 * The 64 bytes of x and y of a secp256k1 key in its compressed form of 33 bytes (SEC 1 §2.3.4); undefined when the key is no
 * point of the curve.
 */
export function pointOfKey(key: Uint8Array): Uint8Array | undefined {
  if (key.length !== COMPRESSED_BYTES) return undefined;
  try {
    return secp256k1.Point.fromBytes(key).toBytes(false).subarray(1);
  } catch {
    return undefined;
  }
}
