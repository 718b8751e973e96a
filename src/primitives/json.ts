import { isSafeNumber, LosslessNumber, parse as parseLossless, stringify as stringifyLossless } from 'lossless-json';
import { SwapfoldError } from './error.ts';

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject | LosslessNumber;
export type JsonObject = { readonly [key: string]: JsonValue | undefined };

/** Deepest nesting of objects and arrays that {@link parseJson} accepts; stored swaps need nine. */
export const MAX_JSON_DEPTH = 64;

// Any number token that a double might not give back as written: a fraction, an exponent, a minus zero or over 15 digits.
// A quick sieve: it also hits digits inside of texts, which the slower look below then tells apart.
const DELICATE_NUMBER = /[:[,\s]-?\d+(?:[.eE]|\d{15})|^-?\d+(?:[.eE]|\d{15})|(?:^|[:[,\s])-0/;
/**
 * Parses JSON without losing a digit: a number that a double cannot give back as written arrives as a LosslessNumber.
 *
 * @throws SyntaxError for text that is not JSON; SwapfoldError TOO_DEEP or FORBIDDEN_KEY for JSON that no release wrote.
 */
export function parseJson(text: string): JsonValue {
  const value = holdsDelicateNumber(text)
    ? (parseLossless(text, undefined, exactNumber) as JsonValue)
    : (JSON.parse(text) as JsonValue);
  checkTree(value, MAX_JSON_DEPTH, []);
  return value;
}

function holdsDelicateNumber(text: string): boolean {
  if (!DELICATE_NUMBER.test(text)) return false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfText(text, index);
    else if (code === MINUS || (code >= ZERO && code <= NINE)) {
      const end = endOfNumber(text, index);
      if (isDelicate(text, { from: index, to: end })) return true;
      index = end - 1;
    }
  }
  return false;
}

const QUOTE = 0x22;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const BACKSLASH = 0x5c;

/** Position of the quote that ends the text which starts at `from`, or of the last character. */
function endOfText(text: string, from: number): number {
  let index = from + 1;
  while (index < text.length && text.charCodeAt(index) !== QUOTE) index += text.charCodeAt(index) === BACKSLASH ? 2 : 1;
  return index;
}

function endOfNumber(text: string, from: number): number {
  let index = from + 1;
  while (index < text.length && /[0-9.eE+-]/.test(text[index] as string)) index++;
  return index;
}

function isDelicate(text: string, { from, to }: { readonly from: number; readonly to: number }): boolean {
  const number = text.slice(from, Math.min(to, from + 32));
  return number.length > 15 || /[.eE]|^-0/.test(number);
}

/** Refuses what would harm code that walks the tree: nesting without bound, and a member that stands for the prototype. */
function checkTree(value: unknown, depth: number, path: readonly (string | number)[]): void {
  if (typeof value !== 'object' || value === null || value instanceof LosslessNumber) return;
  if (depth === 0) throw treeError('TOO_DEEP', `nested more than ${MAX_JSON_DEPTH} levels deep`, path);
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      if (typeof value[index] === 'object') checkTree(value[index], depth - 1, [...path, index]);
    }
    return;
  }
  for (const key of Object.keys(value)) {
    if (key === '__proto__') throw treeError('FORBIDDEN_KEY', 'with a member named __proto__', [...path, key]);
    const member = (value as Record<string, unknown>)[key];
    if (typeof member === 'object') checkTree(member, depth - 1, [...path, key]);
  }
}

function treeError(
  code: 'TOO_DEEP' | 'FORBIDDEN_KEY',
  what: string,
  path: readonly (string | number)[],
): SwapfoldError {
  const place = path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  return new SwapfoldError(`The JSON is ${what}, which no release wrote.`, {
    code,
    facts: { place: place.slice(0, 200) },
    next: 'Ask the writer of the file for the original.',
  });
}

function exactNumber(text: string): number | LosslessNumber {
  const value = Number(text);
  return isSafeNumber(text) && String(value) === text ? value : new LosslessNumber(text);
}

/** Compact JSON of a value that {@link parseJson} may have made; absent (`undefined`) members are left out. */
export function stringifyJson(value: unknown, indent?: number): string {
  return (
    (holdsLossless(value) ? stringifyLossless(value, undefined, indent) : JSON.stringify(value, null, indent)) ?? 'null'
  );
}

function holdsLossless(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (value instanceof LosslessNumber) return true;
  for (const member of Object.values(value)) if (holdsLossless(member)) return true;
  return false;
}

/**
 * JSON in one canonical form: members in the order of their UTF-16 code units, no white space, no absent members.
 * Equal values give equal bytes, whatever wrote them (the ordering of RFC 8785; numbers stay as written).
 */
export function canonicalJson(value: unknown): string {
  return stringifyJson(sortMembers(value));
}

function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (typeof value !== 'object' || value === null || value instanceof LosslessNumber) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  members.sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0));
  return Object.fromEntries(members.map(([key, member]) => [key, sortMembers(member)]));
}

/** The number's text where the value is a JSON number of either representation. */
export function numberText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return value instanceof LosslessNumber ? value.value : undefined;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof LosslessNumber);
}

export { LosslessNumber };
