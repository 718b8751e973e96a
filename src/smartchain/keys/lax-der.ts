import { type ByteReader, byteReader, failReading, readBytes, readUint } from '../../htlc/byte-reader.ts';

const SEQUENCE = 0x30;
const INTEGER = 0x02;
const SCALAR_BYTES = 32;
/** Longer integers are refused: they fit no signature. */
const LONGEST_LENGTH = 3;

/**
 * The two numbers of a signature in DER as r and s of 32 bytes each, read with the tolerance of Bitcoin's reader from before
 * BIP 66: the length of the sequence is not judged, lengths and numbers may have leading zeros, a set top bit does not make a
 * number negative, and bytes behind s are passed over. Undefined when the parts are not there or a number exceeds 32 bytes.
 */
export function compactOfDer(signature: Uint8Array): Uint8Array | undefined {
  const reader = byteReader(signature);
  expectTag(reader, SEQUENCE);
  const length = readUint(reader, 1);
  if (length >= 0x80) readBytes(reader, length - 0x80);
  const r = readInteger(reader);
  const s = readInteger(reader);
  if (reader.problem !== undefined || r.length > SCALAR_BYTES || s.length > SCALAR_BYTES) return undefined;
  const compact = new Uint8Array(2 * SCALAR_BYTES);
  compact.set(r, SCALAR_BYTES - r.length);
  compact.set(s, 2 * SCALAR_BYTES - s.length);
  return compact;
}

function expectTag(reader: ByteReader, tag: number): void {
  if (readUint(reader, 1) !== tag) failReading(reader, `holds no ${tag === INTEGER ? 'integer' : 'sequence'}`);
}

/** The bytes of an integer, without leading zeros. */
function readInteger(reader: ByteReader): Uint8Array {
  expectTag(reader, INTEGER);
  return withoutZeros(readBytes(reader, readLength(reader)));
}

function readLength(reader: ByteReader): number {
  const first = readUint(reader, 1);
  if (first < 0x80) return first;
  const digits = withoutZeros(readBytes(reader, first - 0x80));
  if (digits.length > LONGEST_LENGTH) failReading(reader, 'holds a length that no signature has');
  return digits.reduce((length, digit) => length * 256 + digit, 0);
}

function withoutZeros(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte !== 0);
  return bytes.subarray(first < 0 ? bytes.length : first);
}
