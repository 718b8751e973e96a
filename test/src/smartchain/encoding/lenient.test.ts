import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decimalOf, toBaseUnits } from '../../../../src/primitives/decimal.ts';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.ts';
import {
  atoll,
  isStrictHex,
  lenientHash,
  lenientHex,
  lenientTokenId,
  supplySatoshis,
} from '../../../../src/smartchain/encoding/lenient.ts';
import { describeShared, readShared } from '../../../support/shared.ts';

const ZEROS = '0'.repeat(64);
const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;
const doubleRounding = { doubleRounding: true };

it.each([
  ['', ''],
  ['a', ''],
  ['ab', 'ab'],
  ['abc', 'ab'],
  ['AbCd', 'abcd'],
  [' \t\nab  cd\r\n', 'abcd'],
  ['a b', ''],
  ['abc d', 'ab'],
  ['abxcd', 'ab'],
  ['abcxd', 'ab'],
  ['0xab', ''],
  ['ab\u0131\u0130', 'ab'],
  ['ab\u00a0cd', 'ab'],
  ['\uff11\uff12', ''],
  ['ab\0cd', 'ab'],
])('reads the hex %j as %j', (text, hex) => {
  expect(bytesToHex(lenientHex(text))).toBe(hex);
});

it('reads whole hex to its bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect(lenientHex(bytesToHex(bytes))).toEqual(bytes);
      expect(isStrictHex(bytesToHex(bytes))).toBe(bytes.length > 0);
    }),
  );
});

it('recognizes strict hex', () => {
  for (const text of ['', 'a', 'abc', ' ab', 'ab ', 'ag', '0xab']) expect(isStrictHex(text), text).toBe(false);
  expect(isStrictHex('00aF')).toBe(true);
});

it('reads a token id of 64 hex digits, and zeros for all else', () => {
  const id = 'AB'.repeat(32);
  expect(lenientTokenId(id)).toBe('ab'.repeat(32));
  for (const text of ['', 'ab', id.slice(1), `${id}0`, ` ${id.slice(1)}`, `${id.slice(2)}0g`, `0x${id.slice(2)}`]) {
    expect(lenientTokenId(text), text).toBe(ZEROS);
  }
});

it.each([
  ['', ZEROS],
  ['junk', ZEROS],
  ['0x', ZEROS],
  ['1', `${ZEROS.slice(1)}1`],
  [' \n0x1F', `${ZEROS.slice(2)}1f`],
  ['0X1f g', `${ZEROS.slice(2)}1f`],
  ['x1f', ZEROS],
  ['00x1f', ZEROS],
  ['0x0x1f', ZEROS],
  ['ABC', `${ZEROS.slice(3)}abc`],
  [`ff${'1'.repeat(64)}`, '1'.repeat(64)],
  [`${'12'.repeat(32)}zz`, '12'.repeat(32)],
])('reads the hash %j as %j', (text, hash) => {
  expect(lenientHash(text)).toBe(hash);
});

it.each([
  ['9223372036854775807', INT64_MAX],
  ['9223372036854775808', INT64_MAX],
  ['-9223372036854775808', INT64_MIN],
  ['-9223372036854775809', INT64_MIN],
  ['99999999999999999999', INT64_MAX],
  ['-99999999999999999999', INT64_MIN],
  ['00000000000000000000000012', 12n],
  ['\v\f+12', 12n],
  ['+-12', 0n],
  ['- 12', 0n],
  ['\u00a012', 0n],
  ['\u0661', 0n],
  ['0x10', 0n],
])('reads the whole number %j as %s', (text, value) => {
  expect(atoll(text)).toBe(value);
});

it('reads any number of 64 bits back', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: INT64_MIN, max: INT64_MAX }), (value) => {
      expect(atoll(`${value}`)).toBe(value);
    }),
  );
});

it.each([
  ['', 0n],
  ['.', 0n],
  ['-', 0n],
  ['.5', 50_000_000n],
  ['5.', 500_000_000n],
  ['-.5e9', -50_000_000_000_000_000n],
  ['+.5e1', 500_000_000n],
  ['1e', 100_000_000n],
  ['1e+', 100_000_000n],
  ['1e2x', 10_000_000_000n],
  ['1.5.7', 150_000_000n],
  ['1,5', 100_000_000n],
  ['\t\n\v\f\r 1', 100_000_000n],
  ['\u00a01', 0n],
  ['1e99999999999999999999', INT64_MIN],
  ['1e-99999999999999999999', 0n],
  ['0e99999999999999999999', 0n],
  ['92233720369', INT64_MIN],
  ['-92233720369', INT64_MIN],
  ['0x10', 0n],
  ['inf', 0n],
  ['nan', 0n],
  ['infinity', 0n],
])('reads the supply %j as %s satoshis, exactly or with doubles', (text, satoshis) => {
  expect(supplySatoshis(text)).toBe(satoshis);
  expect(supplySatoshis(text, doubleRounding)).toBe(satoshis);
});

it('is exact up to the last satoshi of 64 bits, where doubles are not', () => {
  expect(supplySatoshis('92233720368.54775807')).toBe(INT64_MAX);
  expect(supplySatoshis('92233720368.54775808')).toBe(INT64_MIN);
  expect(supplySatoshis('92233720368.54775807', doubleRounding)).toBe(INT64_MIN);
  expect(supplySatoshis('90071992.54740993')).toBe(9_007_199_254_740_993n);
  expect(supplySatoshis('90071992.54740993', doubleRounding)).not.toBe(9_007_199_254_740_993n);
});

it('is the exact amount for any decimal text', () => {
  const digits = (max: number) => fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: max });
  fc.assert(
    fc.property(digits(9), digits(20), fc.integer({ min: -30, max: 1 }), (whole, fraction, exponent) => {
      for (const text of [whole, `${whole}.${fraction}`, `${whole}.${fraction}e${exponent}`]) {
        expect(supplySatoshis(`${text} coins`)).toBe(toBaseUnits(decimalOf(text)));
        expect(supplySatoshis(`-${text}`)).toBe(-toBaseUnits(decimalOf(text)));
      }
    }),
  );
});

it('differs between both ways by less than a satoshi and the rounding of a double', () => {
  fc.assert(
    fc.property(fc.nat(1_000_000), fc.nat(99_999_999), (whole, fraction) => {
      const text = `${whole}.${fraction.toString().padStart(8, '0')}`;
      const lost = supplySatoshis(text) - supplySatoshis(text, doubleRounding);
      expect(lost === 0n || lost === 1n, text).toBe(true);
    }),
  );
});

it('reads megabytes without delay', () => {
  const million = 1_000_000;
  const started = performance.now();
  expect(supplySatoshis(`0.${'0'.repeat(million)}5e${million}`)).toBe(50_000_000n);
  expect(supplySatoshis('9'.repeat(million))).toBe(INT64_MIN);
  expect(supplySatoshis(`1.${'9'.repeat(million)}`)).toBe(199_999_999n);
  expect(supplySatoshis(`1e${'9'.repeat(million)}`)).toBe(INT64_MIN);
  expect(supplySatoshis(' '.repeat(million))).toBe(0n);
  expect(atoll('9'.repeat(million))).toBe(INT64_MAX);
  expect(lenientHash('a'.repeat(million))).toBe('a'.repeat(64));
  expect(lenientHex('ab '.repeat(million))).toHaveLength(million);
  expect(performance.now() - started).toBeLessThan(3000);
});

it('leaves the bytes that hexToBytes reads the same', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEF') }), (text) => {
      expect(lenientHex(text)).toEqual(hexToBytes(text.slice(0, text.length & ~1)));
    }),
  );
});

type SupplyRow = { readonly input: string; readonly satoshis: number; readonly exactDecimal: string | null };
type AmountRow = { readonly input: string; readonly amount: string };

describeShared('numbers as the node reads them', () => {
  const { supply, amount } = JSON.parse(readShared('vectors/node/parsing-edge-cases.json')) as {
    supply: SupplyRow[];
    amount: AmountRow[];
  };

  it.each(supply)('supply $input', ({ input, satoshis, exactDecimal }) => {
    expect(supplySatoshis(input, doubleRounding)).toBe(BigInt(satoshis));
    // Where the file gives no exact value, the text is no plain decimal number, and both ways agree.
    expect(supplySatoshis(input)).toBe(BigInt(exactDecimal ?? satoshis));
  });

  it.each(amount)('amount $input', (row) => {
    expect(atoll(row.input)).toBe(BigInt(row.amount));
  });
});
