import { WireFault } from './wire-fault.ts';

const [VARINT, FIXED64, DELIMITED, FIXED32] = [0, 1, 2, 5] as const;
const MOST_VARINT_BYTES = 10;
const MOST_U64 = 2n ** 64n - 1n;
const MOST_U32 = 0xffff_ffff;
/** No message that is read here has more fields: more are refused. */
const MOST_FIELDS = 256;

/** The fields of a message in order. Skips fixed values of 4 and 8 bytes, which none of our messages has. */
export type Fields = readonly { readonly field: number; readonly value: bigint | Uint8Array }[];

/** @throws WireFault if the bytes are not a message. Keeps unknown fields. */
export function readFields(bytes: Uint8Array): Fields {
  const cursor: Cursor = { bytes, at: 0 };
  const fields: { field: number; value: bigint | Uint8Array }[] = [];
  for (let count = 0; cursor.at < bytes.length; count++) {
    if (count === MOST_FIELDS) throw new WireFault(`a message of more than ${MOST_FIELDS} fields`);
    const tag = readVarint(cursor);
    if (tag > BigInt(MOST_U32) || tag < 8n) throw new WireFault('a field without a number');
    const field = Number(tag >> 3n);
    const wire = Number(tag & 7n);
    if (wire === VARINT) fields.push({ field, value: readVarint(cursor) });
    else if (wire === DELIMITED) fields.push({ field, value: take(cursor, readVarint(cursor)) });
    else if (wire === FIXED64) take(cursor, 8n);
    else if (wire === FIXED32) take(cursor, 4n);
    else throw new WireFault('a field of an unknown type');
  }
  return fields;
}

type Cursor = { readonly bytes: Uint8Array; at: number };

function readVarint(cursor: Cursor): bigint {
  let value = 0n;
  for (let index = 0; index < MOST_VARINT_BYTES; index++) {
    const byte = cursor.bytes[cursor.at];
    if (byte === undefined) throw new WireFault('a truncated number');
    cursor.at += 1;
    value |= BigInt(byte & 0x7f) << BigInt(7 * index);
    if (byte >= 0x80) continue;
    if (value > MOST_U64) throw new WireFault('a number of more than 64 bits');
    return value;
  }
  throw new WireFault(`a number of more than ${MOST_VARINT_BYTES} bytes`);
}

function take(cursor: Cursor, count: bigint): Uint8Array {
  if (count > BigInt(cursor.bytes.length - cursor.at)) throw new WireFault('a truncated field');
  const end = cursor.at + Number(count);
  const taken = cursor.bytes.slice(cursor.at, end);
  cursor.at = end;
  return taken;
}

/** The last value of a field, as protobuf requires for a field that must not repeat; undefined if absent. */
function lastOf(fields: Fields, wanted: number): bigint | Uint8Array | undefined {
  return fields.findLast(({ field }) => field === wanted)?.value;
}

/** @throws WireFault if the field is not bytes. */
export function bytesOf(fields: Fields, wanted: number): Uint8Array | undefined {
  const value = lastOf(fields, wanted);
  if (typeof value === 'bigint') throw new WireFault(`a number instead of bytes in field ${wanted}`);
  return value;
}

/** @throws WireFault if the field is not a 32-bit number. */
export function u32Of(fields: Fields, wanted: number): number | undefined {
  const value = u64Of(fields, wanted);
  if (value !== undefined && value > BigInt(MOST_U32)) throw new WireFault(`more than 32 bits in field ${wanted}`);
  return value === undefined ? undefined : Number(value);
}

/** @throws WireFault if the field is not a number. */
export function u64Of(fields: Fields, wanted: number): bigint | undefined {
  const value = lastOf(fields, wanted);
  if (value instanceof Uint8Array) throw new WireFault(`bytes instead of a number in field ${wanted}`);
  return value;
}

export function boolOf(fields: Fields, wanted: number): boolean | undefined {
  const value = u64Of(fields, wanted);
  return value === undefined ? undefined : value !== 0n;
}

/** @throws WireFault if the field is not UTF-8 text. */
export function textOf(fields: Fields, wanted: number): string | undefined {
  const value = bytesOf(fields, wanted);
  if (value === undefined) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(value);
  } catch {
    throw new WireFault(`invalid UTF-8 in field ${wanted}`);
  }
}

/** All values of a repeated 32-bit number, packed or not. @throws WireFault for anything else. */
export function u32sOf(fields: Fields, wanted: number): readonly number[] {
  const values: bigint[] = [];
  for (const { field, value } of fields) {
    if (field !== wanted) continue;
    if (typeof value === 'bigint') values.push(value);
    else for (const cursor = { bytes: value, at: 0 }; cursor.at < value.length; ) values.push(readVarint(cursor));
  }
  if (values.some((value) => value > BigInt(MOST_U32))) throw new WireFault(`more than 32 bits in field ${wanted}`);
  return values.map(Number);
}

/** Writes the fields of a message in the given order. */
export type MessageWriter = {
  /** A whole number of at least 0. */
  readonly number: (field: number, value: number | bigint) => MessageWriter;
  readonly bool: (field: number, value: boolean) => MessageWriter;
  readonly bytes: (field: number, value: Uint8Array) => MessageWriter;
  readonly text: (field: number, value: string) => MessageWriter;
  /** Repeated numbers as one packed field. */
  readonly packed: (field: number, values: readonly number[]) => MessageWriter;
  /** Repeated numbers, each as its own field. */
  readonly repeated: (field: number, values: readonly number[]) => MessageWriter;
  readonly done: () => Uint8Array;
};

export function messageWriter(): MessageWriter {
  const out: number[] = [];
  const bytes = (field: number, value: Iterable<number> & { readonly length: number }): MessageWriter => {
    pushVarint(out, BigInt(field) * 8n + BigInt(DELIMITED));
    pushVarint(out, BigInt(value.length));
    for (const byte of value) out.push(byte);
    return writer;
  };
  const number = (field: number, value: number | bigint): MessageWriter => {
    pushVarint(out, BigInt(field) * 8n);
    pushVarint(out, BigInt(value));
    return writer;
  };
  const writer: MessageWriter = {
    number,
    bool: (field, value) => number(field, value ? 1 : 0),
    bytes,
    text: (field, value) => bytes(field, new TextEncoder().encode(value)),
    packed(field, values) {
      const inner: number[] = [];
      for (const value of values) pushVarint(inner, BigInt(value));
      return bytes(field, inner);
    },
    repeated(field, values) {
      for (const value of values) number(field, value);
      return writer;
    },
    done: () => Uint8Array.from(out),
  };
  return writer;
}

function pushVarint(out: number[], value: bigint): void {
  let rest = value;
  for (; rest > 0x7fn; rest >>= 7n) out.push(Number(rest & 0x7fn) + 0x80);
  out.push(Number(rest));
}
