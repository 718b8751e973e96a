import type { Rng } from '../../sim/xorshift.ts';

// Damage to stored text, quick enough for millions of inputs: no parsing, a few slices for each.

type Damage = (text: string, rng: Rng) => string;

const INSERTED_VALUES = [
  'null',
  'true',
  '-1',
  '0',
  '1e999',
  '-0.0',
  '1e-400',
  '18446744073709551616',
  '9007199254740993',
  `1${'0'.repeat(400)}`,
  `0.${'1'.repeat(2000)}`,
  '""',
  '"\\u0000"',
  '"\\ud800"',
  '"0x00"',
  '"NaN"',
  '{}',
  '[]',
  '[[]]',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{}}}',
  `"${'a'.repeat(5000)}"`,
  `${'['.repeat(600)}${']'.repeat(600)}`,
  `${'{"a":'.repeat(300)}1${'}'.repeat(300)}`,
];

const INSERTED_MEMBERS = [
  '"__proto__":{"polluted":true},',
  '"constructor":1,',
  '"type":"Taker",',
  '"type":"Maker",',
  '"events":[],',
  '"uuid":null,',
  '"timestamp":-1,',
  '"data":[],',
  '"toString":0,',
  '"":"",',
];

const ODD_CHARACTERS = [
  '\u0000',
  '\ud800',
  '\udfff',
  '\ufffd',
  '\ufeff',
  '\u0130',
  '\u2028',
  '"',
  '\\',
  '{',
  ']',
  ',',
  ':',
];

const DEEP = [100, 3000, 30_000].map((depth) => '['.repeat(depth));

function spot(text: string, rng: Rng): number {
  return rng.below(text.length + 1);
}

function splice(text: string, { at, remove, put }: { at: number; remove: number; put: string }): string {
  return text.slice(0, at) + put + text.slice(at + remove);
}

function oneOf<Item>(items: readonly Item[], rng: Rng): Item {
  return items[rng.below(items.length)] as Item;
}

/** Where a value starts behind some colon at or after a random spot; the end of the text where there is none. */
function someValue(text: string, rng: Rng): number {
  const from = spot(text, rng);
  const colon = text.indexOf(':', from);
  return colon < 0 ? text.length : colon + 1;
}

/** Where the scalar that starts at `from` ends; `from` itself for an array or object. */
function endOfScalar(text: string, from: number): number {
  const first = text.charCodeAt(from);
  if (first === 0x22) {
    const end = text.indexOf('"', from + 1);
    return end < 0 ? text.length : end + 1;
  }
  if (first === 0x7b || first === 0x5b) return from;
  let end = from;
  for (let code = first; code !== 0x2c && code !== 0x7d && code !== 0x5d && end < text.length; )
    code = text.charCodeAt(++end);
  return end;
}

const DAMAGES: readonly Damage[] = [
  function flipBit(text, rng) {
    const at = rng.below(text.length);
    const put = String.fromCharCode(text.charCodeAt(at) ^ (1 << rng.below(8)));
    return splice(text, { at, remove: 1, put });
  },
  function truncate(text, rng) {
    return text.slice(0, spot(text, rng));
  },
  function cutOut(text, rng) {
    return splice(text, { at: spot(text, rng), remove: 1 + rng.below(200), put: '' });
  },
  function repeatPart(text, rng) {
    const from = spot(text, rng);
    return splice(text, { at: spot(text, rng), remove: 0, put: text.slice(from, from + rng.below(500)) });
  },
  function oddCharacter(text, rng) {
    return splice(text, { at: spot(text, rng), remove: rng.below(2), put: oneOf(ODD_CHARACTERS, rng) });
  },
  function otherDigit(text, rng) {
    const from = spot(text, rng);
    for (let at = from; at < text.length && at < from + 200; at++) {
      const code = text.charCodeAt(at);
      if (code >= 0x30 && code <= 0x39) return splice(text, { at, remove: 1, put: String(rng.below(10)) });
    }
    return text;
  },
  function otherValue(text, rng) {
    const at = someValue(text, rng);
    return splice(text, { at, remove: endOfScalar(text, at) - at, put: oneOf(INSERTED_VALUES, rng) });
  },
  function otherMember(text, rng) {
    const brace = text.indexOf('{', spot(text, rng));
    return brace < 0 ? text : splice(text, { at: brace + 1, remove: 0, put: oneOf(INSERTED_MEMBERS, rng) });
  },
  function repeatMember(text, rng) {
    const quote = text.indexOf(',"', spot(text, rng));
    const next = quote < 0 ? -1 : text.indexOf(',"', quote + 2);
    return next < 0 ? text : splice(text, { at: next, remove: 0, put: text.slice(quote, next) });
  },
  function dropMember(text, rng) {
    const quote = text.indexOf(',"', spot(text, rng));
    const next = quote < 0 ? -1 : text.indexOf(',"', quote + 2);
    return next < 0 ? text : splice(text, { at: quote, remove: next - quote, put: '' });
  },
  function wrapValue(text, rng) {
    const at = someValue(text, rng);
    const end = endOfScalar(text, at);
    const [open, close] = oneOf(
      [
        ['[', ']'],
        ['{"a":', '}'],
        ['"', '"'],
        [' \t\r\n', '\f'],
      ] as const,
      rng,
    );
    return splice(text, { at, remove: end - at, put: open + text.slice(at, end) + close });
  },
  function deepNesting(text, rng) {
    return splice(text, { at: someValue(text, rng), remove: 0, put: oneOf(DEEP, rng) });
  },
];

/** Names of what {@link mutateText} may do. */
export const textDamages: readonly string[] = DAMAGES.map(({ name }) => name);

/**
 * The text with one to three random damages: flipped bits, cuts, repeats, odd characters, values of other types, huge numbers,
 * deep nesting, repeated, missing and dangerous members. Equal numbers from the generator give equal damage. Takes a few
 * microseconds for a text of some kilobytes. The empty text stays empty.
 *
 * @example
 * ```ts
 * import { mutateText, xorshift32 } from 'swapfold/testing';
 *
 * const damaged = mutateText('{"uuid":null}', xorshift32(7));
 * damaged === '{"uuid":null}'; // → false
 * mutateText('{"uuid":null}', xorshift32(7)) === damaged; // → true
 * ```
 */
export function mutateText(text: string, rng: Rng): string {
  let damaged = text;
  for (let rounds = 1 + (rng.below(4) === 0 ? rng.below(3) : 0); rounds > 0 && damaged.length > 0; rounds--) {
    damaged = oneOf(DAMAGES, rng)(damaged, rng);
  }
  return damaged;
}

/** Bytes that are no UTF-8: a lone continuation, a cut-off sequence, an overlong slash, a surrogate, and above U+10FFFF. */
const INVALID_UTF8 = [[0x80], [0xe2, 0x82], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xff]].map(
  (bytes) => Uint8Array.from(bytes),
);

/**
 * A copy of the bytes with one random damage: a flipped bit, a cut, bytes that are no UTF-8, or a run of one byte. The given
 * bytes stay as they are; no bytes stay none.
 *
 * @example
 * ```ts
 * import { mutateBytes, xorshift32 } from 'swapfold/testing';
 *
 * const bytes = new TextEncoder().encode('{"uuid":null}');
 * const damaged = mutateBytes(bytes, xorshift32(7));
 * Buffer.compare(damaged, bytes) === 0; // → false
 * Buffer.compare(damaged, mutateBytes(bytes, xorshift32(7))); // → 0
 * mutateBytes(new Uint8Array(0), xorshift32(7)).length; // → 0
 * ```
 */
export function mutateBytes(bytes: Uint8Array, rng: Rng): Uint8Array {
  if (bytes.length === 0) return bytes;
  const at = rng.below(bytes.length);
  const way = rng.below(4);
  if (way === 0) return bytes.slice(0, at);
  const copy = bytes.slice();
  if (way === 1) copy[at] = (copy[at] as number) ^ (1 << rng.below(8));
  else if (way === 2) copy.set(oneOf(INVALID_UTF8, rng).subarray(0, bytes.length - at), at);
  else copy.fill(rng.below(256), at, at + 1 + rng.below(16));
  return copy;
}
