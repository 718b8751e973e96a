import { HDKey } from '@scure/bip32';
import { hash160 } from '../../primitives/hash.ts';
import { bytesToHex } from '../../primitives/hex.ts';
import { WireFault } from './wire-fault.ts';

/**
 * Below the last account of Komodo, whose number is not hardened: the key by which the trading framework identifies a
 * device.
 */
export const DEVICE_KEY_PATH = [0x8000_002c, 0x8000_008d, 0x7fff_ffff, 0, 0] as const;
/** The name of that coin in the device. */
export const DEVICE_KEY_COIN = 'Komodo';

/** The public key in an extended one. @throws WireFault if it is invalid, or belongs to another path. */
export function publicKeyAt(xpub: string, path: readonly number[]): Uint8Array {
  const key = extendedKey(xpub);
  if (key.depth !== path.length || (path.length > 0 && key.index !== path.at(-1))) {
    throw new WireFault('the public key of a different path');
  }
  if (key.publicKey === null || key.privateKey !== null) throw new WireFault('an extended key that is not public');
  return key.publicKey;
}

function extendedKey(xpub: string): HDKey {
  try {
    return HDKey.fromExtendedKey(xpub);
  } catch {
    throw new WireFault('bytes that are not an extended public key');
  }
}

/** The HASH160 of a key, 40 hex digits. */
export function keyHash(key: Uint8Array): string {
  return bytesToHex(hash160(key));
}
