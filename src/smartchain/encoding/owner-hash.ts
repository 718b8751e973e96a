import { hash160 } from '../../primitives/hash.ts';
import { rememberingBytes } from '../../primitives/remember.ts';

/** Number of keys and conditions whose hashes are cached. */
const REMEMBERED = 4096;
const known = rememberingBytes(hash160, REMEMBERED);

/**
 * HASH160 of a public key or of a script up to its condition: the owner of an output. The same few occur again and again, in each transaction and
 * each answer. The result is read-only.
 */
export function ownerHash(keyOrCondition: Uint8Array): Uint8Array {
  return known(keyOrCondition);
}
