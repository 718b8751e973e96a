import { keccak256 } from '../../primitives/hash.ts';
import { bytesToHex } from '../../primitives/hex.ts';

const FORM = /^0x[0-9a-fA-F]{40}$/;

/** An account of 40 lower-case hex digits as others read it: with 0x, and the case of its letters as a checksum (EIP-55). */
export function addressText(account: string): string {
  const hash = bytesToHex(keccak256(new TextEncoder().encode(account)));
  const digits = [...account].map((digit, place) => (hash.charAt(place) >= '8' ? digit.toUpperCase() : digit));
  return `0x${digits.join('')}`;
}

/** The account that a text stands for; or, in the real node's words, why it stands for none. */
export function readAddress(text: string): { readonly account: string } | { readonly problem: string } {
  if (!text.startsWith('0x')) return { problem: 'Address must be prefixed with 0x' };
  if (!FORM.test(text)) return { problem: 'Invalid address: expected 0x and 40 hex digits' };
  const account = text.slice(2).toLowerCase();
  return addressText(account) === text ? { account } : { problem: 'Invalid address checksum' };
}
