import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.ts';
import {
  decodeScriptNumber,
  encodeScriptNumber,
  LOCK_TIME_BYTES,
  scriptBoolean,
} from '../../../../src/smartchain/script/script-number.ts';

const bytes = fc.uint8Array({ maxLength: 6 });

describe('numbers of scripts', () => {
  it('have the bytes that BIP 62 prescribes', () => {
    const known: readonly (readonly [number, string])[] = [
      [0, ''],
      [1, '01'],
      [-1, '81'],
      [127, '7f'],
      [128, '8000'],
      [-128, '8080'],
      [255, 'ff00'],
      [-255, 'ff80'],
      [256, '0001'],
      [0x7fff_ffff, 'ffffff7f'],
      [-0x7fff_ffff, 'ffffffff'],
      [0x8000_0000, '0000008000'],
    ];
    for (const [value, hex] of known) {
      expect(bytesToHex(encodeScriptNumber(value))).toBe(hex);
      expect(decodeScriptNumber(hexToBytes(hex), { maxBytes: LOCK_TIME_BYTES, minimal: true })).toBe(value);
    }
  });

  it('survive a round trip', () => {
    fc.assert(
      fc.property(fc.integer({ min: -(2 ** 47) + 1, max: 2 ** 47 - 1 }), (value) => {
        expect(decodeScriptNumber(encodeScriptNumber(value), { maxBytes: 6, minimal: true })).toBe(value);
      }),
    );
  });

  it('are minimal exactly if encoding gives the same bytes again', () => {
    fc.assert(
      fc.property(bytes, (encoded) => {
        const value = decodeScriptNumber(encoded, { maxBytes: 6 });
        const again = bytesToHex(encodeScriptNumber(value ?? Number.NaN)) === bytesToHex(encoded);
        expect(decodeScriptNumber(encoded, { maxBytes: 6, minimal: true })).toBe(again ? value : undefined);
      }),
    );
  });

  it('have at most four bytes unless told otherwise', () => {
    fc.assert(
      fc.property(bytes, fc.nat(6), (encoded, maxBytes) => {
        expect(decodeScriptNumber(encoded, { maxBytes }) === undefined).toBe(encoded.length > maxBytes);
        expect(decodeScriptNumber(encoded) === undefined).toBe(encoded.length > 4);
      }),
    );
  });

  it('read a negative zero as zero', () => {
    expect(decodeScriptNumber(hexToBytes('000080'))).toBe(0);
    expect(decodeScriptNumber(hexToBytes('80'), { minimal: true })).toBeUndefined();
  });

  it('are true exactly if they are not zero', () => {
    fc.assert(
      fc.property(bytes, (encoded) => {
        expect(scriptBoolean(encoded)).toBe(decodeScriptNumber(encoded, { maxBytes: 6 }) !== 0);
      }),
    );
  });

  it('cannot hold an unsafe integer', () => {
    for (const value of [0.5, Number.NaN, 2 ** 53]) expect(() => encodeScriptNumber(value)).toThrow(RangeError);
  });
});
