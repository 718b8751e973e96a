const DIGIT = new Uint8Array(128);
for (const digit of '0123456789abcdefABCDEF') DIGIT[digit.charCodeAt(0)] = 1;

type HexScratch = {
  write(text: string, encoding: 'hex'): number;
  set(bytes: Uint8Array): void;
  toString(encoding: 'hex', start?: number, end?: number): string;
  readonly length: number;
};
type BufferLike = {
  allocUnsafe(size: number): HexScratch;
  byteLength(text: string): number;
  from(buffer: ArrayBufferLike, offset: number, length: number): HexScratch;
};

// The platform's native hex decoder (Node's Buffer) is several times faster than any loop in JavaScript; a browser uses
// the loop. A property test shows that both return the same.
const NATIVE = (globalThis as { Buffer?: BufferLike }).Buffer;
const SCRATCH_BYTES = 1 << 16;
/** Up to this length a loop finishes before a call of the native decoder. */
const SHORT_TEXT = 80;
/** From this length on the native decoder is faster than a loop. */
const LONG_TEXT = 512;
/** The same of the encoder, in bytes: the text of a loop is one of many parts, which take more memory and are joined when it is first looked into. */
const LONG_BYTES = 13;
const scratch = NATIVE?.allocUnsafe(SCRATCH_BYTES);

/**
 * True if `text` is an even number of hex digits of either case; the empty text is zero bytes.
 *
 * @example
 * ```ts
 * import { isHex } from 'swapfold/htlc';
 *
 * isHex('00fF'); // → true
 * isHex('0x00'); // → false
 * isHex('abc'); // → false
 * ```
 */
export function isHex(text: string): boolean {
  if ((text.length & 1) === 1) return false;
  if (text.length <= SHORT_TEXT) return isHexByLoop(text);
  if (NATIVE === undefined || scratch === undefined) return isHexByLoop(text);
  if (text.length <= 2 * SCRATCH_BYTES) return isNativeHex(text, NATIVE, scratch);
  for (let start = 0; start < text.length; start += 2 * SCRATCH_BYTES) {
    if (!isNativeHex(text.slice(start, start + 2 * SCRATCH_BYTES), NATIVE, scratch)) return false;
  }
  return true;
}

/**
 * The native decoder only looks at the low byte of a character, so U+0130 would pass for '0'. The UTF-8 length rules
 * that out: it equals the number of characters only for ASCII.
 */
function isNativeHex(text: string, native: BufferLike, into: HexScratch): boolean {
  return into.write(text, 'hex') === text.length >> 1 && native.byteLength(text) === text.length;
}

/** The portable form of {@link isHex}. */
export function isHexByLoop(text: string): boolean {
  if ((text.length & 1) === 1) return false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code > 127 || DIGIT[code] === 0) return false;
  }
  return true;
}

const NO_NIBBLE = 255;
const NIBBLE = new Uint8Array(128).fill(NO_NIBBLE);
for (let value = 0; value < 16; value++) {
  NIBBLE[value.toString(16).charCodeAt(0)] = value;
  NIBBLE[value.toString(16).toUpperCase().charCodeAt(0)] = value;
}

/** The value of the hex digit of either case at an index; above 15 where there is none. */
export function nibbleOf(text: string, index: number): number {
  return NIBBLE[text.charCodeAt(index)] ?? NO_NIBBLE;
}

/**
 * Bytes of a hex text of either case, without a 0x prefix.
 *
 * @throws RangeError if the text is not hex or has an odd number of digits.
 *
 * @example
 * ```ts
 * import { hexToBytes } from 'swapfold/htlc';
 *
 * hexToBytes('00fF'); // → Uint8Array.of(0, 255)
 * hexToBytes('0x00fF'); // throws RangeError
 * ```
 */
export function hexToBytes(text: string): Uint8Array {
  if (!isHex(text)) throw new RangeError(`not a hex text of whole bytes (${text.length} characters)`);
  const bytes = new Uint8Array(text.length >> 1);
  if (NATIVE !== undefined && text.length > LONG_TEXT) {
    NATIVE.from(bytes.buffer, 0, bytes.length).write(text, 'hex');
    return bytes;
  }
  for (let index = 0; index < bytes.length; index++) {
    const high = NIBBLE[text.charCodeAt(2 * index)] as number;
    const low = NIBBLE[text.charCodeAt(2 * index + 1)] as number;
    bytes[index] = (high << 4) | low;
  }
  return bytes;
}

const HEX_OF_BYTE = Array.from({ length: 256 }, (_, value) => value.toString(16).padStart(2, '0'));

/**
 * Lower-case hex of the bytes.
 *
 * @example
 * ```ts
 * import { bytesToHex } from 'swapfold/htlc';
 *
 * bytesToHex(Uint8Array.of(0, 15, 255)); // → '000fff'
 * ```
 */
export function bytesToHex(bytes: Uint8Array): string {
  // A program without types may give a plain array, which has no buffer.
  if (NATIVE === undefined || scratch === undefined || bytes.length < LONG_BYTES || !ArrayBuffer.isView(bytes)) {
    return bytesToHexByLoop(bytes);
  }
  if (bytes.length > SCRATCH_BYTES) return NATIVE.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex');
  // A copy costs less than a view, which is an object for each call.
  scratch.set(bytes);
  return scratch.toString('hex', 0, bytes.length);
}

/** The portable form of {@link bytesToHex}. */
export function bytesToHexByLoop(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += HEX_OF_BYTE[byte];
  return text;
}

/**
 * True when both hold the same bytes. Not constant-time: for public data only.
 *
 * @example
 * ```ts
 * import { hexToBytes, sameBytes } from 'swapfold/htlc';
 *
 * sameBytes(hexToBytes('00FF'), hexToBytes('00ff')); // → true
 * sameBytes(hexToBytes('00'), hexToBytes('0000')); // → false
 * ```
 */
export function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false;
  for (let index = 0; index < left.length; index++) if (left[index] !== right[index]) return false;
  return true;
}

/**
 * True if two different values of the same length agree in at least three quarters of their bytes. Two independent keys
 * or hashes never do, so one of them is a changed copy of the other.
 */
export function isAlteredCopy(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false;
  let same = 0;
  for (let index = 0; index < left.length; index++) if (left[index] === right[index]) same++;
  return same < left.length && same * 4 >= left.length * 3;
}
