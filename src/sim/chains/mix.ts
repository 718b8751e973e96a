const HEX_OF_BYTE = Array.from({ length: 256 }, (_, value) => value.toString(16).padStart(2, '0'));

/** Two lower-case hex digits of a whole number from 0 to 255. */
export function hex2(value: number): string {
  return HEX_OF_BYTE[value & 0xff] as string;
}

/** Eight lower-case hex digits of a whole number, taken modulo 2^32. */
export function hex8(value: number): string {
  return (
    (HEX_OF_BYTE[value >>> 24] as string) +
    (HEX_OF_BYTE[(value >>> 16) & 0xff] as string) +
    (HEX_OF_BYTE[(value >>> 8) & 0xff] as string) +
    (HEX_OF_BYTE[value & 0xff] as string)
  );
}

const SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/** Hex digits of an amount from 0 on, filled up with zeros to `width`, which is at most 80. @throws RangeError below 0 */
export function hexAmount(value: bigint, width: number): string {
  if (value < 0n) throw new RangeError(`not an amount: ${value}`);
  // Formatting a number is several times faster than formatting a bigint.
  return value <= SAFE ? hexNumber(Number(value), width) : value.toString(16).padStart(width, '0');
}

const WORD = 2 ** 32;
const ZEROS = '0'.repeat(64);

/** The same for a whole number from 0 to the greatest safe one. */
export function hexNumber(value: number, width: number): string {
  if (width < 16) return value.toString(16).padStart(width, '0');
  return ZEROS.slice(0, width - 16) + hex8(Math.floor(value / WORD)) + hex8(value % WORD);
}

/**
 * Sixteen hex digits that depend on every character of the text. Fast and well spread, but not a cryptographic hash: anyone can find two texts with
 * the same digits.
 */
export function mixHex(text: string): string {
  let left = 0x9e37_79b9;
  let right = 0x41c6_ce57;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    left = Math.imul(left ^ code, 0x9e37_79b1);
    right = Math.imul(right ^ code, 0x5f35_6495);
  }
  left = Math.imul(left ^ (left >>> 16), 0x85eb_ca6b) ^ Math.imul(right ^ (right >>> 13), 0xc2b2_ae35);
  right = Math.imul(right ^ (right >>> 16), 0x85eb_ca6b) ^ Math.imul(left ^ (left >>> 13), 0xc2b2_ae35);
  return hex16(left, right);
}

/** The digits of two words. One call that makes a flat text is faster than joining the parts and hashing the result. */
function hex16(left: number, right: number): string {
  return String.fromCharCode(
    digit(left >>> 28),
    digit((left >>> 24) & 15),
    digit((left >>> 20) & 15),
    digit((left >>> 16) & 15),
    digit((left >>> 12) & 15),
    digit((left >>> 8) & 15),
    digit((left >>> 4) & 15),
    digit(left & 15),
    digit(right >>> 28),
    digit((right >>> 24) & 15),
    digit((right >>> 20) & 15),
    digit((right >>> 16) & 15),
    digit((right >>> 12) & 15),
    digit((right >>> 8) & 15),
    digit((right >>> 4) & 15),
    digit(right & 15),
  );
}

function digit(value: number): number {
  return value < 10 ? 48 + value : 87 + value;
}

const REMEMBERED = 1024;
const keys = new Map<string, string>();

/** 66 hex digits in the form of a compressed public key, which depend on the label alone. Nobody knows its private key. */
export function simulatedKey(label: string): string {
  let key = keys.get(label);
  if (key === undefined) {
    const first = mixHex(label);
    const second = mixHex(`${first}1`);
    const third = mixHex(`${second}2`);
    const fourth = mixHex(`${third}3`);
    key = `${(fourth.charCodeAt(15) & 1) === 0 ? '02' : '03'}${first}${second}${third}${fourth}`;
    if (keys.size >= REMEMBERED) keys.clear();
    keys.set(label, key);
  }
  return key;
}

const addresses = new Map<string, string>();

/** Sixteen hex digits for a key. */
export function shortAddress(key: string): string {
  let address = addresses.get(key);
  if (address === undefined) {
    address = mixHex(key);
    if (addresses.size >= REMEMBERED) addresses.clear();
    addresses.set(key, address);
  }
  return address;
}
