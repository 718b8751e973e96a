import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type DecimalText,
  fromBaseUnits,
  isDecimalText,
  sameDecimal,
  toBaseUnits,
  toPlainDecimal,
} from '../../../src/primitives/decimal.ts';

it('base units and coin units convert exactly, both ways', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.integer({ min: 0, max: 18 }), (units, decimals) => {
      expect(toBaseUnits(fromBaseUnits(units, decimals), decimals)).toBe(units);
    }),
  );
});

it('digits below the base unit are cut off, never rounded', () => {
  expect(toBaseUnits('50.000000000000001504212457800000' as DecimalText)).toBe(5_000_000_000n);
  expect(toBaseUnits('0.999999999' as DecimalText)).toBe(99_999_999n);
});

it('bounds keep a short text from standing for a huge number', () => {
  expect(isDecimalText('1e1024')).toBe(true);
  expect(isDecimalText('1e1025')).toBe(false);
  expect(isDecimalText('1e99999999')).toBe(false);
  expect(isDecimalText('9'.repeat(1025))).toBe(false);
  for (const text of ['', '.', '1.2.3', '0x10', 'NaN', 'Infinity', ' 1', '1e', '١'])
    expect(isDecimalText(text)).toBe(false);
});

it('only an exponent changes the spelling', () => {
  expect(toPlainDecimal('1e-8' as DecimalText)).toBe('0.00000001');
  expect(toPlainDecimal('1.500' as DecimalText)).toBe('1.500');
  expect(sameDecimal('1.500' as DecimalText, '1.5' as DecimalText)).toBe(true);
});
