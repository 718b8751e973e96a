/** Bitcoin's compact size in its shortest form. @throws RangeError outside 0 to 2^32 - 1. */
export function compactSize(value: number): Uint8Array {
  if (value < 0xfd) return uintBytes(value, 1);
  return value < 0x1_0000
    ? concatBytes([Uint8Array.of(0xfd), uintBytes(value, 2)])
    : concatBytes([Uint8Array.of(0xfe), uintBytes(value, 4)]);
}

/**
 * All parts in one new array.
 *
 * @example
 * ```ts
 * import { bytesToHex, concatBytes, hexToBytes, SIGHASH_ALL } from 'swapfold/htlc';
 *
 * const signature = hexToBytes('3006020101020102');
 * bytesToHex(concatBytes([signature, Uint8Array.of(SIGHASH_ALL)])); // → '300602010102010201'
 * ```
 */
export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    writeBytes(whole, part, offset);
    offset += part.length;
  }
  return whole;
}

const SHORT = 40;

/** Writes bytes into others from `offset` on. */
export function writeBytes(into: Uint8Array, bytes: Uint8Array, offset: number): void {
  if (bytes.length > SHORT) into.set(bytes, offset);
  // Copying a block costs as much as some forty bytes one by one.
  else for (let index = 0; index < bytes.length; index++) into[offset + index] = bytes[index] as number;
}

/** An unsigned number, least significant byte first. @throws RangeError when it does not fit `size` bytes. */
export function uintBytes(value: number, size: 1 | 2 | 4): Uint8Array {
  if (!Number.isSafeInteger(value) || value < 0 || value >= 256 ** size) {
    throw new RangeError(`${value} does not fit ${size} bytes`);
  }
  const bytes = new Uint8Array(size);
  let rest = value;
  for (let index = 0; index < size; index++) {
    bytes[index] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  return bytes;
}

/** An unsigned number of eight bytes, least significant byte first. @throws RangeError when it does not fit. */
export function uint64Bytes(value: bigint): Uint8Array {
  if (value < 0n || value >= 1n << 64n) throw new RangeError(`${value} does not fit 8 bytes`);
  return concatBytes([uintBytes(Number(value & 0xffff_ffffn), 4), uintBytes(Number(value >> 32n), 4)]);
}
