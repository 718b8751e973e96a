import { sha256 } from '../../primitives/hash.ts';

const encoder = new TextEncoder();

/**
 * 64 bytes derived from what is signed and the name of the signer. A real signature takes half a millisecond; this one binds
 * as well, as long as nobody in the simulation forges it.
 */
export function plainSignature(digest: string, signer: string): Uint8Array {
  const signature = new Uint8Array(64);
  const r = sha256(encoder.encode(`${digest}/${signer}`));
  signature.set(positive(r));
  signature.set(positive(sha256(r)), 32);
  return signature;
}

/** The same as 71 bytes of the form of a DER signature with the hash type ALL after it. */
export function derSignature(digest: string, key: string): Uint8Array {
  const plain = plainSignature(digest, key);
  const signature = new Uint8Array(71);
  signature.set([0x30, 0x44, 0x02, 0x20]);
  signature.set(plain.subarray(0, 32), 4);
  signature.set([0x02, 0x20], 36);
  signature.set(plain.subarray(32), 38);
  signature[70] = 0x01;
  return signature;
}

/** DER integers are signed and of least length, so the first byte lies between 1 and 127. */
function positive(bytes: Uint8Array): Uint8Array {
  bytes[0] = ((bytes[0] as number) & 0x7f) | 0x01;
  return bytes;
}
