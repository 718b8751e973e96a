import { type DecimalText, decimalOf, toPlainDecimal } from './decimal.ts';

/** An exact number in lowest terms; the denominator is above zero. */
export type Fraction = { readonly numer: bigint; readonly denom: bigint };

export const ZERO_FRACTION: Fraction = { numer: 0n, denom: 1n };

/** The fraction in lowest terms. @throws RangeError for a denominator of zero. */
export function fractionOf(numer: bigint, denom = 1n): Fraction {
  if (denom === 0n) throw new RangeError('a fraction has a denominator other than zero');
  const divisor = commonDivisor(numer < 0n ? -numer : numer, denom < 0n ? -denom : denom);
  const sign = denom < 0n ? -1n : 1n;
  return { numer: (sign * numer) / divisor, denom: (sign * denom) / divisor };
}

function commonDivisor(left: bigint, right: bigint): bigint {
  let [high, low] = [left, right];
  while (low !== 0n) [high, low] = [low, high % low];
  return high;
}

/** The exact value of a decimal text. */
export function fractionOfDecimal(text: DecimalText): Fraction {
  const [whole = '', part = ''] = toPlainDecimal(text).replace('+', '').split('.');
  return fractionOf(BigInt(`${whole}${part}`), 10n ** BigInt(part.length));
}

export function addFractions(left: Fraction, right: Fraction): Fraction {
  return fractionOf(left.numer * right.denom + right.numer * left.denom, left.denom * right.denom);
}

export function subtractFractions(left: Fraction, right: Fraction): Fraction {
  return fractionOf(left.numer * right.denom - right.numer * left.denom, left.denom * right.denom);
}

export function multiplyFractions(left: Fraction, right: Fraction): Fraction {
  return fractionOf(left.numer * right.numer, left.denom * right.denom);
}

/** @throws RangeError for a divisor of zero. */
export function divideFractions(left: Fraction, right: Fraction): Fraction {
  return fractionOf(left.numer * right.denom, left.denom * right.numer);
}

/** Negative if the left one is less, zero if they are equal, positive if it is more. */
export function compareFractions(left: Fraction, right: Fraction): number {
  const difference = left.numer * right.denom - right.numer * left.denom;
  if (difference === 0n) return 0;
  return difference < 0n ? -1 : 1;
}

export function sameFraction(left: Fraction, right: Fraction): boolean {
  return compareFractions(left, right) === 0;
}

/**
 * Base units of a coin, truncated (as KDF does when it pays an amount). @param decimals digits after the point of one
 * coin unit.
 */
export function fractionInBaseUnits({ numer, denom }: Fraction, decimals: number): bigint {
  return (numer * 10n ** BigInt(decimals)) / denom;
}

/** Digits after the point at which an infinite decimal is truncated. */
const MOST_DIGITS = 100;

/** The number as a decimal text, exact if it has at most 100 digits after the point, else truncated there. */
export function fractionText({ numer, denom }: Fraction): DecimalText {
  const scaled = ((numer < 0n ? -numer : numer) * 10n ** BigInt(MOST_DIGITS)) / denom;
  const digits = scaled.toString().padStart(MOST_DIGITS + 1, '0');
  const whole = digits.slice(0, -MOST_DIGITS);
  const part = digits.slice(-MOST_DIGITS).replace(/0+$/, '');
  const sign = numer < 0n && scaled > 0n ? '-' : '';
  return decimalOf(`${sign}${whole}${part === '' ? '' : `.${part}`}`);
}
