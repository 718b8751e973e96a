import { WireFault } from './problem.ts';

/** Reads the fields of a protobuf message from front to back. Each method throws a {@link WireFault} for what it is not for. */
export type ProtobufReader = {
  /** Number of the next field; null at the end. Its value must be taken before the next is asked for. */
  readonly field: () => number | null;
  /** Whether the field's value is a number. */
  readonly isNumber: () => boolean;
  /** The field's value; above 2^53 - 1 it is told as that. */
  readonly number: () => number;
  readonly bytes: (most: number) => Uint8Array;
  /** The field's value as a message of its own. */
  readonly message: () => ProtobufReader;
  readonly skip: () => void;
  readonly fail: (expected: string) => never;
};

const [VARINT, FIXED64, DELIMITED, FIXED32] = [0, 1, 2, 5] as const;
const MOST_VARINT_BYTES = 10;

type Cursor = { readonly bytes: Uint8Array; at: number; wire: number };

export function protobufReader(bytes: Uint8Array): ProtobufReader {
  const cursor: Cursor = { bytes, at: 0, wire: -1 };
  return {
    field() {
      if (cursor.at >= bytes.length) return null;
      const tag = readVarint(cursor);
      cursor.wire = tag % 8;
      return Math.floor(tag / 8);
    },
    isNumber: () => cursor.wire === VARINT,
    number: () => (cursor.wire === VARINT ? readVarint(cursor) : fail(cursor, 'a number')),
    bytes: (most) => readDelimited(cursor, most),
    message: () => protobufReader(readDelimited(cursor, bytes.length)),
    skip: () => skip(cursor),
    fail: (expected) => fail(cursor, expected),
  };
}

function fail(cursor: Cursor, expected: string): never {
  throw new WireFault({ offset: cursor.at, expected: `expected ${expected}` });
}

function readVarint(cursor: Cursor): number {
  let value = 0;
  for (let index = 0; index < MOST_VARINT_BYTES; index++) {
    const byte = cursor.bytes[cursor.at];
    if (byte === undefined) return fail(cursor, 'more bytes of a number');
    cursor.at += 1;
    value += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return Math.min(value, Number.MAX_SAFE_INTEGER);
  }
  return fail(cursor, `a number of at most ${MOST_VARINT_BYTES} bytes`);
}

function readDelimited(cursor: Cursor, most: number): Uint8Array {
  if (cursor.wire !== DELIMITED) return fail(cursor, 'bytes');
  const length = readVarint(cursor);
  if (length > most) return fail(cursor, `at most ${most} bytes`);
  return take(cursor, length);
}

function take(cursor: Cursor, count: number): Uint8Array {
  if (count > cursor.bytes.length - cursor.at) return fail(cursor, `${count} more bytes`);
  cursor.at += count;
  return cursor.bytes.subarray(cursor.at - count, cursor.at);
}

function skip(cursor: Cursor): void {
  if (cursor.wire === VARINT) readVarint(cursor);
  else if (cursor.wire === FIXED64) take(cursor, 8);
  else if (cursor.wire === FIXED32) take(cursor, 4);
  else if (cursor.wire === DELIMITED) take(cursor, readVarint(cursor));
  else fail(cursor, 'a field of a known form');
}
