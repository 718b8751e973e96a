import { BigNumber } from 'bignumber.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimalOf, fromBaseUnits } from '../../../src/primitives/decimal.ts';
import {
  addFractions,
  compareFractions,
  divideFractions,
  type Fraction,
  fractionInBaseUnits,
  fractionOf,
  fractionOfDecimal,
  fractionText,
  multiplyFractions,
  sameFraction,
  subtractFractions,
} from '../../../src/primitives/fraction.ts';

const Exact = BigNumber.clone({ DECIMAL_PLACES: 400, ROUNDING_MODE: BigNumber.ROUND_DOWN });
const whole = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
const fraction = fc
  .tuple(
    whole,
    whole.filter((denom) => denom !== 0n),
  )
  .map(([numer, denom]) => fractionOf(numer, denom));

/** Whether an exact fraction is this number, as far as 400 digits show. */
function isAbout({ numer, denom }: Fraction, number: BigNumber): boolean {
  return new Exact(numer.toString()).div(denom.toString()).minus(number).abs().lt('1e-300');
}

function numberOf({ numer, denom }: Fraction): BigNumber {
  return new Exact(numer.toString()).div(denom.toString());
}

describe('exact fractions', () => {
  it('are in lowest terms with a denominator above zero', () => {
    expect(fractionOf(6n, -4n)).toEqual({ numer: -3n, denom: 2n });
    expect(fractionOf(0n, -7n)).toEqual({ numer: 0n, denom: 1n });
    expect(() => fractionOf(1n, 0n)).toThrow(RangeError);
  });

  it('are computed with as bignumber.js does', () => {
    fc.assert(
      fc.property(fraction, fraction, (left, right) => {
        const [a, b] = [numberOf(left), numberOf(right)];
        expect(isAbout(addFractions(left, right), a.plus(b))).toBe(true);
        expect(isAbout(subtractFractions(left, right), a.minus(b))).toBe(true);
        expect(isAbout(multiplyFractions(left, right), a.times(b))).toBe(true);
        if (right.numer !== 0n) {
          expect(sameFraction(multiplyFractions(divideFractions(left, right), right), left)).toBe(true);
        }
        expect(Math.sign(compareFractions(left, right))).toBe(sameFraction(left, right) ? 0 : a.comparedTo(b));
      }),
    );
  });

  it('read and write decimal texts', () => {
    const texts = fc.tuple(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), fc.integer({ min: 0, max: 40 }));
    fc.assert(
      fc.property(texts, ([units, decimals]) => {
        const text = fromBaseUnits(units, decimals);
        expect(fractionText(fractionOfDecimal(text))).toBe(text);
      }),
    );
    expect(fractionOfDecimal(decimalOf('1.50e-3'))).toEqual({ numer: 3n, denom: 2000n });
    expect(fractionOfDecimal(decimalOf('.5'))).toEqual({ numer: 1n, denom: 2n });
    expect(fractionOfDecimal(decimalOf('-.5'))).toEqual({ numer: -1n, denom: 2n });
    expect(fractionText(fractionOf(1n, 3n))).toBe(`0.${'3'.repeat(100)}`);
    expect(fractionText(fractionOf(-1n, 10n ** 120n))).toBe('0');
  });

  it('lose only what is below a base unit', () => {
    expect(fractionInBaseUnits(fractionOf(10n, 3n), 8)).toBe(333_333_333n);
    expect(fractionInBaseUnits(fractionOf(10n, 3n), 6)).toBe(3_333_333n);
    expect(fractionInBaseUnits(fractionOf(1n, 100_000_000n), 8)).toBe(1n);
    expect(fractionInBaseUnits(fractionOf(1n, 100_000_001n), 8)).toBe(0n);
  });
});
