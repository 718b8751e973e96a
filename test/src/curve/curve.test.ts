import { secp256k1 } from '@noble/curves/secp256k1.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Curve } from '../../../src/curve/curve.ts';
import { compiledCurve, curve, nativeCurve } from '../../../src/curve/fastest.ts';
import { javascriptCurve } from '../../../src/curve/javascript.ts';
import { hasLowS, isBelowOrder } from '../../../src/curve/order.ts';
import { bytesToHex, hexToBytes } from '../../../src/primitives/hex.ts';
import { draws } from '../../support/draws.ts';

// One verdict, whatever library is asked: on signatures that are good, damaged, high, or none, and on keys and numbers at every edge.

const ORDER = secp256k1.Point.Fn.ORDER;
const FIELD = secp256k1.Point.Fp.ORDER;

const number32 = (value: bigint): Uint8Array => hexToBytes(value.toString(16).padStart(64, '0'));
const anyBytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const edge = fc
  .constantFrom(
    0n,
    1n,
    2n,
    ORDER / 2n,
    ORDER / 2n + 1n,
    ORDER - 1n,
    ORDER,
    ORDER + 1n,
    FIELD - ORDER,
    FIELD,
    2n ** 256n - 1n,
  )
  .map(number32);
const scalar = fc.oneof({ weight: 3, arbitrary: anyBytes(32) }, { weight: 1, arbitrary: edge });
const secretKey = scalar.filter((bytes) => secp256k1.utils.isValidSecretKey(bytes));

type Case = { readonly hash: Uint8Array; readonly signature: Uint8Array; readonly publicKey: Uint8Array };

const high = (signature: Uint8Array): Uint8Array => {
  const s = BigInt(`0x${bytesToHex(signature.subarray(32))}`);
  return Uint8Array.from([...signature.subarray(0, 32), ...number32(ORDER - s)]);
};
const damaged = (bytes: Uint8Array, { at, bit }: { readonly at: number; readonly bit: number }): Uint8Array => {
  const copy = bytes.slice();
  const index = at % copy.length;
  copy[index] = (copy[index] as number) ^ (1 << bit);
  return copy;
};
const place = fc.record({ at: fc.nat(200), bit: fc.nat(7) });

/** A good signature, and what may have happened to it, its hash and its key. */
const cases: fc.Arbitrary<Case> = fc
  .record({
    hash: scalar,
    secretKey,
    long: fc.boolean(),
    change: fc.constantFrom(
      'none',
      'high',
      'hash',
      'signature',
      'key',
      'r',
      's',
      'short',
      'long',
      'other key',
      'hybrid',
    ),
    place,
    edge: scalar,
    other: fc.oneof(anyBytes(33), anyBytes(65), anyBytes(32), fc.constant(new Uint8Array(0))),
  })
  .map(({ hash, secretKey: secret, long, change, place: where, edge: number, other }) => {
    const { signature } = javascriptCurve.sign({ hash, secretKey: secret });
    const publicKey = javascriptCurve.publicKeyOf(secret, !long);
    const good = { hash, signature, publicKey };
    const changes: Record<typeof change, Partial<Case>> = {
      none: {},
      high: { signature: high(signature) },
      hash: { hash: damaged(hash, where) },
      signature: { signature: damaged(signature, where) },
      key: { publicKey: damaged(publicKey, where) },
      r: { signature: Uint8Array.from([...number, ...signature.subarray(32)]) },
      s: { signature: Uint8Array.from([...signature.subarray(0, 32), ...number]) },
      short: { signature: signature.subarray(0, where.at % 64) },
      long: { signature: Uint8Array.from([...signature, where.bit]) },
      'other key': { publicKey: other },
      hybrid: {
        publicKey: Uint8Array.from([6 + (where.bit % 2), ...javascriptCurve.publicKeyOf(secret, false).subarray(1)]),
      },
    };
    return { ...good, ...changes[change] };
  });

const others: readonly (readonly [name: string, found: Curve | undefined])[] = [
  ['libsecp256k1', nativeCurve()],
  ['tiny-secp256k1', compiledCurve()],
];

describe.each(others)('%s, compared with the library in JavaScript', (name, found) => {
  const other = found as Curve;

  it('is there', () => {
    expect(found?.name).toBe(name);
  });

  it('judges every signature alike', () => {
    const verdicts = { true: 0, false: 0 };
    fc.assert(
      fc.property(cases, (drawn) => {
        const expected = javascriptCurve.verify(drawn);
        verdicts[`${expected}`] += 1;
        expect(other.verify(drawn)).toBe(expected);
      }),
      { numRuns: draws({ sample: 25, change: 75, release: 150 }) },
    );
    expect(Math.min(verdicts.true, verdicts.false)).toBeGreaterThan(draws({ sample: 0, change: 8, release: 15 }));
  });

  it('makes the same signatures and keys', () => {
    fc.assert(
      fc.property(scalar, secretKey, fc.boolean(), (hash, secret, compressed) => {
        expect(other.sign({ hash, secretKey: secret })).toEqual(javascriptCurve.sign({ hash, secretKey: secret }));
        expect(other.publicKeyOf(secret, compressed)).toEqual(javascriptCurve.publicKeyOf(secret, compressed));
      }),
      { numRuns: draws({ sample: 13, change: 40, release: 80 }) },
    );
  });

  it('finds the same keys from signatures', () => {
    fc.assert(
      fc.property(cases, fc.integer({ min: -1, max: 4 }), fc.boolean(), ({ hash, signature }, recovery, compressed) => {
        const request = { hash, signature, recovery, compressed };
        expect(other.recover(request)).toEqual(javascriptCurve.recover(request));
      }),
      { numRuns: draws({ sample: 17, change: 50, release: 100 }) },
    );
  });

  it('reads the same keys', () => {
    const keys = fc.oneof(
      cases.map(({ publicKey }) => publicKey),
      edge.chain((x) => fc.constantFrom(2, 3, 5).map((head) => Uint8Array.from([head, ...x]))),
    );
    fc.assert(
      fc.property(keys, fc.boolean(), (key, compressed) => {
        expect(other.convert(key, compressed)).toEqual(javascriptCurve.convert(key, compressed));
      }),
      { numRuns: draws({ sample: 17, change: 50, release: 100 }) },
    );
  });

  it.each([0n, ORDER, ORDER + 1n, 2n ** 256n - 1n])('does not accept %s as a private key', (value) => {
    const none = number32(value);
    for (const library of [other, javascriptCurve]) {
      expect(() => library.publicKeyOf(none, true)).toThrow();
      expect(() => library.sign({ hash: number32(1n), secretKey: none })).toThrow();
    }
  });

  it('changes nothing that it is given', () => {
    const secret = number32(5n);
    const hash = number32(6n);
    const signature = high(javascriptCurve.sign({ hash, secretKey: secret }).signature);
    const kept = signature.slice();
    expect(other.verify({ hash, signature, publicKey: other.publicKeyOf(secret, true) })).toBe(true);
    expect(signature).toEqual(kept);
  });
});

describe('the library that is used', () => {
  it('is the fastest that loads', () => {
    expect(curve.name).toBe('libsecp256k1');
  });

  it('is another if a package is missing, does not exist for this platform, or works wrongly', () => {
    const missing = () => {
      throw new Error("Cannot find module 'secp256k1/bindings.js'");
    };
    const wrong = () => ({
      publicKeyCreate: javascriptCurve.publicKeyOf,
      ecdsaSign: () => ({ signature: new Uint8Array(64).fill(1), recid: 0 }),
      signatureNormalize: (signature: Uint8Array) => signature,
      ecdsaVerify: () => true,
    });
    expect([nativeCurve(missing), compiledCurve(missing), nativeCurve(wrong)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect([nativeCurve(() => ({})), compiledCurve(() => ({}))]).toEqual([undefined, undefined]);
  });
});

describe('the order of the curve', () => {
  it('divides numbers and the S of signatures as the library in JavaScript does', () => {
    fc.assert(
      fc.property(scalar, (bytes) => {
        const value = BigInt(`0x${bytesToHex(bytes)}`);
        expect(isBelowOrder(bytes)).toBe(value < ORDER);
        expect(hasLowS(Uint8Array.from([...number32(1n), ...bytes]))).toBe(value <= ORDER / 2n);
      }),
    );
  });
});
