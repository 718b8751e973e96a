import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimalSum } from '../../../../../src/node/evm/wallets/decimal-sum.ts';
import { decimalOf, fromBaseUnits, toBaseUnits } from '../../../../../src/primitives/decimal.ts';

describe('a sum of amounts', () => {
  it.each([
    ['0.5', '0.5', '1.0'],
    ['7.62', '0', '7.62'],
    ['0', '0', '0'],
    ['1', '2', '3'],
    ['7.62', '0.38', '8.00'],
    ['0.000000000000000001', '1', '1.000000000000000001'],
  ])('%s and %s are written %s', (left, right, sum) => {
    expect(decimalSum(decimalOf(left), decimalOf(right))).toBe(sum);
    expect(decimalSum(decimalOf(right), decimalOf(left))).toBe(sum);
  });

  it('is exact, even where floats are not', () =>
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 256n - 1n), fc.bigInt(0n, 2n ** 256n - 1n), fc.nat(30), (left, right, digits) => {
        const sum = decimalSum(fromBaseUnits(left, digits), fromBaseUnits(right, digits));
        expect(toBaseUnits(sum, digits)).toBe(left + right);
      }),
    ));

  it('refuses numbers that are not in plain notation', () => {
    expect(() => decimalSum(decimalOf('1e3'), decimalOf('1'))).toThrow(RangeError);
    expect(() => decimalSum(decimalOf('1'), decimalOf('-1'))).toThrow(RangeError);
  });
});
