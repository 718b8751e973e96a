import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scriptHash160, secretFits, secretHashMatches } from '../../../src/htlc/secret-hash.ts';
import { hash160, sha256 } from '../../../src/primitives/hash.ts';
import { bytesToHex } from '../../../src/primitives/hex.ts';

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

  it('matches as hex what it matches as bytes, and no text that is not the hex of both', () => {
    fc.assert(
      fc.property(secret, fc.nat(31), fc.integer({ min: 1, max: 255 }), (right, index, mask) => {
        const wrong = Uint8Array.from(right);
        wrong[index] = (right[index] as number) ^ mask;
        const text = bytesToHex(right);
        for (const hash of [bytesToHex(hash160(right)), bytesToHex(sha256(right))]) {
          expect(secretFits(text, hash)).toBe(true);
          expect(secretFits(bytesToHex(wrong), hash)).toBe(false);
          expect(secretFits(text, text)).toBe(false);
          for (const cut of [text.slice(2), text.slice(1), `${text}00`, `0x${text.slice(2)}`, ''])
            expect(secretFits(cut, hash)).toBe(false);
          for (const cut of [hash.slice(2), hash.slice(1), `${hash}00`, `0x${hash.slice(2)}`, ''])
            expect(secretFits(text, cut)).toBe(false);
        }
      }),
    );
  });

  it('is in a script as HASH160 of the secret, whichever was negotiated', () => {
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
