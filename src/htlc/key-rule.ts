import { isHex } from '../primitives/hex.ts';

/** Says why a key, 33 bytes in hex, cannot be the other side's key for a coin; null when it can. */
export type KeyRule = (key: string) => string | null;

const FIELD_PRIME = 2n ** 256n - 2n ** 32n - 977n;

/**
 * {@link KeyRule} of every coin with secp256k1 keys: the key must be the compressed form of a point of the curve (SEC 1 §2.3.4),
 * else nobody could ever sign for it. The reason is in KDF's words.
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
  if (key.length !== 66 || !isHex(key) || !/^0[23]/.test(key)) return false;
  const x = BigInt(`0x${key.slice(2)}`);
  if (x >= FIELD_PRIME) return false;
  return isSquare((x * x * x + 7n) % FIELD_PRIME);
}

/** Euler's criterion. Zero is not asked for: no point of the curve has y = 0, since the order of its group is odd. */
function isSquare(value: bigint): boolean {
  let result = 1n;
  let square = value;
  for (let rest = (FIELD_PRIME - 1n) / 2n; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = (result * square) % FIELD_PRIME;
    square = (square * square) % FIELD_PRIME;
  }
  return result === 1n;
}
