import { WireFault, type WireProblem } from './problem.ts';

/** Unknown members may nest so deep; nothing that is known nests half as deep. */
const MOST_DEPTH = 16;

/**
 * Reads MessagePack from front to back, each value as what it must be. Every length is held against its bound and against the bytes
 * that are left before anything is made of it. Each method throws a {@link WireFault} for anything else than what it is for.
 */
export type MessagePackReader = {
  readonly offset: () => number;
  readonly left: () => number;
  /** Whether the next value is nil; takes it then. */
  readonly isNil: () => boolean;
  readonly kind: () => ValueKind;
  /** Count of members of the array that comes next, and the kind of its first; nothing is taken. Null where no array comes. */
  readonly peekArray: () => { readonly count: number; readonly first: ValueKind } | null;
  readonly bool: () => boolean;
  /** A whole number of at least 0 and at most `most`, in whatever width. */
  readonly uint: (most?: number) => number;
  /** Any whole number that a double holds exactly. */
  readonly int: () => number;
  /** UTF-8 of at most so many bytes. */
  readonly text: (mostBytes: number) => string;
  readonly bin: (most: number) => Uint8Array;
  /** Bytes in the form of an array of numbers, as the framework writes them. */
  readonly numbers: (most: number) => Uint8Array;
  /** Count of members. */
  readonly array: (most: number) => number;
  /** Count of entries. */
  readonly map: (most: number) => number;
  /** Passes over one value of any kind. */
  readonly skip: () => void;
  readonly end: () => void;
  readonly fail: (expected: string) => never;
};

export type ValueKind = 'nil' | 'bool' | 'int' | 'float' | 'text' | 'bin' | 'array' | 'map' | 'ext' | 'nothing';

type Cursor = { readonly bytes: Uint8Array; readonly view: DataView; at: number };

export function messagePackReader(bytes: Uint8Array): MessagePackReader {
  const cursor: Cursor = { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), at: 0 };
  return {
    offset: () => cursor.at,
    left: () => bytes.length - cursor.at,
    isNil: () => {
      if (bytes[cursor.at] !== 0xc0) return false;
      cursor.at += 1;
      return true;
    },
    kind: () => kindOf(bytes[cursor.at]),
    peekArray: () => peekArray(cursor),
    bool: () => readBool(cursor),
    uint: (most = Number.MAX_SAFE_INTEGER) => readUint(cursor, most),
    int: () => readInt(cursor, 'a whole number'),
    text: (most) => readText(cursor, most),
    bin: (most) => readBin(cursor, most),
    numbers: (most) => readNumbers(cursor, most),
    array: (most) => readCount(cursor, { most, kind: 'array', fixed: 0x90, wide: 0xdc, each: 1 }),
    map: (most) => readCount(cursor, { most, kind: 'map', fixed: 0x80, wide: 0xde, each: 2 }),
    skip: () => skip(cursor, MOST_DEPTH),
    end: () => {
      if (cursor.at < bytes.length) fail(cursor, 'the end');
    },
    fail: (expected) => fail(cursor, expected),
  };
}

function fail(cursor: Cursor, expected: string, at = cursor.at): never {
  const problem: WireProblem = { offset: at, expected: `expected ${expected}, found ${kindOf(cursor.bytes[at])}` };
  throw new WireFault(problem);
}

function kindOf(byte: number | undefined): ValueKind {
  if (byte === undefined) return 'nothing';
  if (byte <= 0x7f || byte >= 0xe0 || (byte >= 0xcc && byte <= 0xd3)) return 'int';
  if (byte <= 0x8f || byte === 0xde || byte === 0xdf) return 'map';
  if (byte <= 0x9f || byte === 0xdc || byte === 0xdd) return 'array';
  if (byte <= 0xbf || (byte >= 0xd9 && byte <= 0xdb)) return 'text';
  if (byte === 0xc2 || byte === 0xc3) return 'bool';
  if (byte >= 0xc4 && byte <= 0xc6) return 'bin';
  if (byte === 0xca || byte === 0xcb) return 'float';
  return byte === 0xc0 ? 'nil' : 'ext';
}

function peekArray(cursor: Cursor): { count: number; first: ValueKind } | null {
  if (kindOf(cursor.bytes[cursor.at]) !== 'array') return null;
  const ahead = { ...cursor };
  const count = readArray(ahead, ahead.bytes.length);
  return { count, first: kindOf(ahead.bytes[ahead.at]) };
}

function readBool(cursor: Cursor): boolean {
  const byte = cursor.bytes[cursor.at];
  if (byte !== 0xc2 && byte !== 0xc3) return fail(cursor, 'true or false');
  cursor.at += 1;
  return byte === 0xc3;
}

function readUint(cursor: Cursor, most: number): number {
  const { at } = cursor;
  const value = readInt(cursor, `a whole number from 0 to ${most}`);
  return value >= 0 && value <= most ? value : fail(cursor, `a whole number from 0 to ${most}`, at);
}

function readInt(cursor: Cursor, expected: string): number {
  const { bytes, view, at } = cursor;
  const byte = bytes[at];
  if (byte === undefined || kindOf(byte) !== 'int') return fail(cursor, expected);
  if (byte <= 0x7f || byte >= 0xe0) {
    cursor.at += 1;
    return byte <= 0x7f ? byte : byte - 0x100;
  }
  const width = 1 << (byte & 3);
  need(cursor, 1 + width);
  cursor.at += 1 + width;
  const value = wide(view, { at: at + 1, width, signed: byte >= 0xd0 });
  return Number.isSafeInteger(value) ? value : fail(cursor, expected, at);
}

function wide(view: DataView, { at, width, signed }: { at: number; width: number; signed: boolean }): number {
  switch (width) {
    case 1:
      return signed ? view.getInt8(at) : view.getUint8(at);
    case 2:
      return signed ? view.getInt16(at) : view.getUint16(at);
    case 4:
      return signed ? view.getInt32(at) : view.getUint32(at);
    default:
      return Number(signed ? view.getBigInt64(at) : view.getBigUint64(at));
  }
}

/** So many bytes from where the reader stands. */
function need(cursor: Cursor, count: number): void {
  if (count > cursor.bytes.length - cursor.at) {
    throw new WireFault({ offset: cursor.at, expected: `expected ${count} more bytes, found fewer` });
  }
}

/** Takes the head of a text, of bytes or of an extension, whose length stands in so many bytes. */
function takeLength(cursor: Cursor, lengthBytes: number): number {
  need(cursor, 1 + lengthBytes);
  const length = wide(cursor.view, { at: cursor.at + 1, width: lengthBytes, signed: false });
  cursor.at += 1 + lengthBytes;
  return length;
}

function readText(cursor: Cursor, most: number): string {
  const { at } = cursor;
  const byte = cursor.bytes[at] as number;
  const expected = `a text of at most ${most} bytes`;
  if (kindOf(byte) !== 'text') return fail(cursor, expected);
  const length = byte <= 0xbf ? byte & 0x1f : takeLength(cursor, 1 << (byte - 0xd9));
  if (byte <= 0xbf) cursor.at += 1;
  if (length > most) return fail(cursor, expected, at);
  const text = utf8Text(take(cursor, length));
  return text ?? fail(cursor, 'a text in UTF-8', at);
}

function readBin(cursor: Cursor, most: number): Uint8Array {
  const { at } = cursor;
  const byte = cursor.bytes[at] as number;
  if (kindOf(byte) !== 'bin') return fail(cursor, `at most ${most} bytes`);
  const length = takeLength(cursor, 1 << (byte - 0xc4));
  if (length > most) return fail(cursor, `at most ${most} bytes`, at);
  return take(cursor, length).slice();
}

function take(cursor: Cursor, length: number): Uint8Array {
  need(cursor, length);
  cursor.at += length;
  return cursor.bytes.subarray(cursor.at - length, cursor.at);
}

function readNumbers(cursor: Cursor, most: number): Uint8Array {
  const { bytes } = cursor;
  const length = readCount(cursor, { most, kind: 'array', fixed: 0x90, wide: 0xdc, each: 1 });
  const numbers = new Uint8Array(length);
  for (let index = 0; index < length; index++) {
    const byte = bytes[cursor.at] as number;
    if (byte <= 0x7f) {
      numbers[index] = byte;
      cursor.at += 1;
    } else numbers[index] = readUint(cursor, 255);
  }
  return numbers;
}

type Counted = {
  readonly most: number;
  readonly kind: 'array' | 'map';
  readonly fixed: number;
  readonly wide: number;
  /** Least bytes that a member has. */
  readonly each: number;
};

function readCount(cursor: Cursor, { most, kind, fixed, wide: wideHead, each }: Counted): number {
  const { at } = cursor;
  const byte = cursor.bytes[at] as number;
  const expected = `${kind === 'map' ? 'a map' : 'an array'} of at most ${most}`;
  if (kindOf(byte) !== kind) return fail(cursor, expected);
  const short = byte < fixed + 16;
  const count = short ? byte - fixed : takeLength(cursor, 2 << (byte - wideHead));
  if (short) cursor.at += 1;
  if (count > most) return fail(cursor, expected, at);
  need(cursor, count * each);
  return count;
}

function skip(cursor: Cursor, depth: number): void {
  const { bytes, at } = cursor;
  const kind = kindOf(bytes[at]);
  const all = bytes.length;
  switch (kind) {
    case 'array':
    case 'map': {
      if (depth === 0) fail(cursor, `at most ${MOST_DEPTH} levels`);
      const members = kind === 'map' ? 2 * readMap(cursor, all) : readArray(cursor, all);
      for (let index = 0; index < members; index++) skip(cursor, depth - 1);
      return;
    }
    case 'text':
      skipText(cursor);
      return;
    case 'bin':
      take(cursor, takeLength(cursor, 1 << ((bytes[at] as number) - 0xc4)));
      return;
    case 'int':
      skipInt(cursor);
      return;
    case 'float':
      take(cursor, bytes[at] === 0xca ? 5 : 9);
      return;
    case 'nil':
    case 'bool':
      cursor.at += 1;
      return;
    default:
      fail(cursor, 'a value');
  }
}

function readMap(cursor: Cursor, most: number): number {
  return readCount(cursor, { most, kind: 'map', fixed: 0x80, wide: 0xde, each: 2 });
}

function readArray(cursor: Cursor, most: number): number {
  return readCount(cursor, { most, kind: 'array', fixed: 0x90, wide: 0xdc, each: 1 });
}

function skipText(cursor: Cursor): void {
  const byte = cursor.bytes[cursor.at] as number;
  if (byte <= 0xbf) take(cursor, 1 + (byte & 0x1f));
  else take(cursor, takeLength(cursor, 1 << (byte - 0xd9)));
}

function skipInt(cursor: Cursor): void {
  const byte = cursor.bytes[cursor.at] as number;
  take(cursor, byte <= 0x7f || byte >= 0xe0 ? 1 : 1 + (1 << (byte & 3)));
}

/** The text that the bytes are in UTF-8; null when they are none. */
export function utf8Text(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
