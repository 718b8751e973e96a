import { secp256k1 } from '@noble/curves/secp256k1.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { concatBytes } from '../../../../src/htlc/byte-writer.ts';
import { hexToBytes } from '../../../../src/primitives/hex.ts';
import {
  hasDefinedHashType,
  hasLowS,
  isPlainKeyEncoding,
  isStrictDer,
  keyEncodingProblem,
  signatureEncodingProblem,
} from '../../../../src/smartchain/script/signature-encoding.ts';

const ORDER = secp256k1.Point.Fn.ORDER;
const scalar = fc.bigInt({ min: 1n, max: ORDER - 1n });
const signature = fc.tuple(scalar, scalar).map(([r, s]) => new secp256k1.Signature(r, s));
const encode = (made: InstanceType<typeof secp256k1.Signature>, type = 1) =>
  concatBytes([made.toBytes('der'), Uint8Array.of(type)]);

/** Whether the curve library, which is as strict, reads the bytes and writes them again. */
function readable(bytes: Uint8Array): boolean {
  try {
    secp256k1.Signature.fromBytes(bytes.slice(0, -1), 'der');
    return true;
  } catch {
    return false;
  }
}

describe('form of a signature', () => {
  it('is strict for whatever the curve library writes, and S is low if the flag says so', () => {
    fc.assert(
      fc.property(signature, (made) => {
        expect(isStrictDer(encode(made))).toBe(true);
        expect(hasLowS(encode(made))).toBe(!made.hasHighS());
      }),
    );
  });

  it('is strict for no altered one that the curve library refuses for its form', () => {
    fc.assert(
      fc.property(signature, fc.nat(72), fc.integer({ min: 1, max: 255 }), (made, place, change) => {
        const bytes = encode(made);
        const index = place % (bytes.length - 1);
        bytes[index] = (bytes[index] ?? 0) ^ change;
        // The library also refuses numbers beyond the order, which are of good form.
        if (readable(bytes)) expect(isStrictDer(bytes)).toBe(true);
        if (isStrictDer(bytes) && bytes[4] !== 0xff) expect(bytes.length).toBeLessThanOrEqual(73);
      }),
    );
  });

  it('is not strict for the faults that BIP 66 lists', () => {
    const faults = {
      'no R': '3006020002020101' + '01',
      'negative R': '300602018102010101',
      'padded R': '3007020200010201' + '0101',
      'no S': '3006020201010200' + '01',
      'negative S': '300602010102018101',
      'padded S': '300702010102020001' + '01',
      'wrong tag': '310602010102010101',
      'wrong tag of R': '300603010102010101',
      'wrong tag of S': '300602010103010101',
      'wrong length': '300702010102010101',
      'length of R beyond the end': '3006027f0102010101',
      'length of S beyond the end': '300602010102020101',
      'no hash type': '3006020101020101',
    };
    for (const hex of Object.values(faults)) expect(isStrictDer(hexToBytes(hex))).toBe(false);
    expect(isStrictDer(hexToBytes('300602010102010101'))).toBe(true);
    expect(isStrictDer(hexToBytes('3008020200ff020200ff01'))).toBe(true);
    expect(isStrictDer(new Uint8Array(0))).toBe(false);
    const long = concatBytes([
      hexToBytes('30470222'),
      new Uint8Array(34).fill(1),
      hexToBytes('0221'),
      new Uint8Array(33).fill(1),
    ]);
    expect(isStrictDer(concatBytes([long, Uint8Array.of(1)]))).toBe(false);
  });

  it('turns from low to high between half the order and the next number, and beyond the order counts as zero', () => {
    const at = (s: bigint) => {
      const hex = s.toString(16).padStart(64, '0');
      const bytes = hexToBytes(hex >= '8' ? `00${hex}` : hex);
      const body = concatBytes([hexToBytes('020101'), Uint8Array.of(2, bytes.length), bytes]);
      return hasLowS(concatBytes([Uint8Array.of(0x30, body.length), body, Uint8Array.of(1)]));
    };
    expect([at(ORDER / 2n), at(ORDER / 2n + 1n), at(ORDER - 1n), at(ORDER)]).toEqual([true, false, false, true]);
  });

  it('has one of six hash types', () => {
    const defined = Array.from({ length: 256 }, (_, type) => type).filter((type) =>
      hasDefinedHashType(Uint8Array.of(type)),
    );
    expect(defined).toEqual([1, 2, 3, 0x81, 0x82, 0x83]);
    expect(hasDefinedHashType(new Uint8Array(0))).toBe(false);
  });

  it('is judged by the flags, an empty one never', () => {
    const high = encode(new secp256k1.Signature(1n, ORDER - 1n));
    const odd = encode(new secp256k1.Signature(1n, 1n), 4);
    const loose = Uint8Array.of(1);
    const all = { strictDer: true, lowS: true, strictEncoding: true };
    expect(signatureEncodingProblem(new Uint8Array(0), all)).toBeUndefined();
    expect(signatureEncodingProblem(loose, {})).toBeUndefined();
    for (const flag of ['strictDer', 'lowS', 'strictEncoding']) {
      expect(signatureEncodingProblem(loose, { [flag]: true })).toBe('SIG_DER');
    }
    expect(signatureEncodingProblem(high, all)).toBe('SIG_HIGH_S');
    expect(signatureEncodingProblem(high, { strictDer: true, strictEncoding: true })).toBeUndefined();
    expect(signatureEncodingProblem(odd, all)).toBe('SIG_HASHTYPE');
    expect(signatureEncodingProblem(odd, { strictDer: true, lowS: true })).toBeUndefined();
  });
});

describe('form of a key', () => {
  it('is plain for compressed and uncompressed keys', () => {
    const key = (head: number, length: number) => {
      const bytes = new Uint8Array(length);
      bytes[0] = head;
      return bytes;
    };
    expect([key(2, 33), key(3, 33), key(4, 65)].every(isPlainKeyEncoding)).toBe(true);
    const odd = [key(2, 65), key(4, 33), key(6, 65), key(7, 65), key(2, 32), key(4, 66), new Uint8Array(0)];
    expect(odd.some(isPlainKeyEncoding)).toBe(false);
    expect(keyEncodingProblem(key(6, 65), { strictEncoding: true })).toBe('PUBKEYTYPE');
    expect(keyEncodingProblem(key(6, 65), { strictDer: true })).toBeUndefined();
  });
});
