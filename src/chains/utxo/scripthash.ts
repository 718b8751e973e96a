import { sha256 } from '../../primitives/hash.ts';
import { bytesToHex } from '../../primitives/hex.ts';

/** By what the Electrum protocol names a script: the SHA-256 of its bytes, last byte first, in hex. */
export function scripthashOf(script: Uint8Array): string {
  return bytesToHex(sha256(script).reverse());
}
