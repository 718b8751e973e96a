/** Writes MessagePack as the framework's serializer does: whole numbers in the shortest form, bytes as arrays of numbers. */
export type MessagePackWriter = {
  readonly nil: () => void;
  readonly bool: (value: boolean) => void;
  /** At least 0, at most 2^53 - 1. */
  readonly uint: (value: number) => void;
  /** From -32 to -1: the sign of a number. */
  readonly negative: (value: number) => void;
  readonly text: (value: string) => void;
  readonly bin: (bytes: Uint8Array) => void;
  /** Bytes in the form of an array of numbers. */
  readonly numbers: (bytes: Uint8Array) => void;
  readonly array: (count: number) => void;
  readonly map: (count: number) => void;
  readonly done: () => Uint8Array;
};

type Buffer = { bytes: Uint8Array; length: number };

export function messagePackWriter(): MessagePackWriter {
  const buffer: Buffer = { bytes: new Uint8Array(256), length: 0 };
  return {
    nil: () => put(buffer, 0xc0),
    bool: (value) => put(buffer, value ? 0xc3 : 0xc2),
    uint: (value) => putUint(buffer, value),
    negative: (value) => put(buffer, 0x100 + value),
    text: (value) => putText(buffer, new TextEncoder().encode(value)),
    bin: (bytes) => putBin(buffer, bytes),
    numbers: (bytes) => {
      putCount(buffer, { count: bytes.length, fixed: 0x90, wide: 0xdc });
      for (const byte of bytes) putUint(buffer, byte);
    },
    array: (count) => putCount(buffer, { count, fixed: 0x90, wide: 0xdc }),
    map: (count) => putCount(buffer, { count, fixed: 0x80, wide: 0xde }),
    done: () => buffer.bytes.slice(0, buffer.length),
  };
}

function room(buffer: Buffer, count: number): number {
  const { length } = buffer;
  if (length + count > buffer.bytes.length) {
    const grown = new Uint8Array(Math.max(buffer.bytes.length * 2, length + count));
    grown.set(buffer.bytes);
    buffer.bytes = grown;
  }
  buffer.length += count;
  return length;
}

function put(buffer: Buffer, byte: number): void {
  const at = room(buffer, 1);
  buffer.bytes[at] = byte;
}

function putUint(buffer: Buffer, value: number): void {
  if (value <= 0x7f) put(buffer, value);
  else if (value <= 0xff) putWide(buffer, 0xcc, { value, width: 1 });
  else if (value <= 0xffff) putWide(buffer, 0xcd, { value, width: 2 });
  else if (value <= 0xffff_ffff) putWide(buffer, 0xce, { value, width: 4 });
  else putWide(buffer, 0xcf, { value, width: 8 });
}

/** The first byte, then the value, highest byte first. */
function putWide(buffer: Buffer, head: number, { value, width }: { value: number; width: number }): void {
  const at = room(buffer, 1 + width);
  buffer.bytes[at] = head;
  let rest = value;
  for (let index = width; index >= 1; index--) {
    buffer.bytes[at + index] = rest % 0x100;
    rest = Math.floor(rest / 0x100);
  }
}

function putCount(buffer: Buffer, { count, fixed, wide }: { count: number; fixed: number; wide: number }): void {
  if (count <= 15) put(buffer, fixed + count);
  else if (count <= 0xffff) putWide(buffer, wide, { value: count, width: 2 });
  else putWide(buffer, wide + 1, { value: count, width: 4 });
}

function putText(buffer: Buffer, bytes: Uint8Array): void {
  if (bytes.length <= 31) put(buffer, 0xa0 + bytes.length);
  else putLength(buffer, 0xd9, bytes.length);
  putBytes(buffer, bytes);
}

function putBin(buffer: Buffer, bytes: Uint8Array): void {
  putLength(buffer, 0xc4, bytes.length);
  putBytes(buffer, bytes);
}

function putLength(buffer: Buffer, head: number, value: number): void {
  if (value <= 0xff) putWide(buffer, head, { value, width: 1 });
  else if (value <= 0xffff) putWide(buffer, head + 1, { value, width: 2 });
  else putWide(buffer, head + 2, { value, width: 4 });
}

function putBytes(buffer: Buffer, bytes: Uint8Array): void {
  const at = room(buffer, bytes.length);
  buffer.bytes.set(bytes, at);
}
