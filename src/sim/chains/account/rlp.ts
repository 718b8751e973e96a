import { byteReader, readBytes, readUint, remainingBytes } from '../../../htlc/byte-reader.ts';
import { concatBytes } from '../../../htlc/byte-writer.ts';
import { bytesToHex, hexToBytes } from '../../../primitives/hex.ts';

/** Ethereum's encoding of a list of byte texts (RLP). */
export function encodeList(items: readonly Uint8Array[]): Uint8Array {
  const body = concatBytes(items.map(encodeItem));
  return concatBytes([head(0xc0, body.length), body]);
}

function encodeItem(item: Uint8Array): Uint8Array {
  if (item.length === 1 && (item[0] as number) < 0x80) return item;
  return concatBytes([head(0x80, item.length), item]);
}

function head(base: number, length: number): Uint8Array {
  if (length <= 55) return Uint8Array.of(base + length);
  const size = numberBytes(BigInt(length));
  return concatBytes([Uint8Array.of(base + 55 + size.length), size]);
}

/** A number, most significant byte first, without leading zeros. */
export function numberBytes(value: bigint): Uint8Array {
  if (value === 0n) return new Uint8Array(0);
  const digits = value.toString(16);
  return hexToBytes(digits.length % 2 === 1 ? `0${digits}` : digits);
}

export function bytesNumber(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${bytesToHex(bytes)}`);
}

/** The members of a list that fills the bytes; null for anything else, lists inside of the list included. */
export function decodeList(bytes: Uint8Array): readonly Uint8Array[] | null {
  const reader = byteReader(bytes);
  const size = readHead(0xc0);
  if (size === null || size !== remainingBytes(reader)) return null;
  const items: Uint8Array[] = [];
  while (remainingBytes(reader) > 0) {
    const first = bytes[reader.offset] as number;
    const length = first < 0x80 ? 1 : readHead(0x80);
    if (length === null) return null;
    items.push(readBytes(reader, length));
  }
  return reader.problem === undefined ? items : null;

  function readHead(base: number): number | null {
    const short = readUint(reader, 1) - base;
    if (reader.problem !== undefined || short < 0 || short > 63) return null;
    const length = short <= 55 ? short : Number(bytesNumber(readBytes(reader, short - 55)));
    return reader.problem === undefined && Number.isSafeInteger(length) ? length : null;
  }
}
