import { type ByteReader, failReading, readBytes, readUint } from '../../htlc/byte-reader.ts';
import { concatBytes, writeBytes } from '../../htlc/byte-writer.ts';

/** Maximum content that is written, in bytes. Content that is read stays below 65,536, because no script is longer. */
const MAX_CONTENT_BYTES = 0xff_ffff;

/** Largest number that is read, and largest cost of a condition: the crypto-conditions draft bounds costs and lengths by four bytes. */
export const MAX_UNSIGNED = 0xffff_ffff;

/** Tag of a field, by its position: simple content. */
export function simpleTag(position: number): number {
  return 0x80 | position;
}

/** Tag of a field, by its position, or of a condition, by its type: content made of elements. */
export function nestedTag(position: number): number {
  return 0xa0 | position;
}

export const SEQUENCE_TAG = 0x30;

/** An element in DER (X.690): tag, length in its shortest form, content. @throws RangeError from 16 MiB of content on. */
export function derElement(tag: number, content: Uint8Array): Uint8Array {
  const { length } = content;
  if (length > MAX_CONTENT_BYTES) throw new RangeError(`an element cannot hold ${length} bytes`);
  const digits = length < 0x80 ? 0 : length < 0x100 ? 1 : length < 0x1_0000 ? 2 : 3;
  const element = new Uint8Array(2 + digits + length);
  element[0] = tag;
  element[1] = digits === 0 ? length : 0x80 | digits;
  for (let digit = 0; digit < digits; digit++) element[1 + digits - digit] = (length >> (8 * digit)) & 0xff;
  writeBytes(element, content, 2 + digits);
  return element;
}

/** Elements of simple content, each with the tag of its position. */
export function derFields(contents: readonly Uint8Array[]): Uint8Array {
  return concatBytes(contents.map((content, position) => derElement(simpleTag(position), content)));
}

/** Content of an INTEGER: a whole number from 0 on, in signed form, with as few bytes as it needs. */
export function unsignedBytes(value: number): Uint8Array {
  let size = 1;
  for (let rest = Math.floor(value / 0x80); rest > 0; rest = Math.floor(rest / 256)) size++;
  const bytes = new Uint8Array(size);
  let rest = value;
  for (let index = size - 1; index >= 0; index--) {
    bytes[index] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  return bytes;
}

/** Content of a BIT STRING of named bits: first the count of unused bits, then bit 0 as the highest bit of the first byte. */
export function bitSetBytes(mask: number): Uint8Array {
  const highest = 31 - Math.clz32(mask);
  if (highest < 0) return Uint8Array.of(0);
  const bytes = new Uint8Array(2 + (highest >> 3));
  bytes[0] = 7 - (highest & 7);
  for (let bit = 0; bit <= highest; bit++) {
    const at = 1 + (bit >> 3);
    if ((mask >>> bit) & 1) bytes[at] = (bytes[at] as number) | (0x80 >> (bit & 7));
  }
  return bytes;
}

/** Order of a SET OF in DER: byte by byte, a beginning before the whole. */
export function compareBytes(left: Uint8Array, right: Uint8Array): number {
  const common = Math.min(left.length, right.length);
  for (let index = 0; index < common; index++) {
    const difference = (left[index] as number) - (right[index] as number);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** Content of a SET OF, in DER order. */
export function setBytes(elements: readonly Uint8Array[]): Uint8Array {
  return concatBytes([...elements].sort(compareBytes));
}

/** Content of the next element, which must have this tag, and its length in the shortest form; empty after a fault. */
export function readElement(reader: ByteReader, tag: number): Uint8Array {
  const found = readUint(reader, 1);
  if (found !== tag) failReading(reader, `holds tag ${found} instead of ${tag}`);
  return readBytes(reader, readLength(reader));
}

function readLength(reader: ByteReader): number {
  const first = readUint(reader, 1);
  if (first < 0x80) return first;
  const high = first === 0x82 ? readUint(reader, 1) : 0;
  const low = readUint(reader, 1);
  const shortest = first === 0x81 ? low >= 0x80 : first === 0x82 && high > 0;
  if (!shortest) failReading(reader, 'holds a length that is not in DER form');
  return high * 256 + low;
}

/** The next element as an INTEGER from 0 to {@link MAX_UNSIGNED}, in its shortest form; 0 after a fault. */
export function readUnsigned(reader: ByteReader, tag: number): number {
  const content = readElement(reader, tag);
  const first = content[0] ?? 0x80;
  const padded = first === 0 && content.length > 1 && (content[1] as number) < 0x80;
  let value = 0;
  for (const byte of content.subarray(0, 6)) value = value * 256 + byte;
  if (first >= 0x80 || padded || value > MAX_UNSIGNED) {
    failReading(reader, 'holds a number that is not in DER form');
    return 0;
  }
  return value;
}

/** The next element as a BIT STRING of named bits 0 to 31, in its shortest form; 0 after a fault. */
export function readBitSet(reader: ByteReader, tag: number): number {
  const content = readElement(reader, tag);
  let mask = 0;
  for (let bit = 0; bit < 32; bit++) {
    if (((content[1 + (bit >> 3)] ?? 0) << (bit & 7)) & 0x80) mask |= 1 << bit;
  }
  if (compareBytes(bitSetBytes(mask), content) === 0) return mask;
  failReading(reader, 'holds a bit string that is not in DER form');
  return 0;
}
