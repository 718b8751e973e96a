import { sha256 } from '../../primitives/hash.ts';
import { bytesToHex } from '../../primitives/hex.ts';
import { parseUuid, type Uuid } from '../../primitives/ids.ts';

/** What everything made up is derived from. Equal seeds give equal bytes, on every machine and in every release. */
export type Seed = string | number;

const encoder = new TextEncoder();

/** 32 bytes that depend on the seed and the label alone. */
export function seededBytes(seed: Seed, label: string): Uint8Array {
  return sha256(encoder.encode(`${seed}\n${label}`));
}

/** 32 bytes as 64 hex digits. */
export function seededHex(seed: Seed, label: string): string {
  return bytesToHex(seededBytes(seed, label));
}

/** A whole number from 0 to `below - 1`; `below` is at most 2^32. */
export function seededInt(seed: Seed, label: string, below: number): number {
  const bytes = seededBytes(seed, label);
  return new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0) % below;
}

/**
 * 33 bytes of the form of a compressed public key: 02 or 03 and 32 bytes. Nobody knows its private key, and half of such
 * keys are no point of the curve.
 */
export function seededKey(seed: Seed, label: string): Uint8Array {
  const key = new Uint8Array(33);
  key.set(seededBytes(seed, label), 1);
  key[0] = 2 + ((key[32] as number) & 1);
  return key;
}

/** 71 bytes of the form of a DER signature with the hash type ALL after it. It signs nothing. */
export function seededSignature(seed: Seed, label: string): Uint8Array {
  const signature = new Uint8Array(71);
  signature.set([0x30, 0x44, 0x02, 0x20]);
  signature.set(positive(seededBytes(seed, `${label}/r`)), 4);
  signature.set([0x02, 0x20], 36);
  signature.set(positive(seededBytes(seed, `${label}/s`)), 38);
  signature[70] = 0x01;
  return signature;
}

/** DER integers are signed and of least length, so the first byte lies between 1 and 127. */
function positive(bytes: Uint8Array): Uint8Array {
  bytes[0] = ((bytes[0] as number) & 0x7f) | 0x01;
  return bytes;
}

/** A version 4 UUID. */
export function seededUuid(seed: Seed, label: string): Uuid {
  const digits = seededHex(seed, label).slice(0, 32).split('');
  digits[12] = '4';
  digits[16] = '8';
  return parseUuid(digits.join('')) as Uuid;
}
