import { sha256 } from '../../primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../primitives/hex.ts';

/** What a uuid says of whose order it is: it proves it, it proves that it is someone else's, or it says nothing. */
export type UuidClaim = 'theirs' | 'anothers' | 'nobodys';

/** What is hashed begins with it, so that the hash is one of nothing else. */
const PREFIX = 'swapfold-order-1';

/** The version of UUIDs whose bits everyone may define (RFC 9562); the real node's are of version 4. */
const OWN_VERSION = 8;
const HALF = 8;

/**
 * A UUID that proves whose order it is: 60 bits that were drawn, and 62 of a hash of these and of the signing key. Everyone hears a request before
 * anyone answers it, and anyone who repeats it has another key.
 *
 * @param key a signing key without parity, 32 bytes in hex.
 * @param drawn at least 8 bytes, of which the first 8 count; always the same UUID for the same bytes.
 */
export function uuidOfKey(key: string, drawn: Uint8Array): string {
  const bytes = new Uint8Array(2 * HALF);
  bytes.set(drawn.subarray(0, HALF));
  bytes[6] = ((bytes[6] as number) & 0x0f) | (OWN_VERSION << 4);
  const proof = sha256(
    Uint8Array.from([...new TextEncoder().encode(PREFIX), ...hexToBytes(key), ...bytes.subarray(0, HALF)]),
  );
  bytes.set(proof.subarray(0, HALF), HALF);
  return withVariant(bytes);
}

/** Whether the order of a uuid can belong to the signer with this key, 32 bytes in hex without parity. */
export function claimOf(uuid: string, key: string): UuidClaim {
  if (uuid[14] !== String(OWN_VERSION)) return 'nobodys';
  return uuidOfKey(key, hexToBytes(uuid.replaceAll('-', ''))) === uuid ? 'theirs' : 'anothers';
}

/** A random UUID of version 4 (RFC 9562). */
export function randomUuid(drawn: Uint8Array): string {
  const bytes = Uint8Array.from(drawn);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40;
  return withVariant(bytes);
}

function withVariant(bytes: Uint8Array): string {
  bytes[HALF] = ((bytes[HALF] as number) & 0x3f) | 0x80;
  const hex = bytesToHex(bytes);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
