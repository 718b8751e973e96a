import { base58, base64 } from '@scure/base';
import { hexToBytes } from './hex.ts';

/** This many hex digits in a row show that a secret is quoted. */
export const WINDOW = 16;

/**
 * Whether a text holds a secret, or half of it, in any encoding of bytes: hex in either case and order, with anything
 * between its digits; base64 of either alphabet, also inside a longer text; base58; percent-encoding; a decimal number;
 * lists of numbers.
 *
 * @param secrets in hex.
 */
export function holdsSecret(text: string, secrets: readonly string[]): boolean {
  if (secrets.length === 0) return false;
  const digits = squeezed(text);
  const dense = text
    .replace(/[^0-9A-Za-z+/_-]+/g, '')
    .replace(/-/g, '+')
    .replace(/_/g, '/');
  const decimals = text.replace(/[^0-9]+/g, '');
  const numbers = ` ${(text.match(/\d+/g) ?? []).join(' ')} `;
  return secrets.some((secret) => {
    const bytes = hexToBytes(secret);
    return (
      windowsOf(secret.toLowerCase()).some((window) => digits.includes(window)) ||
      windowsOf(secretReversed(secret)).some((window) => digits.includes(window)) ||
      densesOf(bytes).some((window) => dense.includes(window)) ||
      decimals.includes(BigInt(`0x${secret}`).toString().slice(0, 20)) ||
      listsOf(bytes).some((list) => numbers.includes(list))
    );
  });
}

/** The hex digits of a text in their order, without what separates them, after escapes are decoded. */
export function squeezed(text: string): string {
  const plain = text
    .replace(/\\u00|\\x|0x/gi, ' ')
    .replace(/%([0-9a-f]{2})/gi, (_, digits: string) => unescaped(digits));
  return plain
    .replace(/\\[nrt]/g, '')
    .replace(/[^0-9a-f]+/gi, '')
    .toLowerCase();
}

/** A percent escape encodes a byte, or one digit of the text. */
function unescaped(digits: string): string {
  const char = String.fromCharCode(Number.parseInt(digits, 16));
  return /[0-9a-f]/i.test(char) ? char : digits;
}

/** The parts of a secret in hex that a text is searched for. */
export function windowsOf(digits: string): readonly string[] {
  const windows: string[] = [];
  for (let start = 0; start + WINDOW <= digits.length; start += WINDOW)
    windows.push(digits.slice(start, start + WINDOW));
  return windows;
}

function secretReversed(secret: string): string {
  return (secret.toLowerCase().match(/../g) ?? []).toReversed().join('');
}

const DENSE = 11;

/** Pieces of its base64 at any offset of a longer text, and of its base58. */
function densesOf(bytes: Uint8Array): readonly string[] {
  const pieces: string[] = [];
  for (const lead of [0, 1, 2]) {
    const text = base64.encode(new Uint8Array([...new Uint8Array(lead), ...bytes]));
    for (let start = 4; start + DENSE < text.length - 4; start += DENSE) pieces.push(text.slice(start, start + DENSE));
  }
  const short = base58.encode(bytes);
  for (let start = 0; start + DENSE <= short.length; start += DENSE) pieces.push(short.slice(start, start + DENSE));
  return pieces;
}

/** Eight of its bytes in a row as decimal numbers. */
function listsOf(bytes: Uint8Array): readonly string[] {
  const lists: string[] = [];
  for (let start = 0; start + 8 <= bytes.length; start += 8)
    lists.push(` ${[...bytes.slice(start, start + 8)].join(' ')} `);
  return lists;
}
