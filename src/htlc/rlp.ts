import { bytesToHex, hexToBytes } from '../primitives/hex.ts';
import { type ByteReader, byteReader, failReading, readBytes, readUint, remainingBytes } from './byte-reader.ts';
import { concatBytes } from './byte-writer.ts';

// Ethereum's encoding of bytes and lists (RLP; Ethereum yellow paper, appendix B). No library that reads it is among the plain
// dependencies, and all that a swap needs of it is on this page.

/** A text of bytes, or a list with the encoding of its members. */
export type RlpItem = { readonly isList: boolean; readonly content: Uint8Array };

const TEXT = 0x80;
const LIST = 0xc0;
const LONGEST_SHORT = 55;
/** Six bytes count more than any transaction has, and stay exact in a double. */
const MOST_LENGTH_BYTES = 6;

/**
 * The next item, with its content as a view of the source; on a fault `reader.problem` says which, and the answer holds no
 * meaning. Lengths in a longer form than needed are read: whether bytes are those that a chain holds, their hash says.
 */
export function readRlp(reader: ByteReader): RlpItem {
  const prefix = readUint(reader, 1);
  if (prefix < TEXT) return { isList: false, content: reader.bytes.subarray(reader.offset - 1, reader.offset) };
  const isList = prefix >= LIST;
  const short = prefix - (isList ? LIST : TEXT);
  return { isList, content: readBytes(reader, short <= LONGEST_SHORT ? short : readLength(reader, short)) };
}

function readLength(reader: ByteReader, short: number): number {
  const size = short - LONGEST_SHORT;
  if (size > MOST_LENGTH_BYTES) failReading(reader, `holds an item whose length takes ${size} bytes`);
  return readBytes(reader, size).reduce((length, byte) => length * 256 + byte, 0);
}

/** The members of a list that fills the bytes; undefined for anything else. Lists among them are not read further. */
export function decodeRlpList(bytes: Uint8Array): readonly RlpItem[] | undefined {
  const list = byteReader(bytes);
  const { isList, content } = readRlp(list);
  if (!isList || list.problem !== undefined || remainingBytes(list) > 0) return undefined;
  const members = byteReader(content);
  const items: RlpItem[] = [];
  while (remainingBytes(members) > 0) items.push(readRlp(members));
  return members.problem === undefined ? items : undefined;
}

/** A text of bytes, encoded. */
export function rlpText(bytes: Uint8Array): Uint8Array {
  if (bytes.length === 1 && (bytes[0] as number) < TEXT) return bytes;
  return concatBytes([head(TEXT, bytes.length), bytes]);
}

/** A list of members that are encoded already. */
export function rlpList(members: readonly Uint8Array[]): Uint8Array {
  const content = concatBytes(members);
  return concatBytes([head(LIST, content.length), content]);
}

function head(base: number, length: number): Uint8Array {
  if (length <= LONGEST_SHORT) return Uint8Array.of(base + length);
  const size = numberBytes(BigInt(length));
  return concatBytes([Uint8Array.of(base + LONGEST_SHORT + size.length), size]);
}

/** A number as Ethereum writes it: most significant byte first, without leading zeros, so none for 0. */
export function numberBytes(value: bigint): Uint8Array {
  if (value === 0n) return new Uint8Array(0);
  const digits = value.toString(16);
  return hexToBytes(digits.length % 2 === 1 ? `0${digits}` : digits);
}

/** An unsigned number, most significant byte first; no bytes are 0. */
export function bytesNumber(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${bytesToHex(bytes)}`);
}
