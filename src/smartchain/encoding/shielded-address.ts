import { bech32 } from '@scure/base';
import { bytesToHex } from '../../primitives/hex.ts';
import type { Prefixes } from '../params.ts';
import { decodeBase58Check } from './base58check.ts';

/** A shielded payment address, its parts in the order of bytes in which the address holds them. */
export type ShieldedAddress =
  | {
      readonly type: 'sprout';
      /** 32 bytes. */
      readonly payingKey: Uint8Array;
      /** 32 bytes. */
      readonly transmissionKey: Uint8Array;
    }
  | {
      readonly type: 'sapling';
      /** 11 bytes. */
      readonly diversifier: Uint8Array;
      /** 32 bytes. */
      readonly diversifiedTransmissionKey: Uint8Array;
    };

const KEY_BYTES = 32;
const DIVERSIFIER_BYTES = 11;
/** Separator, 43 bytes in groups of five bits, and checksum. */
const SAPLING_TAIL = 1 + 69 + 6;

/**
 * Reads a Sprout address (base58; white space around it is passed over) or a Sapling one (bech32, in one case throughout).
 * Undefined for any other text and for other networks. The encoding is judged, not whether the keys are points of their curve.
 */
export function decodeShieldedAddress(text: string, prefixes: Prefixes): ShieldedAddress | undefined {
  return decodeSprout(text, prefixes) ?? decodeSapling(text, prefixes);
}

function decodeSprout(text: string, { sprout }: Prefixes): ShieldedAddress | undefined {
  const payload = decodeBase58Check(text);
  if (payload?.length !== 2 + 2 * KEY_BYTES || payload[0] !== sprout[0] || payload[1] !== sprout[1]) return undefined;
  return {
    type: 'sprout',
    payingKey: payload.slice(2, 2 + KEY_BYTES),
    transmissionKey: payload.slice(2 + KEY_BYTES),
  };
}

function decodeSapling(text: string, { sapling }: Prefixes): ShieldedAddress | undefined {
  if (text.length !== sapling.length + SAPLING_TAIL) return undefined;
  try {
    // Refuses mixed case, and anything but zero bits behind the last byte.
    const { prefix, bytes } = bech32.decodeToBytes(text, text.length);
    if (prefix !== sapling) return undefined;
    return {
      type: 'sapling',
      diversifier: bytes.slice(0, DIVERSIFIER_BYTES),
      diversifiedTransmissionKey: bytes.slice(DIVERSIFIER_BYTES),
    };
  } catch {
    return undefined;
  }
}

/**
 * The parts in hex, named and ordered as z_validateaddress prints them. The node prints keys last byte first, as numbers of
 * 256 bits, and the diversifier first byte first.
 */
export function shieldedAddressFields(address: ShieldedAddress): Readonly<Record<string, string>> {
  if (address.type === 'sprout') {
    return { payingkey: reversedHex(address.payingKey), transmissionkey: reversedHex(address.transmissionKey) };
  }
  return {
    diversifier: bytesToHex(address.diversifier),
    diversifiedtransmissionkey: reversedHex(address.diversifiedTransmissionKey),
  };
}

function reversedHex(bytes: Uint8Array): string {
  return bytesToHex(bytes.slice().reverse());
}
