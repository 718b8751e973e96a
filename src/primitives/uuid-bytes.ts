import { bytesToHex, hexToBytes } from './hex.ts';
import type { Uuid } from './ids.ts';

export function uuidBytes(uuid: Uuid): Uint8Array {
  return hexToBytes(uuid.replaceAll('-', ''));
}

/** The uuid with these 16 bytes. */
export function uuidOfBytes(bytes: Uint8Array): Uuid {
  const hex = bytesToHex(bytes);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-') as Uuid;
}
