import { NOT_CANONICAL } from './payload-scanner.ts';
import { NOTES_LENGTH, type ScanMemory } from './wasm-hex.ts';

// `Imported` records hold the head of a saved swap: a few members of the swap, and the lists of event names, which are
// the same in all swaps of a release. A replay needs none of it, only the certainty that the parser would take the line.

const LISTS =
  /^"success_events":\[(?:"\w{1,99}"(?:,"\w{1,99}")*)?\],"error_events":\[(?:"\w{1,99}"(?:,"\w{1,99}")*)?\]\},"roleGiven":(?:true|false)\}$/;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const LINE_FEED = 0x0a;
/** Part of the scanner's notes for the lists of the head seen last. */
const KEPT_AT = 4096;
/** What stands behind the head in a line: `,"hash":"<64 digits>"}`. */
const BEHIND = 75;

/** A scanner of the data of `Imported` records: answers their end, or {@link NOT_CANONICAL}. */
export function createHeadScanner(memory: ScanMemory): (at: number, until: number) => number {
  const { same, literal, text } = memory;
  const start = literal('{"head":{');
  const lists = literal('"success_events":');
  const none = literal('null,');
  const kept = memory.notes + KEPT_AT;
  const room = NOTES_LENGTH - KEPT_AT - 64;
  let keptLength = 0;

  const scanLists = (at: number, until: number): number => {
    if (keptLength > 0 && at + keptLength <= until && same(at, kept, keptLength) === 1) return at + keptLength;
    const end = memory.bytes.indexOf(LINE_FEED, at) - BEHIND;
    if (end <= at || end > until || end - at > room || !LISTS.test(text(at, end))) return NOT_CANONICAL;
    memory.bytes.copyWithin(kept, at, end);
    keptLength = end - at;
    return end;
  };

  /** The end of `"name":`, of lower-case letters and underscores, which is never `__proto__`. */
  const key = (at: number): number => {
    const { bytes } = memory;
    if (bytes[at] !== QUOTE || bytes[at + 1] === 0x5f) return NOT_CANONICAL;
    for (let position = at + 1; ; position++) {
      const byte = bytes[position] as number;
      if (byte === QUOTE) return bytes[position + 1] === COLON ? position + 2 : NOT_CANONICAL;
      if ((byte < 0x61 || byte > 0x7a) && byte !== 0x5f) return NOT_CANONICAL;
    }
  };

  /** The end of `"text",` whose characters cannot be taken for the start of a number. */
  const word = (at: number): number => {
    const { bytes } = memory;
    if (bytes[at] !== QUOTE) return NOT_CANONICAL;
    for (let position = at + 1; ; position++) {
      const byte = bytes[position] as number;
      if (byte === QUOTE) return bytes[position + 1] === COMMA ? position + 2 : NOT_CANONICAL;
      if (!isWordByte(byte)) return NOT_CANONICAL;
    }
  };

  return (at, until) => {
    if (same(at, start, 9) === 0) return NOT_CANONICAL;
    let position = at + 9;
    while (same(position, lists, 17) === 0) {
      position = key(position);
      if (position < 0) return NOT_CANONICAL;
      position = same(position, none, 5) === 1 ? position + 5 : word(position);
      if (position < 0) return NOT_CANONICAL;
    }
    return scanLists(position, until);
  };
}

/** Letters, digits and `- . _ +`: what ids, amounts, tickers and versions are made of. */
function isWordByte(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    (byte >= 0x61 && byte <= 0x7a) ||
    (byte >= 0x41 && byte <= 0x5a) ||
    byte === 0x2d ||
    byte === 0x2e ||
    byte === 0x5f ||
    byte === 0x2b
  );
}
