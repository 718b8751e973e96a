import { BigNumber } from 'bignumber.js';
import { remembering } from './remember.ts';

declare const decimalText: unique symbol;

/** A decimal number as the text it was read from: every digit kept, never a float. Amounts are in coin units. */
export type DecimalText = string & { readonly [decimalText]: true };

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,4})?$/;

/** Longest accepted decimal text: KDF writes up to about 110 characters, and a bound keeps arithmetic cheap. */
export const MAX_DECIMAL_LENGTH = 1024;

/** Largest accepted power of ten in exponent notation, so that a short text cannot expand to a gigabyte of zeros. */
export const MAX_DECIMAL_EXPONENT = 1024;

/**
 * True when the text is a decimal number within the bounds above.
 *
 * @example
 * ```ts
 * import { isDecimalText } from 'swapfold/htlc';
 *
 * isDecimalText('1e-8'); // → true
 * isDecimalText('0,5'); // → false
 * isDecimalText('1e9999'); // → false
 * ```
 */
export function isDecimalText(text: string): text is DecimalText {
  if (text.length > MAX_DECIMAL_LENGTH || !DECIMAL.test(text)) return false;
  const exponent = text.search(/[eE]/);
  return exponent < 0 || Math.abs(Number(text.slice(exponent + 1))) <= MAX_DECIMAL_EXPONENT;
}

/**
 * Marks a text as a decimal number; digits stay as given. Amounts are in coin units.
 *
 * @throws RangeError if the text is not a decimal number within the bounds above.
 *
 * @example
 * ```ts
 * import { decimalOf } from 'swapfold';
 *
 * decimalOf('0.100'); // → '0.100'
 * decimalOf('0,1'); // throws RangeError
 * ```
 */
export function decimalOf(text: string): DecimalText {
  if (isDecimalText(text)) return text;
  throw new RangeError(`not a decimal number: ${text.slice(0, 40)}`);
}

// A private constructor, because a host application may change BigNumber's global configuration.
const Exact = BigNumber.clone({ DECIMAL_PLACES: 1100, EXPONENTIAL_AT: 1e9, ROUNDING_MODE: BigNumber.ROUND_DOWN });

/** The exact value of a decimal text. Numbers are immutable, so equal texts share one. */
export const toBigNumber: (text: DecimalText) => BigNumber = remembering((text) => new Exact(text));

/**
 * The number in plain notation, without exponent: `1e-8` becomes `0.00000001`; digits are otherwise as given.
 *
 * @example
 * ```ts
 * import { decimalOf, toPlainDecimal } from 'swapfold/htlc';
 *
 * toPlainDecimal(decimalOf('1e-8')); // → '0.00000001'
 * toPlainDecimal(decimalOf('2.50')); // → '2.50'
 * ```
 */
export function toPlainDecimal(text: DecimalText): DecimalText {
  return /[eE]/.test(text) ? (new Exact(text).toFixed() as DecimalText) : text;
}

/**
 * True if both texts denote the same number, whatever their trailing zeros.
 *
 * @example
 * ```ts
 * import { decimalOf, sameDecimal } from 'swapfold/htlc';
 *
 * sameDecimal(decimalOf('1.50'), decimalOf('15e-1')); // → true
 * sameDecimal(decimalOf('0.1'), decimalOf('0.1000000000000000000001')); // → false
 * ```
 */
export function sameDecimal(left: DecimalText, right: DecimalText): boolean {
  return new Exact(left).eq(new Exact(right));
}

/** The common notation, which can be truncated without arithmetic. */
const PLAIN = /^(\d+)(?:\.(\d+))?$/;

/**
 * Whole base units (satoshi for 8 decimals) of an amount in coin units, truncated as in KDF.
 *
 * @example
 * ```ts
 * import { decimalOf, toBaseUnits } from 'swapfold/htlc';
 *
 * toBaseUnits(decimalOf('2.400000019')); // → 240_000_001n
 * toBaseUnits(decimalOf('2.4'), 18); // → 2_400_000_000_000_000_000n
 * ```
 */
export function toBaseUnits(amount: DecimalText, decimals = 8): bigint {
  const plain = PLAIN.exec(amount);
  if (plain !== null) {
    const [, whole = '', part = ''] = plain;
    return BigInt(whole + part.slice(0, decimals).padEnd(decimals, '0'));
  }
  return BigInt(new Exact(amount).shiftedBy(decimals).integerValue(BigNumber.ROUND_DOWN).toFixed());
}

const ZERO_DIGIT = 0x30;

/**
 * Coin units of a count of base units: `150000000n` is `1.5` for 8 decimals.
 *
 * @example
 * ```ts
 * import { fromBaseUnits } from 'swapfold/htlc';
 *
 * fromBaseUnits(150_000_000n); // → '1.5'
 * fromBaseUnits(-7n, 6); // → '-0.000007'
 * ```
 */
export function fromBaseUnits(units: bigint, decimals = 8): DecimalText {
  if (units < 0n) return `-${fromBaseUnits(-units, decimals)}` as DecimalText;
  const digits = units.toString().padStart(decimals + 1, '0');
  let end = digits.length;
  const point = end - decimals;
  while (end > point && digits.charCodeAt(end - 1) === ZERO_DIGIT) end -= 1;
  return (
    end === point ? digits.slice(0, point) : `${digits.slice(0, point)}.${digits.slice(point, end)}`
  ) as DecimalText;
}
