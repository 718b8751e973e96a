import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scriptHash160, secretHashMatches } from '../../../src/htlc/secret-hash.ts';
import { hash160, sha256 } from '../../../src/primitives/hash.ts';

const secret = fc.uint8Array({ minLength: 32, maxLength: 32 });

describe('secret hash', () => {
  it('matches its secret in both lengths, and no other secret', () => {
    fc.assert(
      fc.property(secret, fc.nat(31), fc.integer({ min: 1, max: 255 }), (right, index, mask) => {
        const wrong = Uint8Array.from(right);
        wrong[index] = (right[index] as number) ^ mask;
        for (const hash of [hash160(right), sha256(right)]) {
          expect(secretHashMatches(right, hash)).toBe(true);
          expect(secretHashMatches(wrong, hash)).toBe(false);
        }
      }),
    );
  });

  it('stands in a script as HASH160 of the secret, whichever was negotiated', () => {
    fc.assert(
      fc.property(secret, (right) => {
        expect(scriptHash160(sha256(right))).toEqual(hash160(right));
        expect(scriptHash160(hash160(right))).toEqual(hash160(right));
      }),
    );
  });

  it('of another length, or of a secret of another length, never matches', () => {
    const short = new Uint8Array(31);
    expect(secretHashMatches(short, hash160(short))).toBe(false);
    expect(secretHashMatches(new Uint8Array(32), new Uint8Array(0))).toBe(false);
    expect(scriptHash160(new Uint8Array(21))).toBeUndefined();
  });
});
