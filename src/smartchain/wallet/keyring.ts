import { hash160 } from '../../primitives/hash.ts';
import { bytesToHex } from '../../primitives/hex.ts';
import { encodeAddress } from '../encoding/address.ts';
import { publicKeyOf } from '../keys/secp256k1.ts';
import type { Prefixes } from '../params.ts';

/** A key that the wallet can sign with. */
export type WalletKey = {
  /** 32 bytes; must never be printed. */
  readonly secretKey: Uint8Array;
  readonly publicKey: Uint8Array;
  readonly compressed: boolean;
  /** The address of the key on its network. */
  readonly address: string;
};

/** Keys by the hex of their HASH160, in the order in which they were added, and watch-only addresses. */
export type Keyring = {
  readonly prefixes: Prefixes;
  readonly keys: Map<string, WalletKey>;
  /** Keys of `ownerKey`. */
  readonly watched: Set<string>;
};

export function keyring(prefixes: Prefixes): Keyring {
  return { prefixes, keys: new Map(), watched: new Set() };
}

/** Adds a key; an existing one stays unchanged. @throws SmartChainError SMARTCHAIN_KEY_INVALID */
export function addKey(
  ring: Keyring,
  { secretKey, compressed }: { secretKey: Uint8Array; compressed: boolean },
): WalletKey {
  const publicKey = publicKeyOf(secretKey, compressed);
  const hash = hash160(publicKey);
  const name = bytesToHex(hash);
  const held = ring.keys.get(name);
  if (held !== undefined) return held;
  const key = { secretKey, publicKey, compressed, address: encodeAddress({ kind: 'key', hash }, ring.prefixes) };
  ring.keys.set(name, key);
  return key;
}

/** The key with this HASH160; undefined if the wallet does not have it. */
export function keyOfHash({ keys }: Keyring, hash: Uint8Array): WalletKey | undefined {
  return keys.get(bytesToHex(hash));
}
