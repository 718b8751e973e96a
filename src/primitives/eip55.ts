import { keccak256 } from './hash.ts';
import { bytesToHex } from './hex.ts';

/**
 * An account of 40 hex digits in the usual form: with 0x, and with the case of its letters as a checksum (EIP-55).
 *
 * @example
 * ```ts
 * import { addressText } from 'swapfold/chains/evm';
 *
 * const address = addressText('5aaeb6053f3e94c9b9a09f33669435e7ef1beaed');
 * address; // → '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
 * ```
 */
export function addressText(account: string): string {
  const digits = account.toLowerCase();
  const hash = bytesToHex(keccak256(new TextEncoder().encode(digits)));
  const mixed = [...digits].map((digit, place) => (hash.charAt(place) >= '8' ? digit.toUpperCase() : digit));
  return `0x${mixed.join('')}`;
}
