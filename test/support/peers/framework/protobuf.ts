/** A field of a protobuf message: a number, or bytes. */
export type Field = { readonly no: number; readonly value: number | Buffer };

/** All fields in their order. Throws where the bytes are none. */
export function fieldsOf(bytes: Buffer): readonly Field[] {
  const fields: Field[] = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = varintAt(bytes, at);
    const [no, wire] = [tag.value >> 3, tag.value & 7];
    if (wire === 0) {
      const number = varintAt(bytes, tag.end);
      fields.push({ no, value: number.value });
      at = number.end;
    } else if (wire === 2) {
      const { value: length, end } = varintAt(bytes, tag.end);
      if (end + length > bytes.length) throw new Error('a field that ends behind its message');
      fields.push({ no, value: bytes.subarray(end, end + length) });
      at = end + length;
    } else throw new Error(`a field of the wire type ${wire}`);
  }
  return fields;
}

export function bytesAt(fields: readonly Field[], no: number): Buffer | null {
  const found = fields.findLast((field) => field.no === no)?.value;
  return Buffer.isBuffer(found) ? found : null;
}

export function textAt(fields: readonly Field[], no: number): string {
  return bytesAt(fields, no)?.toString('utf8') ?? '';
}

export function numberAt(fields: readonly Field[], no: number): number | null {
  const found = fields.findLast((field) => field.no === no)?.value;
  return typeof found === 'number' ? found : null;
}

export function eachAt(fields: readonly Field[], no: number): readonly Buffer[] {
  return fields.flatMap((field) => (field.no === no && Buffer.isBuffer(field.value) ? [field.value] : []));
}

/** A message of these fields. */
export function messageOf(fields: readonly Field[]): Buffer {
  return Buffer.concat(
    fields.flatMap(({ no, value }) =>
      typeof value === 'number'
        ? [varint(no << 3), varint(value)]
        : [varint((no << 3) | 2), varint(value.length), value],
    ),
  );
}

/** The bytes with their length before them, as everything goes over the framework's streams. */
export function lengthPrefixed(bytes: Buffer): Buffer {
  return Buffer.concat([varint(bytes.length), bytes]);
}

/** Takes whole frames off the front. */
export function takeFrames(held: Buffer): { readonly frames: readonly Buffer[]; readonly rest: Buffer } {
  const frames: Buffer[] = [];
  let rest = held;
  while (rest.length > 0) {
    const head = headOf(rest);
    if (head === null || rest.length < head.end + head.value) break;
    frames.push(rest.subarray(head.end, head.end + head.value));
    rest = rest.subarray(head.end + head.value);
  }
  return { frames, rest };
}

function headOf(bytes: Buffer): { readonly value: number; readonly end: number } | null {
  const whole = bytes.subarray(0, 5).some((byte) => byte < 0x80);
  return whole ? varintAt(bytes, 0) : null;
}

function varintAt(bytes: Buffer, from: number): { readonly value: number; readonly end: number } {
  let value = 0n;
  for (let at = from; at < from + 10; at++) {
    const byte = bytes[at];
    if (byte === undefined) break;
    value |= BigInt(byte & 0x7f) << BigInt(7 * (at - from));
    if ((byte & 0x80) === 0) return { value: Number(BigInt.asUintN(32, value)), end: at + 1 };
  }
  throw new Error('a number without an end');
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let left = value;
  do {
    bytes.push(left > 0x7f ? (left & 0x7f) | 0x80 : left);
    left >>>= 7;
  } while (left > 0);
  return Buffer.from(bytes);
}
