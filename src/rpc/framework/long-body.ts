import type { BodyBounds } from '../http/read-body.ts';

/** Bytes above which a body has to show the password before all of it is read. */
const LONG = 0x1_0000;

/** A thousand stored swaps, as clients import them, have some two million values. */
const PROVEN: BodyBounds = { values: 2_000_000, wholeNumbers: false };

/** What is read for somebody who shows no password: it holds the process for some ten milliseconds. */
const UNPROVEN: BodyBounds = { values: 100_000, wholeNumbers: false };

/**
 * How much is read of a body. Of a long one the first `userpass` in it is given to `enter`, which throws for a wrong one and counts it, before any more of
 * it is read; a long one without any is read as far as a call of a public method may go. @throws what `enter` throws
 */
export function boundsOf(body: string | Uint8Array, enter: (userpass: string) => void): BodyBounds {
  if (body.length <= LONG) return PROVEN;
  const userpass = firstUserpass(body);
  if (userpass === undefined) return UNPROVEN;
  enter(userpass);
  return PROVEN;
}

const MEMBER = '"userpass"';
const COLON = 0x3a;
/** What JSON takes for a blank. */
const BLANKS: ReadonlySet<number | undefined> = new Set([0x20, 0x09, 0x0a, 0x0d]);
/** A text of as many characters as a password may have. */
const TEXT = /^"(?:[^"\\]|\\.){0,1000}"/;
/** Most blanks on either side of the colon, and most texts of this name before the member: looking is for everybody. */
const MOST_BLANKS = 1000;
const MOST_NAMES = 1000;
/** Bytes of the longest such text, every character written as an escape. */
const MOST_TEXT = 6002;

/**
 * The text of the first member of this name, wherever it stands; undefined where that is no text, or a longer one. A text that merely
 * quotes the name has a backslash before the second mark.
 */
function firstUserpass(body: string | Uint8Array): string | undefined {
  const bytes =
    typeof body === 'string' ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  let at = 0;
  for (let names = 0; names < MOST_NAMES; names++) {
    const found = bytes.indexOf(MEMBER, at);
    if (found < 0) return undefined;
    at = behindBlanks(bytes, found + MEMBER.length);
    if (bytes[at] !== COLON) continue;
    const start = behindBlanks(bytes, at + 1);
    const [text] = TEXT.exec(bytes.toString('utf8', start, start + MOST_TEXT)) ?? [];
    return text === undefined ? undefined : textOf(text);
  }
  return undefined;
}

function behindBlanks(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at - from < MOST_BLANKS && BLANKS.has(bytes[at])) at++;
  return at;
}

function textOf(json: string): string | undefined {
  try {
    return String(JSON.parse(json));
  } catch {
    return undefined;
  }
}
