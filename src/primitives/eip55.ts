import { keccak256 } from './hash.ts';
import { bytesToHex } from './hex.ts';

/** An account of 40 hex digits as others read it: with 0x, and the case of its letters as a checksum (EIP-55). */
export function addressText(account: string): string {
  const digits = account.toLowerCase();
  const hash = bytesToHex(keccak256(new TextEncoder().encode(digits)));
  const mixed = [...digits].map((digit, place) => (hash.charAt(place) >= '8' ? digit.toUpperCase() : digit));
  return `0x${mixed.join('')}`;
}
