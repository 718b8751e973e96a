import { hash160 } from '../../primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../primitives/hex.ts';
import { remembering } from '../../primitives/remember.ts';

/** Keys and conditions whose hashes are kept. */
const REMEMBERED = 4096;
const known = remembering((hex: string) => hash160(hexToBytes(hex)), REMEMBERED);

/**
 * HASH160 of a public key or of a script up to its condition: whom an output belongs to. The same few come up again and again, in
 * each transaction and each answer. What it gives is not to be changed.
 */
export function ownerHash(keyOrCondition: Uint8Array): Uint8Array {
  return known(bytesToHex(keyOrCondition));
}
