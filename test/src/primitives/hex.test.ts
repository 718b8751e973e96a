import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bytesToHex, bytesToHexByLoop, hexToBytes, isHex, isHexByLoop } from '../../../src/primitives/hex.ts';
import { draws } from '../../support/draws.ts';

const texts = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.stringMatching(/^[0-9a-fA-F]{0,40}$/),
  fc
    .tuple(fc.stringMatching(/^[0-9a-f]{0,20}$/), fc.string({ unit: 'binary', maxLength: 1 }))
    .map(([left, right]) => left + right + left),
);

/** Beyond the length up to which a text goes by the loop: legal hex of either case, and often one character that is none. */
const longTexts = fc
  .tuple(
    fc.stringMatching(/^[0-9a-fA-F]{78,300}$/),
    fc.oneof(
      fc.constantFrom('', '\u0130', '\u0130\u0131', 'g', 'G', ' ', '\ud800', '\u{1d7d8}'),
      fc.string({ unit: 'binary' }),
    ),
    fc.nat(300),
  )
  .map(([hex, foreign, at]) => hex.slice(0, at) + foreign + hex.slice(at));

it('the native check and the portable loop agree on every text', () => {
  fc.assert(
    fc.property(fc.oneof(texts, longTexts), (text) => {
      expect(isHex(text)).toBe(isHexByLoop(text));
      expect(isHex(text)).toBe(/^([0-9a-fA-F]{2})*$/.test(text));
    }),
    { numRuns: draws({ sample: 600, change: 3000 }) },
  );
});

it('a character whose low byte is a digit is not a digit', () => {
  for (const length of [0, 76, 78, 80, 82, 300]) {
    const hex = 'ab'.repeat(length / 2);
    expect([length, isHex(hex), isHex(`${hex}\u0130\u0131`), isHex(`\u0130\u0131${hex}`)]).toEqual([
      length,
      true,
      false,
      false,
    ]);
  }
});

it('bytes come back from their hex, in either case', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
      expect(hexToBytes(bytesToHex(bytes))).toEqual(bytes);
      expect(hexToBytes(bytesToHex(bytes).toUpperCase())).toEqual(bytes);
    }),
  );
  expect(() => hexToBytes('0')).toThrow(RangeError);
});

it('long bytes and texts are converted as by the loop, wherever the bytes are in their memory', () => {
  const lengths = fc.oneof(fc.integer({ min: 250, max: 262 }), fc.integer({ min: 0, max: 2_000 }));
  fc.assert(
    fc.property(lengths, fc.nat(9), fc.nat(255), (length, offset, seed) => {
      const around = new Uint8Array(length + offset + 3).map((_, at) => at * 31 + seed);
      const bytes = around.subarray(offset, offset + length);
      const hex = bytesToHexByLoop(bytes);
      expect(bytesToHex(bytes)).toBe(hex);
      for (const text of [hex, hex.toUpperCase()]) {
        const back = hexToBytes(text);
        expect(back).toStrictEqual(Uint8Array.from(bytes));
        expect(back.buffer.byteLength).toBe(length);
      }
      const broken = `${hex.slice(0, -1)}\u0130`;
      if (length > 0) expect(() => hexToBytes(broken)).toThrow(RangeError);
    }),
    { numRuns: draws({ sample: 25, change: 100 }) },
  );
});

it('a text longer than the scratch space is checked too', () => {
  expect(isHex('ab'.repeat(200_000))).toBe(true);
  expect(isHex(`${'ab'.repeat(200_000)}g0`)).toBe(false);
});

it('a text longer than the scratch space is checked to its last character, across each of its parts', () => {
  const digits = 'ab'.repeat(200_000);
  for (const at of [0, 1, 131_070, 131_071, 131_072, 131_073, 262_143, 262_144, 399_999]) {
    for (const odd of ['g', '\u0130', '\ud800']) {
      const text = `${digits.slice(0, at)}${odd}${digits.slice(at + 1)}`;
      expect([at, isHex(text), isHexByLoop(text)]).toEqual([at, false, false]);
    }
  }
});

it('a plain array, as programs without types give, has the same hex at every length', () => {
  for (const length of [0, 1, 23, 24, 25, 300]) {
    const bytes = Uint8Array.from({ length }, (_, at) => (at * 7 + length) & 0xff);
    expect(Reflect.apply(bytesToHex, null, [[...bytes]])).toBe(bytesToHexByLoop(bytes));
  }
});
