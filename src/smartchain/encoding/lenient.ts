import { hexToBytes, isHex } from '../../primitives/hex.ts';
import { skipSpaces } from './spaces.ts';

const ID_DIGITS = 64;
const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);
/** Digits of the largest number of 64 bits. */
const INT64_DIGITS = 19;
/** Larger exponents are cut to this: more than the length of any text, so nothing changes but the arithmetic stays exact. */
const LARGEST_EXPONENT = 2 ** 40;

/** True for a text of hex digits of either case, two for each byte and at least one byte: what createmultisig takes as a key. */
export function isStrictHex(text: string): boolean {
  return text.length > 0 && isHex(text);
}

/**
 * Bytes of a hex text as the smart-chain node reads them where it never complains: it stops at the first character that is no
 * hex digit, drops a last digit without its pair, and passes over white space between bytes.
 */
export function lenientHex(text: string): Uint8Array {
  // Reads megabytes of plain hex at once.
  if (isHex(text)) return hexToBytes(text);
  const bytes = new Uint8Array(text.length >> 1);
  let count = 0;
  for (let index = skipSpaces(text, 0); ; index = skipSpaces(text, index + 2)) {
    const high = hexDigit(text, index);
    const low = hexDigit(text, index + 1);
    if (high < 0 || low < 0) return bytes.slice(0, count);
    bytes[count] = high * 16 + low;
    count += 1;
  }
}

/**
 * A token id as the token methods read it, 64 lower-case hex digits: zeros for any text that is not 64 hex digits. (The node
 * reads beyond its buffer when 64 characters are not all hex; here that gives zeros too.)
 */
export function lenientTokenId(text: string): string {
  return text.length === ID_DIGITS && isHex(text) ? text.toLowerCase() : '0'.repeat(ID_DIGITS);
}

/**
 * A hash as uint256S reads it, 64 lower-case hex digits: white space and 0x at the start are passed over, the hex digits up to
 * the first other character are put to the right. Of more than 64 digits the last 64 count; of none, the hash is zero.
 */
export function lenientHash(text: string): string {
  let start = skipSpaces(text, 0);
  if (text[start] === '0' && (text[start + 1] === 'x' || text[start + 1] === 'X')) start += 2;
  let end = start;
  while (hexDigit(text, end) >= 0) end++;
  return text
    .slice(Math.max(start, end - ID_DIGITS), end)
    .toLowerCase()
    .padStart(ID_DIGITS, '0');
}

/**
 * A whole number as C's atoll reads it: white space and a sign at the start, digits up to the first other character; 0 when
 * there are none. Numbers beyond 64 bits become the nearest of 64 bits.
 */
export function atoll(text: string): bigint {
  const { negative, at } = readSign(text, skipSpaces(text, 0));
  const end = skipDigits(text, at);
  const first = skipZeros(text, at);
  if (end - first > INT64_DIGITS) return negative ? INT64_MIN : INT64_MAX;
  const value = BigInt(text.slice(first, end));
  if (negative) return value > -INT64_MIN ? INT64_MIN : -value;
  return value > INT64_MAX ? INT64_MAX : value;
}

/** The arithmetic of {@link supplySatoshis}. */
export type SupplyOptions = {
  /**
   * Lose the satoshi that the smart-chain node's floating point loses, as in 8.2, which it takes for 819999999 satoshis.
   *
   * @defaultValue false
   */
  readonly doubleRounding?: boolean;
};

/**
 * Satoshis of a token supply in coins, a fraction of a satoshi cut off. The text is accepted as strtod accepts decimal numbers:
 * white space and a sign at the start, an exponent, and anything behind the number; a text without digits is 0. What does not
 * fit 64 bits gives -2^63, as the node's conversion does, so a rule that wants a positive supply refuses it.
 *
 * The hexadecimal, infinite and not-a-number spellings of strtod are not taken: they give 0.
 */
export function supplySatoshis(text: string, options: SupplyOptions = {}): bigint {
  const number = readDecimal(text);
  if (number === undefined) return 0n;
  return options.doubleRounding === true ? satoshisByDoubles(number.text) : exactSatoshis(number);
}

/**
 * The smart-chain node's arithmetic, with all its rounding: the one place where an amount is a floating-point number. `text`
 * must be a decimal number that Number reads.
 */
function satoshisByDoubles(text: string): bigint {
  const satoshis = Math.trunc(Number(text) * 1e8 + 0.00000000499999);
  return Math.abs(satoshis) < 2 ** 63 ? BigInt(satoshis) : INT64_MIN;
}

type DecimalNumber = {
  /** The number with its sign, without what stands around it. */
  readonly text: string;
  readonly negative: boolean;
  /** All digits, without the point. */
  readonly digits: string;
  /** How many of the digits stand before the point once the exponent is applied; may be negative or beyond the digits. */
  readonly point: number;
};

/** The decimal number at the start of a text, undefined when there is none. Takes one pass: texts may be megabytes long. */
function readDecimal(text: string): DecimalNumber | undefined {
  const start = skipSpaces(text, 0);
  const { negative, at } = readSign(text, start);
  const wholeEnd = skipDigits(text, at);
  const whole = text.slice(at, wholeEnd);
  const fractionEnd = text[wholeEnd] === '.' ? skipDigits(text, wholeEnd + 1) : wholeEnd;
  const digits = whole + text.slice(wholeEnd + 1, fractionEnd);
  if (digits === '') return undefined;
  const exponent = readExponent(text, fractionEnd);
  return { text: text.slice(start, exponent.end), negative, digits, point: whole.length + exponent.value };
}

function readExponent(text: string, from: number): { readonly value: number; readonly end: number } {
  if (text[from] !== 'e' && text[from] !== 'E') return { value: 0, end: from };
  const { negative, at } = readSign(text, from + 1);
  const end = skipDigits(text, at);
  // An e without digits belongs to what stands behind the number.
  if (end === at) return { value: 0, end: from };
  const size = Math.min(Number(text.slice(at, end)), LARGEST_EXPONENT);
  return { value: negative ? -size : size, end };
}

function exactSatoshis({ negative, digits, point }: DecimalNumber): bigint {
  const first = skipZeros(digits, 0);
  const count = point + 8 - first;
  if (first === digits.length || count <= 0) return 0n;
  if (count > INT64_DIGITS) return INT64_MIN;
  const size = BigInt(digits.slice(first, first + count).padEnd(count, '0'));
  if (size > INT64_MAX) return INT64_MIN;
  return negative ? -size : size;
}

function readSign(text: string, from: number): { readonly negative: boolean; readonly at: number } {
  const signed = text[from] === '-' || text[from] === '+';
  return { negative: text[from] === '-', at: signed ? from + 1 : from };
}

function skipDigits(text: string, from: number): number {
  let index = from;
  while (text.charCodeAt(index) >= 0x30 && text.charCodeAt(index) <= 0x39) index++;
  return index;
}

function skipZeros(text: string, from: number): number {
  let index = from;
  while (text.charCodeAt(index) === 0x30) index++;
  return index;
}

/** Value of the hex digit at `index`, -1 for any other character and beyond the end. */
function hexDigit(text: string, index: number): number {
  const code = text.charCodeAt(index);
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return code < 0x80 && letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
