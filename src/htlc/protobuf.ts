import { concatBytes } from './byte-writer.ts';

/** A value of a field: of the wire types that the transactions of a Tendermint chain have, a number or bytes. */
export type ProtoValue = bigint | Uint8Array;

/** The values of a message by the number of their field, in the order in which they stand. */
export type ProtoFields = ReadonlyMap<number, readonly ProtoValue[]>;

const NOTHING = new Uint8Array(0);
const VARINT = 0;
const BYTES = 2;
const MOST = (1n << 64n) - 1n;

/** A number of at most 64 bits. @throws RangeError for any other */
export function varint(value: bigint): Uint8Array {
  if (value < 0n || value > MOST) throw new RangeError(`${value} is not an unsigned 64-bit number`);
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}

function tag(field: number, wire: number): Uint8Array {
  return varint((BigInt(field) << 3n) | BigInt(wire));
}

/** A field with a number; nothing for 0, which is what its absence means. */
export function numberField(field: number, value: bigint): Uint8Array {
  return value === 0n ? NOTHING : concatBytes([tag(field, VARINT), varint(value)]);
}

/** A field with another message, also with an empty one. */
export function messageField(field: number, message: Uint8Array): Uint8Array {
  return concatBytes([tag(field, BYTES), varint(BigInt(message.length)), message]);
}

/** A field with bytes; nothing for none, which is what its absence means. */
export function bytesField(field: number, bytes: Uint8Array): Uint8Array {
  return bytes.length === 0 ? NOTHING : messageField(field, bytes);
}

/** A field with a text in UTF-8; nothing for an empty one. */
export function textField(field: number, text: string): Uint8Array {
  return bytesField(field, new TextEncoder().encode(text));
}

/**
 * The fields of a message. Undefined for bytes that are none, and for values of 32 or 64 fixed bits, which nothing that is read here has.
 * Never throws.
 */
export function readProto(bytes: Uint8Array): ProtoFields | undefined {
  const fields = new Map<number, ProtoValue[]>();
  let offset = 0;
  const readVarint = (): bigint | undefined => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[offset];
      if (byte === undefined) return undefined;
      offset += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value > MOST ? undefined : value;
    }
    return undefined;
  };
  while (offset < bytes.length) {
    const head = readVarint();
    const value = head === undefined ? undefined : readVarint();
    if (head === undefined || value === undefined || head >> 3n === 0n || head > 0xffff_ffffn) return undefined;
    const wire = Number(head & 7n);
    if (wire !== VARINT && (wire !== BYTES || value > BigInt(bytes.length - offset))) return undefined;
    const read = wire === VARINT ? value : bytes.subarray(offset, offset + Number(value));
    if (typeof read !== 'bigint') offset += read.length;
    const field = Number(head >> 3n);
    fields.set(field, [...(fields.get(field) ?? []), read]);
  }
  return fields;
}

/** The form of one field that is read: how often it may stand there, and what it holds. */
export type ProtoReader = {
  /** 0 where it is absent. @throws ProtoProblem where it stands there twice or holds bytes */
  number(field: number): bigint;
  /** None where it is absent. @throws ProtoProblem */
  bytes(field: number): Uint8Array;
  /** Empty where it is absent. @throws ProtoProblem, also for what is not UTF-8 */
  text(field: number): string;
  /** All of a field that may stand there many times. @throws ProtoProblem */
  all(field: number): readonly Uint8Array[];
};

/** Bytes are not a message of the expected form. It leaves no function of this floor but through {@link readingProto}. */
export class ProtoProblem extends Error {}

/**
 * A reader of a message that takes each field once: of two values of one field, readers differ in which they take, and what is read here must be what
 * a chain reads. @throws ProtoProblem
 */
export function protoReader(bytes: Uint8Array): ProtoReader {
  const fields = readProto(bytes);
  if (fields === undefined) throw new ProtoProblem('these bytes are not a message');
  const one = (field: number): ProtoValue | undefined => {
    const values = fields.get(field) ?? [];
    if (values.length > 1) throw new ProtoProblem(`field ${field} occurs ${values.length} times`);
    return values[0];
  };
  const bytesOf = (value: ProtoValue | undefined, field: number): Uint8Array => {
    if (typeof value === 'bigint') throw new ProtoProblem(`field ${field} holds a number`);
    return value ?? NOTHING;
  };
  return {
    number(field) {
      const value = one(field) ?? 0n;
      if (typeof value !== 'bigint') throw new ProtoProblem(`field ${field} holds bytes`);
      return value;
    },
    bytes: (field) => bytesOf(one(field), field),
    text: (field) => textOf(bytesOf(one(field), field)),
    all: (field) => (fields.get(field) ?? []).map((value) => bytesOf(value, field)),
  };
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ProtoProblem('a text is not UTF-8');
  }
}

/** What `read` makes of a message; undefined where its bytes are not of the form. */
export function readingProto<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof ProtoProblem) return undefined;
    throw error;
  }
}
