import { secp256k1 } from '@noble/curves/secp256k1.js';
import fc from 'fast-check';
import { isPointCompressed } from 'tiny-secp256k1';
import { describe, expect, it } from 'vitest';
import { secp256k1KeyProblem } from '../../../src/htlc/key-rule.ts';
import { bytesToHex, hexToBytes } from '../../../src/primitives/hex.ts';

const bytes = (count: number) => fc.uint8Array({ minLength: count, maxLength: count });

describe('a key of the other side', () => {
  it('is accepted exactly when libsecp256k1 accepts it as a compressed point of the curve', () => {
    fc.assert(
      fc.property(fc.constantFrom('02', '03', '00', '04'), bytes(32), (prefix, x) => {
        const key = prefix + bytesToHex(x);
        const valid = isPointCompressed(hexToBytes(key));
        expect(secp256k1KeyProblem(key)).toBe(valid ? null : 'InvalidPubKey: "malformed public key"');
      }),
    );
  });

  it('is accepted in either case when somebody holds its private key', () => {
    fc.assert(
      fc.property(bytes(32), (seed) => {
        if (!secp256k1.utils.isValidSecretKey(seed)) return;
        const key = bytesToHex(secp256k1.getPublicKey(seed, true));
        expect(secp256k1KeyProblem(key)).toBeNull();
        expect(secp256k1KeyProblem(key.toUpperCase())).toBeNull();
      }),
    );
  });

  it('is refused with zeros, beyond the field, and in another length', () => {
    for (const key of [
      '00'.repeat(33),
      `02${'00'.repeat(32)}`,
      `02${'ff'.repeat(32)}`,
      '02fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc30',
      '',
      `02${'11'.repeat(31)}`,
      `0x${'11'.repeat(32)}`,
    ]) {
      expect(secp256k1KeyProblem(key), key).not.toBeNull();
    }
  });
});
