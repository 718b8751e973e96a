import { secp256k1 } from '@noble/curves/secp256k1.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Envelope, isSigned } from '../../../../src/peers/kdf-wire/envelope.ts';
import { draws } from '../../../support/draws.ts';

/** Another's verdict. */
function isSignedToNoble({ key, signature, payload }: Envelope): boolean {
  try {
    return secp256k1.verify(signature, payload, key, { lowS: true, format: 'compact' });
  } catch {
    return false;
  }
}

const { n, p } = secp256k1.Point.CURVE();
const bytesOf = (value: bigint): Uint8Array =>
  Uint8Array.from(Buffer.from(value.toString(16).padStart(64, '0'), 'hex'));
const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex') || '0'}`);

const signed: fc.Arbitrary<Envelope> = fc
  .record({ secret: fc.bigInt({ min: 1n, max: n - 1n }), payload: fc.uint8Array({ maxLength: 300 }) })
  .map(({ secret, payload }) => {
    const own = bytesOf(secret);
    return { payload, key: secp256k1.getPublicKey(own), signature: secp256k1.sign(payload, own, { lowS: true }) };
  });

const EDGES = [0n, 1n, 2n, n / 2n, n / 2n + 1n, n - 1n, n, n + 1n, p - 1n, p, 2n ** 256n - 1n];
const edge = fc.constantFrom(...EDGES).map(bytesOf);

/** What a hostile sender makes of a good envelope. */
const change = fc.oneof(
  fc
    .record({ part: fc.constantFrom('key', 'signature', 'payload'), at: fc.nat(), bit: fc.nat(7) })
    .map(({ part, at, bit }) => (envelope: Envelope): Envelope => {
      const bytes = Uint8Array.from(envelope[part as keyof Envelope]);
      if (bytes.length > 0) bytes[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ (1 << bit);
      return { ...envelope, [part]: bytes };
    }),
  edge.map((r) => (envelope: Envelope) => ({ ...envelope, signature: joined(r, envelope.signature.subarray(32)) })),
  edge.map((s) => (envelope: Envelope) => ({ ...envelope, signature: joined(envelope.signature.subarray(0, 32), s) })),
  edge.map((x) => (envelope: Envelope) => ({ ...envelope, key: joined(envelope.key.subarray(0, 1), x) })),
  // The other s of the same signature.
  fc.constant((envelope: Envelope) => {
    const s = bytesOf(n - numberOf(envelope.signature.subarray(32)));
    return { ...envelope, signature: joined(envelope.signature.subarray(0, 32), s) };
  }),
  // r and what has the same remainder.
  fc.constant((envelope: Envelope) => {
    const r = (numberOf(envelope.signature.subarray(0, 32)) + n) % 2n ** 256n;
    return { ...envelope, signature: joined(bytesOf(r), envelope.signature.subarray(32)) };
  }),
  fc.nat(255).map((first) => (envelope: Envelope) => {
    return { ...envelope, key: joined(Uint8Array.of(first), envelope.key.subarray(1)) };
  }),
  // Forms of a key and of a signature that others take.
  fc.constant((envelope: Envelope) => ({ ...envelope, key: uncompressed(envelope.key) })),
  fc.constant((envelope: Envelope) => ({ ...envelope, signature: derOf(envelope.signature) })),
  fc.record({ part: fc.constantFrom('key', 'signature', 'payload'), length: fc.nat(70) }).map(
    ({ part, length }) =>
      (envelope: Envelope): Envelope => ({ ...envelope, [part]: envelope[part as keyof Envelope].slice(0, length) }),
  ),
);

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  return Uint8Array.from([...first, ...second]);
}
function uncompressed(key: Uint8Array): Uint8Array {
  try {
    return secp256k1.Point.fromBytes(key).toBytes(false);
  } catch {
    return key;
  }
}
function derOf(signature: Uint8Array): Uint8Array {
  try {
    return secp256k1.Signature.fromBytes(signature, 'compact').toBytes('der');
  } catch {
    return signature;
  }
}

describe('the signature of an envelope', () => {
  it('is good when the key made it', () => {
    fc.assert(
      fc.property(signed, (envelope) => isSigned(envelope) && isSignedToNoble(envelope)),
      { numRuns: draws({ sample: 10, change: 30, release: 60 }) },
    );
  });

  it('is judged as noble judges it, however it was changed', () => {
    let taken = 0;
    fc.assert(
      fc.property(signed, fc.array(change, { minLength: 1, maxLength: 3 }), (envelope, changes) => {
        const made = changes.reduce((before, one) => one(before), envelope);
        const found = isSigned(made);
        if (found) taken += 1;
        expect(found).toBe(isSignedToNoble(made));
      }),
      { numRuns: draws({ sample: 100, change: 300, release: 600 }) },
    );
    // Changes that take one another back.
    expect(taken).toBeLessThan(60);
  });

  it('has no s above half of the order', () => {
    const secret = bytesOf(7n);
    const payload = Uint8Array.of(1, 2, 3);
    const key = secp256k1.getPublicKey(secret);
    const low = secp256k1.sign(payload, secret, { lowS: true });
    const high = joined(low.subarray(0, 32), bytesOf(n - numberOf(low.subarray(32))));
    const said = [low, high].map((signature) => isSigned({ key, signature, payload }));
    expect(said).toEqual([true, false]);
    expect(secp256k1.verify(high, payload, key, { lowS: false })).toBe(true);
  });
});
