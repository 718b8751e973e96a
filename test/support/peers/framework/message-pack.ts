/** A value of MessagePack; a map is a list of its pairs. */
export type Packed = null | boolean | number | string | Buffer | readonly Packed[] | PackedMap;
export type PackedMap = { readonly pairs: readonly (readonly [Packed, Packed])[] };

export function pack(value: Packed): Buffer {
  if (value === null) return Buffer.of(0xc0);
  if (typeof value === 'boolean') return Buffer.of(value ? 0xc3 : 0xc2);
  if (typeof value === 'number') return packNumber(value);
  if (typeof value === 'string') {
    const bytes = Buffer.from(value);
    return Buffer.concat([bytes.length < 32 ? Buffer.of(0xa0 | bytes.length) : Buffer.of(0xd9, bytes.length), bytes]);
  }
  if (Buffer.isBuffer(value)) return Buffer.concat([sized(value.length, { short: 0xc4, long: 0xc5 }), value]);
  if ('pairs' in value) {
    const inside = value.pairs.flatMap(([key, member]) => [pack(key), pack(member)]);
    const count = value.pairs.length;
    return Buffer.concat([count < 16 ? Buffer.of(0x80 | count) : Buffer.of(0xde, count >> 8, count & 0xff), ...inside]);
  }
  const { length } = value;
  const head = length < 16 ? Buffer.of(0x90 | length) : Buffer.from([0xdc, length >> 8, length & 0xff]);
  return Buffer.concat([head, ...value.map(pack)]);
}

function packNumber(value: number): Buffer {
  if (value < 0x80) return Buffer.of(value);
  if (value < 0x100) return Buffer.of(0xcc, value);
  if (value < 0x10000) return Buffer.of(0xcd, value >> 8, value & 0xff);
  const bytes = Buffer.alloc(5, 0xce);
  bytes.writeUInt32BE(value, 1);
  return bytes;
}

function sized(length: number, { short, long }: { readonly short: number; readonly long: number }): Buffer {
  return length < 0x100 ? Buffer.of(short, length) : Buffer.of(long, length >> 8, length & 0xff);
}

/** An enum's variant with what it holds. */
export function variant(index: number, content: Packed): PackedMap {
  return { pairs: [[index, content]] };
}

/** Reads one value, which has to be all there is. Throws where it is none. */
export function unpack(bytes: Buffer): Packed {
  const { value, end } = valueAt(bytes, 0);
  if (end !== bytes.length) throw new Error('something behind the value');
  return value;
}

type At<T = Packed> = { readonly value: T; readonly end: number };

function valueAt(bytes: Buffer, at: number): At {
  const head = bytes.readUInt8(at);
  const next = at + 1;
  if (head < 0x80) return { value: head, end: next };
  if (head < 0x90) return mapAt(bytes, { at: next, count: head & 0x0f });
  if (head < 0xa0) return listAt(bytes, { at: next, count: head & 0x0f });
  if (head < 0xc0) return textOf(cut(bytes, { at: next, count: head & 0x1f }));
  switch (head) {
    case 0xc0:
      return { value: null, end: next };
    case 0xc2:
    case 0xc3:
      return { value: head === 0xc3, end: next };
    case 0xc4:
      return cut(bytes, { at: next + 1, count: bytes.readUInt8(next) });
    case 0xc5:
      return cut(bytes, { at: next + 2, count: bytes.readUInt16BE(next) });
    case 0xc6:
      return cut(bytes, { at: next + 4, count: bytes.readUInt32BE(next) });
    case 0xcc:
      return { value: bytes.readUInt8(next), end: next + 1 };
    case 0xcd:
      return { value: bytes.readUInt16BE(next), end: next + 2 };
    case 0xce:
      return { value: bytes.readUInt32BE(next), end: next + 4 };
    case 0xcf:
      return { value: Number(bytes.readBigUInt64BE(next)), end: next + 8 };
    case 0xd9:
      return textOf(cut(bytes, { at: next + 1, count: bytes.readUInt8(next) }));
    case 0xdc:
      return listAt(bytes, { at: next + 2, count: bytes.readUInt16BE(next) });
    case 0xde:
      return mapAt(bytes, { at: next + 2, count: bytes.readUInt16BE(next) });
    default:
      throw new Error(`a value that begins with ${head}`);
  }
}

type Part = { readonly at: number; readonly count: number };

function cut(bytes: Buffer, { at, count }: Part): At<Buffer> {
  if (at + count > bytes.length) throw new Error('bytes that end behind their value');
  return { value: bytes.subarray(at, at + count), end: at + count };
}

function textOf({ value, end }: At<Buffer>): At {
  return { value: value.toString('utf8'), end };
}

function listAt(bytes: Buffer, { at, count }: Part): At {
  const value: Packed[] = [];
  let end = at;
  for (let left = count; left > 0; left--) {
    const one = valueAt(bytes, end);
    value.push(one.value);
    end = one.end;
  }
  return { value, end };
}

function mapAt(bytes: Buffer, { at, count }: Part): At {
  const { value, end } = listAt(bytes, { at, count: 2 * count });
  const flat = value as readonly Packed[];
  const pairs = Array.from(
    { length: count },
    (_, index) => [flat[2 * index] ?? null, flat[2 * index + 1] ?? null] as const,
  );
  return { value: { pairs }, end };
}
