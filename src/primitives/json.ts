import { isSafeNumber, LosslessNumber, parse as parseLossless } from 'lossless-json';
import { SwapfoldError } from './error.ts';
import { remembering } from './remember.ts';

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject | LosslessNumber;
export type JsonObject = { readonly [key: string]: JsonValue | undefined };

/** Deepest nesting of objects and arrays that {@link parseJson} accepts; stored swaps need nine. */
export const MAX_JSON_DEPTH = 64;

/**
 * Parses JSON without losing a digit: a number that a double cannot represent exactly becomes a LosslessNumber.
 *
 * @throws SyntaxError for text that is not JSON; SwapfoldError TOO_DEEP or FORBIDDEN_KEY for JSON that no release
 * wrote.
 */
export function parseJson(text: string): JsonValue {
  return parseJsonPart(text, { path: [] });
}

/** The path of a value inside another. */
export type JsonPath = readonly (string | number)[];

export type JsonPlace = { readonly path: JsonPath; readonly before?: number };

/** The same for a value inside a longer text; for a list, the number of elements before it. */
export function parseJsonPart(text: string, { path, before = 0 }: JsonPlace): JsonValue {
  const value = holdsDelicateNumber(text)
    ? (parseLossless(text, undefined, exactNumber) as JsonValue)
    : (JSON.parse(text) as JsonValue);
  const fault = faultInTree(value, MAX_JSON_DEPTH - path.length);
  if (fault === undefined) return value;
  const [first, ...rest] = fault.path;
  const below = first === undefined ? [] : [typeof first === 'number' ? first + before : first, ...rest];
  throw treeError({ code: fault.code, path: [...path, ...below] });
}

/**
 * Whether the text holds a number that a double might not represent exactly: a fraction, an exponent, a minus zero or
 * more than 15 digits.
 */
function holdsDelicateNumber(text: string): boolean {
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
/** Characters of numbers besides digits. */
const OF_NUMBERS: ReadonlySet<number> = new Set(Array.from('.eE+-', (letter) => letter.charCodeAt(0)));

/** Position of the quote that ends the string that starts at `from`, or the total length if none does. */
export function endOfText(text: string, from: number): number {
  // Most input is strings without escapes, which the engine's own search skips.
  for (let end = text.indexOf('"', from + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}

function endOfNumber(text: string, from: number): number {
  let index = from + 1;
  while (isOfNumber(text.charCodeAt(index))) index++;
  return index;
}

function isOfNumber(code: number): boolean {
  return (code >= ZERO && code <= NINE) || OF_NUMBERS.has(code);
}

function isDelicate(text: string, { from, to }: { readonly from: number; readonly to: number }): boolean {
  if (to - from > 15) return true;
  if (to - from === 1) return false;
  return /[.eE]|^-0/.test(text.slice(from, to));
}

type TreeFault = { readonly code: 'TOO_DEEP' | 'FORBIDDEN_KEY'; readonly path: (string | number)[] };

/** Finds what would harm code that walks the tree: unbounded nesting, and a member that names the prototype. */
function faultInTree(value: unknown, depth: number): TreeFault | undefined {
  if (typeof value !== 'object' || value === null || value instanceof LosslessNumber) return undefined;
  if (depth <= 0) return { code: 'TOO_DEEP', path: [] };
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const fault = typeof value[index] === 'object' ? faultInTree(value[index], depth - 1) : undefined;
      if (fault !== undefined) return below(index, fault);
    }
    return undefined;
  }
  for (const key of Object.keys(value)) {
    if (key === '__proto__') return { code: 'FORBIDDEN_KEY', path: [key] };
    const member = (value as Record<string, unknown>)[key];
    const fault = typeof member === 'object' ? faultInTree(member, depth - 1) : undefined;
    if (fault !== undefined) return below(key, fault);
  }
  return undefined;
}

/** Builds the path only when there is a fault. */
function below(step: string | number, { code, path }: TreeFault): TreeFault {
  return { code, path: [step, ...path] };
}

/** @throws SwapfoldError TOO_DEEP if the place may hold no object or list */
export function requireDepth(path: JsonPath): void {
  if (path.length >= MAX_JSON_DEPTH) throw treeError({ code: 'TOO_DEEP', path: [...path] });
}

function treeError({ code, path }: TreeFault): SwapfoldError {
  const what = code === 'TOO_DEEP' ? `nested more than ${MAX_JSON_DEPTH} levels deep` : 'with a member named __proto__';
  const place = path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  return new SwapfoldError(`The JSON is ${what}, which no release ever wrote.`, {
    code,
    facts: { place: place.slice(0, 200) },
    next: 'Ask the writer of the file for the original.',
  });
}

function exactNumber(text: string): number | LosslessNumber {
  const value = Number(text);
  return isSafeNumber(text) && String(value) === text ? value : new LosslessNumber(text);
}

/** Compact JSON of a value that {@link parseJson} may have returned; omits `undefined` members. */
export function stringifyJson(value: unknown, indent = 0): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'null';
  const text = holdsLossless(value)
    ? indent === 0
      ? compactText(value)
      : losslessText(value, ' '.repeat(indent))
    : JSON.stringify(value, null, indent);
  return text ?? 'null';
}

/** JSON that is written already: {@link stringifyJson} puts its text where it stands. For what is the same in many answers. */
export class WrittenJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

function holdsLossless(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (value instanceof LosslessNumber || value instanceof WrittenJson) return true;
  // A list of the members would cost more than iterating them.
  for (const key in value) if (holdsLossless((value as Record<string, unknown>)[key])) return true;
  return false;
}

/**
 * Hand-written, because the library of lossless numbers takes twice as long, and in few steps: each makes an object of its own
 * until the text is read. Undefined for what JSON omits.
 */
function compactText(value: unknown): string | undefined {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (value instanceof LosslessNumber) return value.value;
  if (value instanceof WrittenJson) return value.text;
  let text = '';
  if (Array.isArray(value)) {
    for (const item of value) text += (text === '' ? '[' : ',') + (compactText(item) ?? 'null');
    return text === '' ? '[]' : `${text}]`;
  }
  if ('toJSON' in value && typeof value.toJSON === 'function') return compactText(value.toJSON());
  for (const name of Object.keys(value)) {
    const member = compactText((value as Record<string, unknown>)[name]);
    if (member !== undefined) text += (text === '' ? firstStart(name) : nextStart(name)) + member;
  }
  return text === '' ? '{}' : `${text}}`;
}

/** The same over several lines. */
function losslessText(value: unknown, unit: string, line = '\n'): string | undefined {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (value instanceof LosslessNumber) return value.value;
  if (value instanceof WrittenJson) return value.text;
  const inner = line + unit;
  const next = (text: string): string => (text === '' ? inner : `,${inner}`);
  let text = '';
  if (Array.isArray(value)) {
    for (const item of value) text += next(text) + (losslessText(item, unit, inner) ?? 'null');
    return text === '' ? '[]' : `[${text}${line}]`;
  }
  if ('toJSON' in value && typeof value.toJSON === 'function') return losslessText(value.toJSON(), unit, line);
  for (const name of Object.keys(value)) {
    const member = losslessText((value as Record<string, unknown>)[name], unit, inner);
    if (member !== undefined) text += `${next(text)}${quotedName(name)}: ${member}`;
  }
  return text === '' ? '{}' : `{${text}${line}}`;
}

/** Only characters that JSON does not escape. */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}

/** Members of answers have few, short names; others may come from anywhere. */
const LONGEST_KEPT = 64;
const quotedAgain = remembering(quoted);
const firstAgain = remembering((name: string) => `{${quoted(name)}:`);
const nextAgain = remembering((name: string) => `,${quoted(name)}:`);

function quotedName(name: string): string {
  return name.length > LONGEST_KEPT ? quoted(name) : quotedAgain(name);
}

/** What stands before the first member of an object. */
function firstStart(name: string): string {
  return name.length > LONGEST_KEPT ? `{${quoted(name)}:` : firstAgain(name);
}

/** What stands before another member. */
function nextStart(name: string): string {
  return name.length > LONGEST_KEPT ? `,${quoted(name)}:` : nextAgain(name);
}

/**
 * JSON in one canonical form: members in the order of their UTF-16 code units, no white space, no absent members.
 * Equal values give equal bytes, whatever wrote them (the ordering of RFC 8785; numbers stay as written).
 */
export function canonicalJson(value: unknown): string {
  return canonicalText(value) ?? 'null';
}

/**
 * Written member by member: building a sorted copy of each object takes three times as long. Undefined for what JSON
 * omits.
 */
function canonicalText(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (value instanceof LosslessNumber) return value.value;
  let text = '';
  if (Array.isArray(value)) {
    for (const item of value) text += `${text === '' ? '' : ','}${canonicalText(item) ?? 'null'}`;
    return `[${text}]`;
  }
  for (const key of sortedNames(value)) {
    const member = canonicalText((value as Record<string, unknown>)[key]);
    if (member !== undefined) text += `${text === '' ? '' : ','}${quotedName(key)}:${member}`;
  }
  return `{${text}}`;
}

/**
 * Names that are list positions, such as `12`, come first and in numeric order, as in any JavaScript object: seals of
 * all releases rest on that.
 */
function sortedNames(value: object): readonly string[] {
  const names = Object.keys(value);
  const [first = ''] = names;
  names.sort();
  return first >= '0' && first < ':' ? Object.keys(Object.fromEntries(names.map((name) => [name, null]))) : names;
}

/** The number's text if the value is a JSON number of either representation. */
export function numberText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return value instanceof LosslessNumber ? value.value : undefined;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof LosslessNumber);
}

export { LosslessNumber };
