import { isAscii } from 'node:buffer';
import { type JsonValue, parseJson } from '../../primitives/json.ts';
import { parseJsonParts } from '../../primitives/json-parts.ts';
import { inTurns, type Steps } from '../../smartchain/turns.ts';

/** Longest body of a request, in bytes: 32 MiB. */
export const MAX_BODY_BYTES = 0x0200_0000;

/** Bytes above which a body is looked at before it is read, and read in parts. */
const LONG = 0x1_0000;

/** Bytes above which numbers may have to be whole: others take a slower reader. */
const LONG_FOR_NUMBERS = 0x20_0000;

export type BodyBounds = {
  /** Most values, each comma, opening bracket and brace counted for one. */
  readonly values: number;
  /** Whether a body above 2 MiB may hold whole numbers of at most 15 digits alone. */
  readonly wholeNumbers: boolean;
};

/**
 * The value of a body of JSON in UTF-8. A long one is looked at first, and then read, in turns with all else of the process.
 *
 * @throws BodyTooFull for one with too many values or numbers; what the parser throws, which may quote the body
 */
export async function readBody(body: string | Uint8Array, bounds: BodyBounds): Promise<JsonValue> {
  if (isShort(body)) return readShortBody(body);
  const problem = await inTurns(boundSteps(typeof body === 'string' ? new TextEncoder().encode(body) : body, bounds));
  if (problem !== undefined) throw new BodyTooFull(problem);
  return inTurns(parseJsonParts(typeof body === 'string' ? body : textOf(body)));
}

/** Whether a body may be read by {@link readShortBody}: one of nearly all calls. */
export function isShort(body: string | Uint8Array): boolean {
  return body.length <= LONG;
}

/** The same as {@link readBody} for a short one, at once. @throws what the parser throws, which may quote the body */
export function readShortBody(body: string | Uint8Array): JsonValue {
  return parseJson(typeof body === 'string' ? body : textOf(body));
}

/** A body holds more than is read of one; its message quotes none of it. */
export class BodyTooFull extends Error {}

/** @throws TypeError for what is not UTF-8 */
function textOf(bytes: Uint8Array): string {
  if (!isAscii(bytes)) return UTF_8.decode(bytes);
  // Nearly all calls; a decoder takes several times as long to find the same.
  const buffer = bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return buffer.toString('latin1');
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Comma, opening bracket and brace. */
const SEPARATORS: ReadonlySet<number> = new Set([0x2c, 0x5b, 0x7b]);
/** Point, and both signs of an exponent. */
const FINE: ReadonlySet<number> = new Set([0x2e, 0x45, 0x65]);
const MINUS = 0x2d;
const MOST_DIGITS = 15;
const BYTES_A_STEP = 0x4_0000;

/** By what a body is out of bounds; undefined where it is not. Whether it is JSON is not looked at. */
function* boundSteps(bytes: Uint8Array, { values: most, wholeNumbers }: BodyBounds): Steps<string | undefined> {
  const plain = wholeNumbers && bytes.length > LONG_FOR_NUMBERS;
  let values = 0;
  let digits = 0;
  let isText = false;
  for (let index = 0; index < bytes.length; index++) {
    if (index % BYTES_A_STEP === 0) yield;
    const byte = bytes[index] as number;
    if (isText) {
      if (byte === BACKSLASH) index++;
      else if (byte === QUOTE) isText = false;
      continue;
    }
    const isFine = byte === MINUS || (digits > 0 && FINE.has(byte));
    digits = byte >= 0x30 && byte <= 0x39 ? digits + 1 : 0;
    if (plain && (isFine || digits > MOST_DIGITS))
      return `a body above ${LONG_FOR_NUMBERS} bytes may hold only whole numbers of at most ${MOST_DIGITS} digits`;
    if (byte === QUOTE) isText = true;
    else if (SEPARATORS.has(byte)) values++;
    if (values > most) return `a body may hold at most ${most} values`;
  }
  return undefined;
}
