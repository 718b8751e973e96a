import { MAX_DECIMAL_LENGTH } from '../../primitives/decimal.ts';
import { ABSENT, FALSE, LazyRecord, type LazyRecordClass, lazyRecordClass, NULL, NUMBER, TRUE } from './lazy.ts';
import type { MemberKind, TemplateMember } from './template.ts';
import type { ScanMemory } from './wasm-hex.ts';

/** What a scan answers where the bytes are not in the canonical form: the parser then has its say. */
export const NOT_CANONICAL = -1;

const QUOTE = 0x22;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const BACKSLASH = 0x5c;
const CLOSING_BRACE = 0x7d;
const LOWER_N = 0x6e;

/** What may follow a backslash in a text, but for the four digits of a code unit. */
const IS_SHORT_ESCAPE = new Uint8Array(256);
for (const letter of '"\\/bfnrt') IS_SHORT_ESCAPE[letter.charCodeAt(0)] = 1;

/** Most digits of a number that is read quickly: fewer than any number that a double might not give back as written. */
const MAX_DIGITS = 15;

const MAX_SLOTS = 128;

type MemberPlan = {
  readonly literal: number;
  readonly length: number;
  readonly kind: MemberKind;
  readonly nullable: boolean;
  readonly optional: boolean;
  readonly nested: readonly MemberPlan[];
};

/** A template laid out for scanning. */
export type RecordPlan = { readonly members: readonly MemberPlan[]; readonly make: LazyRecordClass };

export type PayloadScanner = {
  /** Lays a template out; undefined where its first member may be absent. */
  readonly plan: (template: readonly TemplateMember[]) => RecordPlan | undefined;
  /** The end of the record that starts at `at`, or {@link NOT_CANONICAL}; the record itself is then in `record`. */
  readonly scan: (plan: RecordPlan, at: number, until: number) => number;
  /** The record found by the latest scan. */
  readonly record: () => LazyRecord;
  /** The end of a run of decimal digits without leading zeros, at most 15; its value is then in `number`. */
  readonly digits: (at: number) => number;
  readonly number: () => number;
  /** The end of a hyphenated lower-case UUID. */
  readonly uuid: (at: number) => number;
};

/** Scans payloads that are objects with the members of a schema in its order and no white space. */
export function createPayloadScanner(memory: ScanMemory): PayloadScanner {
  const { same, hexRun, literal } = memory;
  const quotedTrue = literal('true');
  const quotedFalse = literal('false');
  const quotedNull = literal('null');
  let latest = new LazyRecord(memory, [], { start: 0, end: 0 });
  let value = 0;
  let escaped = false;
  // Slots of the record under the scan, cut to size when it is found: a list that grows is copied several times.
  const slots: number[] = Array<number>(MAX_SLOTS).fill(0);
  let noted = 0;

  const note = (first: number, second: number): void => {
    slots[noted] = first;
    slots[noted + 1] = second;
    noted += 2;
  };

  const layOut = (members: readonly TemplateMember[]): MemberPlan[] =>
    members.map(({ name, kind, nullable, optional, members: nested }, index) => {
      const key = `${index === 0 ? '{' : ','}"${name}":`;
      return { literal: literal(key), length: key.length, kind, nullable, optional, nested: layOut(nested) };
    });

  const digits = (at: number): number => {
    const { bytes } = memory;
    let position = at;
    let sum = 0;
    for (; ; position++) {
      const digit = (bytes[position] as number) - ZERO;
      if (digit < 0 || digit > 9) break;
      sum = sum * 10 + digit;
    }
    const length = position - at;
    if (length === 0 || length > MAX_DIGITS || (length > 1 && bytes[at] === ZERO)) return NOT_CANONICAL;
    value = sum;
    return position;
  };

  const plainText = (at: number): number => {
    const { bytes } = memory;
    escaped = false;
    for (let position = at; ; position++) {
      const byte = bytes[position] as number;
      if (byte === QUOTE) return position;
      if (byte < 0x20 || byte > 0x7e) return NOT_CANONICAL;
      if (byte !== BACKSLASH) continue;
      escaped = true;
      position++;
      if (IS_SHORT_ESCAPE[bytes[position] as number] !== 1) return NOT_CANONICAL;
    }
  };

  const decimalText = (at: number): number => {
    const { bytes } = memory;
    let position = at;
    let dots = 0;
    for (; ; position++) {
      const byte = bytes[position] as number;
      if (byte === DOT && dots === 0 && position > at) dots = 1;
      else if (byte < ZERO || byte > NINE) break;
    }
    return position === at || position - at > MAX_DECIMAL_LENGTH ? NOT_CANONICAL : position;
  };

  const hexText = (at: number, until: number, length: number): number => {
    const end = hexRun(at, until);
    return length === 0 ? (((end - at) & 1) === 0 ? end : NOT_CANONICAL) : end - at === length ? end : NOT_CANONICAL;
  };

  const uuid = (at: number): number => {
    const { bytes } = memory;
    const hyphens =
      bytes[at + 8] === 0x2d && bytes[at + 13] === 0x2d && bytes[at + 18] === 0x2d && bytes[at + 23] === 0x2d;
    return hyphens &&
      hexRun(at, at + 8) === at + 8 &&
      hexRun(at + 9, at + 13) === at + 13 &&
      hexRun(at + 14, at + 18) === at + 18 &&
      hexRun(at + 19, at + 23) === at + 23 &&
      hexRun(at + 24, at + 36) === at + 36
      ? at + 36
      : NOT_CANONICAL;
  };

  /** The end of a text of the given kind, whose first byte after the quotation mark is at `at`. */
  const textOf = (kind: MemberKind, at: number, until: number): number => {
    switch (kind) {
      case 'text':
        return plainText(at);
      case 'hex':
        return hexText(at, until, 0);
      case 'hex64':
        return hexText(at, until, 64);
      case 'hex66':
        return hexText(at, until, 66);
      case 'decimal':
        return decimalText(at);
      case 'uuid':
        return uuid(at);
      default:
        return NOT_CANONICAL;
    }
  };

  /** Scans a value, notes it in two slots, and answers its end. */
  const scanValue = (member: MemberPlan, at: number, until: number): number => {
    const { bytes } = memory;
    if (bytes[at] === LOWER_N) {
      if (!member.nullable || same(at, quotedNull, 4) === 0) return NOT_CANONICAL;
      note(0, NULL);
      return at + 4;
    }
    if (member.kind === 'whole') {
      const end = digits(at);
      note(value, NUMBER);
      return end;
    }
    if (member.kind === 'flag') {
      const yes = same(at, quotedTrue, 4) === 1;
      if (!yes && same(at, quotedFalse, 5) === 0) return NOT_CANONICAL;
      note(0, yes ? TRUE : FALSE);
      return at + (yes ? 4 : 5);
    }
    if (member.kind === 'record') {
      const before = noted;
      const end = scanMembers(member.nested, at, until);
      noted = before;
      note(at, end);
      return end;
    }
    if (bytes[at] !== QUOTE) return NOT_CANONICAL;
    const end = textOf(member.kind, at + 1, until);
    if (end < 0 || bytes[end] !== QUOTE) return NOT_CANONICAL;
    if (escaped && member.kind === 'text') note(-at, end + 1);
    else note(at + 1, end);
    return end + 1;
  };

  const scanMembers = (members: readonly MemberPlan[], at: number, until: number): number => {
    let position = at;
    for (const member of members) {
      if (same(position, member.literal, member.length) === 0) {
        if (!member.optional) return NOT_CANONICAL;
        note(0, ABSENT);
        continue;
      }
      position = scanValue(member, position + member.length, until);
      if (position < 0) return NOT_CANONICAL;
    }
    return memory.bytes[position] === CLOSING_BRACE ? position + 1 : NOT_CANONICAL;
  };

  return {
    plan(template) {
      if (template[0]?.optional !== false) return undefined;
      const make = lazyRecordClass(template.map(({ name, kind }) => ({ name, nested: kind === 'record' })));
      return { members: layOut(template), make };
    },
    scan(plan, at, until) {
      noted = 0;
      const end = scanMembers(plan.members, at, until);
      if (end < 0) return NOT_CANONICAL;
      latest = new plan.make(memory, slots.slice(0, noted), { start: at, end });
      return end;
    },
    record: () => latest,
    digits,
    number: () => value,
    uuid,
  };
}
