/**
 * A cursor over foreign bytes.
 *
 * A read past the end, or of a number in a longer form than needed, sets `problem` and moves the cursor to the end. Every later read then fails at
 * once, so a parser can read a whole structure and check `problem` afterwards; only loops must check before each round.
 */
export type ByteReader = {
  readonly bytes: Uint8Array;
  offset: number;
  problem: string | undefined;
};

const EMPTY = new Uint8Array(0);

/** A reader at the first byte, or at `offset`. */
export function byteReader(bytes: Uint8Array, offset = 0): ByteReader {
  return { bytes, offset, problem: undefined };
}

/** Bytes not yet read. */
export function remainingBytes(reader: ByteReader): number {
  return reader.bytes.length - reader.offset;
}

/** Records the first fault and ends the reading. */
export function failReading(reader: ByteReader, problem: string): void {
  reader.problem ??= problem;
  reader.offset = reader.bytes.length;
}

/** The next `length` bytes, as a view of the source and not a copy; empty after a fault. */
export function readBytes(reader: ByteReader, length: number): Uint8Array {
  const start = advance(reader, length);
  return start < 0 || length === 0 ? EMPTY : reader.bytes.subarray(start, start + length);
}

/** An unsigned number of up to six bytes, least significant byte first; 0 after a fault. */
export function readUint(reader: ByteReader, size: number): number {
  const start = advance(reader, size);
  let value = 0;
  // A view of so few bytes would cost more than the number.
  if (start >= 0) for (let at = start + size - 1; at >= start; at--) value = value * 256 + (reader.bytes[at] as number);
  return value;
}

/** Skips the next `length` bytes and returns where they start; -1 after a fault. */
function advance(reader: ByteReader, length: number): number {
  const start = reader.offset;
  if (reader.problem !== undefined || length > reader.bytes.length - start) {
    failReading(reader, `ends ${length - remainingBytes(reader)} bytes too early at byte ${start}`);
    return -1;
  }
  reader.offset = start + length;
  return start;
}

/** An unsigned number of eight bytes, least significant byte first; 0 after a fault. */
export function readUint64(reader: ByteReader): bigint {
  const low = readUint(reader, 4);
  const high = readUint(reader, 4);
  return (BigInt(high) << 32n) | BigInt(low);
}

/** Bitcoin's compact size, in its shortest form only; lengths of 2^32 and above are a fault. */
export function readCompactSize(reader: ByteReader): number {
  const first = readUint(reader, 1);
  if (first < 0xfd) return first;
  if (first === 0xff) {
    failReading(reader, 'holds a length of 2^32 or more');
    return 0;
  }
  const size = first === 0xfd ? 2 : 4;
  const value = readUint(reader, size);
  if (value < (size === 2 ? 0xfd : 0x1_0000)) failReading(reader, `holds a length in a longer form than needed`);
  return reader.problem === undefined ? value : 0;
}

/**
 * A compact size that counts items of at least `itemSize` bytes each. More items than the remaining bytes can hold are a fault, so that a short text
 * cannot make the caller allocate much.
 */
export function readCount(reader: ByteReader, itemSize: number): number {
  const count = readCompactSize(reader);
  if (count * itemSize <= remainingBytes(reader)) return count;
  failReading(
    reader,
    `announces ${count} items of ${itemSize} bytes or more, with ${remainingBytes(reader)} bytes left`,
  );
  return 0;
}

/** Bytes preceded by their length as a compact size. */
export function readVarBytes(reader: ByteReader): Uint8Array {
  return readBytes(reader, readCompactSize(reader));
}
