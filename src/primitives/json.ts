import { isSafeNumber, LosslessNumber, parse as parseLossless, stringify as stringifyLossless } from 'lossless-json';

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject | LosslessNumber;
export type JsonObject = { readonly [key: string]: JsonValue | undefined };

// Any number token that a double might not give back as written: a fraction, an exponent, a minus zero or over 15 digits.
// The look-behind keeps digits inside most strings out; a false hit only costs the slower parser.
const DELICATE_NUMBER = /[:[,\s]-?\d+(?:[.eE]|\d{15})|^-?\d+(?:[.eE]|\d{15})|[:[,\s]-0/;

/**
 * Parses JSON without losing a digit: a number that a double cannot give back as written arrives as a LosslessNumber.
 *
 * @throws SyntaxError for text that is not JSON, RangeError where the nesting is deeper than the engine's stack.
 */
export function parseJson(text: string): JsonValue {
  return DELICATE_NUMBER.test(text)
    ? (parseLossless(text, undefined, exactNumber) as JsonValue)
    : (JSON.parse(text) as JsonValue);
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
