import { MAX_DECIMAL_LENGTH } from '../../primitives/decimal.ts';
import { ABSENT, FALSE, LazyRecord, type LazyRecordClass, lazyRecordClass, NULL, NUMBER, TRUE } from './lazy.ts';
import type { MemberKind, TemplateMember } from './template.ts';
import type { ScanMemory } from './wasm-hex.ts';

/** The result of a scan whose bytes are not in canonical form: the parser then reads them. */
export const NOT_CANONICAL = -1;

const QUOTE = 0x22;
const HYPHEN = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const BACKSLASH = 0x5c;
const LOWER_N = 0x6e;
const CLOSING_BRACE = 0x7d;

/** What may follow a backslash in a text, apart from the four digits of a code unit. */
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

/**
 * Scans payloads that are objects with the members of a schema in its order and no white space. Every run of lines under
 * scan ends with a line feed, which ends every value; so no loop needs to look for the end.
 */
export class PayloadScanner {
  /** The number found by the latest call of {@link PayloadScanner.digits}. */
  number = 0;
  /** Where the run of lines under scan ends. */
  until = 0;
  /** The record found by the latest call of {@link PayloadScanner.scan}. */
  record: LazyRecord;
  private readonly memory: ScanMemory;
  private readonly yes: number;
  private readonly no: number;
  private readonly nothing: number;
  // Slots of the record under the scan, cut to size when it is found: a list that grows is copied several times.
  private readonly slots = Array<number>(MAX_SLOTS).fill(0);
  private noted = 0;
  private escaped = false;

  constructor(memory: ScanMemory) {
    this.memory = memory;
    this.yes = memory.literal('true');
    this.no = memory.literal('false');
    this.nothing = memory.literal('null');
    this.record = new LazyRecord(memory, [], { start: 0, end: 0 });
  }

  /** Lays a template out; undefined where its first member may be absent. */
  plan(template: readonly TemplateMember[]): RecordPlan | undefined {
    if (template[0]?.optional !== false) return undefined;
    const make = lazyRecordClass(template.map(({ name, kind }) => ({ name, nested: kind === 'record' })));
    return { members: this.layOut(template), make };
  }

  private layOut(members: readonly TemplateMember[]): MemberPlan[] {
    return members.map(({ name, kind, nullable, optional, members: nested }, index) => {
      const key = `${index === 0 ? '{' : ','}"${name}":`;
      const literal = this.memory.literal(key);
      return { literal, length: key.length, kind, nullable, optional, nested: this.layOut(nested) };
    });
  }

  /** The end of the record that starts at `at`, or {@link NOT_CANONICAL}. */
  scan(plan: RecordPlan, at: number): number {
    this.noted = 0;
    const end = this.scanMembers(plan.members, at);
    if (end >= 0) this.record = new plan.make(this.memory, this.slots.slice(0, this.noted), { start: at, end });
    return end;
  }

  /** The end of a run of decimal digits without leading zeros, at most 15. */
  digits(at: number): number {
    const { bytes } = this.memory;
    let position = at;
    let sum = 0;
    for (; ; position++) {
      const digit = (bytes[position] as number) - ZERO;
      if (digit < 0 || digit > 9) break;
      sum = sum * 10 + digit;
    }
    const length = position - at;
    if (length === 0 || length > MAX_DIGITS || (length > 1 && bytes[at] === ZERO)) return NOT_CANONICAL;
    this.number = sum;
    return position;
  }

  /** The end of a hyphenated lower-case UUID. */
  uuid(at: number): number {
    const { bytes } = this.memory;
    const hyphens =
      bytes[at + 8] === HYPHEN && bytes[at + 13] === HYPHEN && bytes[at + 18] === HYPHEN && bytes[at + 23] === HYPHEN;
    return hyphens &&
      this.isHex(at, 8) &&
      this.isHex(at + 9, 4) &&
      this.isHex(at + 14, 4) &&
      this.isHex(at + 19, 4) &&
      this.isHex(at + 24, 12)
      ? at + 36
      : NOT_CANONICAL;
  }

  private isHex(at: number, length: number): boolean {
    return this.memory.hexRun(at, at + length) === at + length;
  }

  private scanMembers(members: readonly MemberPlan[], at: number): number {
    const { memory } = this;
    let position = at;
    for (const member of members) {
      if (memory.same(position, member.literal, member.length) === 0) {
        if (!member.optional) return NOT_CANONICAL;
        this.note(0, ABSENT);
        continue;
      }
      position = this.scanValue(member, position + member.length);
      if (position < 0) return NOT_CANONICAL;
    }
    return memory.bytes[position] === CLOSING_BRACE ? position + 1 : NOT_CANONICAL;
  }

  private note(first: number, second: number): void {
    this.slots[this.noted] = first;
    this.slots[this.noted + 1] = second;
    this.noted += 2;
  }

  /** Scans a value, notes it in two slots, and answers its end. */
  private scanValue(member: MemberPlan, at: number): number {
    const { memory } = this;
    if (memory.bytes[at] === LOWER_N) {
      if (!member.nullable || memory.same(at, this.nothing, 4) === 0) return NOT_CANONICAL;
      this.note(0, NULL);
      return at + 4;
    }
    if (member.kind === 'whole') {
      const end = this.digits(at);
      this.note(this.number, NUMBER);
      return end;
    }
    if (member.kind === 'flag') return this.scanFlag(at);
    if (member.kind === 'record') {
      const before = this.noted;
      const end = this.scanMembers(member.nested, at);
      this.noted = before;
      this.note(at, end);
      return end;
    }
    if (memory.bytes[at] !== QUOTE) return NOT_CANONICAL;
    const end = this.textOf(member.kind, at + 1);
    if (end < 0 || memory.bytes[end] !== QUOTE) return NOT_CANONICAL;
    if (this.escaped && member.kind === 'text') this.note(-at, end + 1);
    else this.note(at + 1, end);
    return end + 1;
  }

  private scanFlag(at: number): number {
    const yes = this.memory.same(at, this.yes, 4) === 1;
    if (!yes && this.memory.same(at, this.no, 5) === 0) return NOT_CANONICAL;
    this.note(0, yes ? TRUE : FALSE);
    return at + (yes ? 4 : 5);
  }

  /** The end of a text of the given kind, whose first byte after the quotation mark is at `at`. */
  private textOf(kind: MemberKind, at: number): number {
    switch (kind) {
      case 'text':
        return this.plainText(at);
      case 'hex': {
        const end = this.memory.hexRun(at, this.until);
        return ((end - at) & 1) === 0 ? end : NOT_CANONICAL;
      }
      case 'hex64':
        return this.isHex(at, 64) ? at + 64 : NOT_CANONICAL;
      case 'hex66':
        return this.isHex(at, 66) ? at + 66 : NOT_CANONICAL;
      case 'decimal':
        return this.decimalText(at);
      case 'uuid':
        return this.uuid(at);
      default:
        return NOT_CANONICAL;
    }
  }

  private plainText(at: number): number {
    const { bytes } = this.memory;
    this.escaped = false;
    for (let position = at; ; position++) {
      const byte = bytes[position] as number;
      if (byte === QUOTE) return position;
      if (byte < 0x20 || byte > 0x7e) return NOT_CANONICAL;
      if (byte !== BACKSLASH) continue;
      this.escaped = true;
      position++;
      if (IS_SHORT_ESCAPE[bytes[position] as number] !== 1) return NOT_CANONICAL;
    }
  }

  private decimalText(at: number): number {
    const { bytes } = this.memory;
    let position = at;
    let dots = 0;
    for (; ; position++) {
      const byte = bytes[position] as number;
      if (byte === DOT && dots === 0 && position > at) dots = 1;
      else if (byte < ZERO || byte > NINE) break;
    }
    return position === at || position - at > MAX_DECIMAL_LENGTH ? NOT_CANONICAL : position;
  }
}
