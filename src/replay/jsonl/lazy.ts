// Payloads of canonical lines as views: their numbers are read, their texts stay where they are until somebody asks.
// A view reads from the scan memory, which the next chunk overwrites; before that it is detached, or nobody holds it.

/** Gives the ASCII text of a run of the scan memory. */
export type TextSource = { readonly text: (start: number, end: number) => string };

/** A payload that still lies in the scan memory. */
export type LazyPayload = {
  /** Takes its own copy of its text, after which the scan memory may change. */
  readonly detach: () => void;
};

/** A text cut out of the scan memory, with the addresses that it had there. */
export function copyOf(source: TextSource, base: number, end: number): TextSource {
  const kept = source.text(base, end);
  return { text: (start, stop) => kept.slice(start - base, stop - base) };
}

/** `{tx_hex, tx_hash}` in the scan memory. */
export class LazyTransaction implements LazyPayload {
  // Declared only: a field with an initialiser is defined and then set, which doubles the cost of an object.
  declare source: TextSource;
  declare hexStart: number;
  declare hexEnd: number;
  declare hashStart: number;
  declare hashEnd: number;

  constructor(source: TextSource) {
    this.source = source;
    this.hexStart = 0;
    this.hexEnd = 0;
    this.hashStart = 0;
    this.hashEnd = 0;
  }

  get tx_hex(): string {
    return this.source.text(this.hexStart, this.hexEnd);
  }

  get tx_hash(): string {
    return this.source.text(this.hashStart, this.hashEnd);
  }

  detach(): void {
    this.source = copyOf(this.source, this.hexStart, this.hashEnd);
  }
}

// Marks of values that are no texts, in place of the end of a text.

export const NUMBER = -1;
export const NULL = -2;
export const TRUE = -3;
export const FALSE = -4;
export const ABSENT = -5;

/**
 * An object of known members in the scan memory. For each member two slots: start and end of its text, or a value and a
 * mark. A text with escapes is noted with its quotation marks, and its start as a negative number.
 */
export class LazyRecord implements LazyPayload {
  declare protected source: TextSource;
  declare protected readonly slots: readonly number[];
  declare private readonly start: number;
  declare private readonly end: number;

  constructor(source: TextSource, slots: readonly number[], place: { readonly start: number; readonly end: number }) {
    this.source = source;
    this.slots = slots;
    this.start = place.start;
    this.end = place.end;
  }

  /** The value of the n-th member. A nested object is parsed. */
  protected member(index: number, nested: boolean): unknown {
    const value = this.slots[2 * index] as number;
    const mark = this.slots[2 * index + 1] as number;
    switch (mark) {
      case NUMBER:
        return value;
      case NULL:
        return null;
      case TRUE:
        return true;
      case FALSE:
        return false;
      case ABSENT:
        return undefined;
      default:
        if (value < 0) return JSON.parse(this.source.text(-value, mark));
        return nested ? JSON.parse(this.source.text(value, mark)) : this.source.text(value, mark);
    }
  }

  detach(): void {
    this.source = copyOf(this.source, this.start, this.end);
  }
}

export type LazyRecordClass = new (...given: ConstructorParameters<typeof LazyRecord>) => LazyRecord;

/** A class of records whose members are readable by name. */
export function lazyRecordClass(
  members: readonly { readonly name: string; readonly nested: boolean }[],
): LazyRecordClass {
  class Named extends LazyRecord {
    protected read(index: number, nested: boolean): unknown {
      return this.member(index, nested);
    }
  }
  for (const [index, { name, nested }] of members.entries()) {
    Object.defineProperty(Named.prototype, name, {
      enumerable: true,
      get(this: Named) {
        return this.read(index, nested);
      },
    });
  }
  return Named;
}
