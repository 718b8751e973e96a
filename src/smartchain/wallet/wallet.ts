import type { Random } from '../../ports/clock.ts';
import { hash160 } from '../../primitives/hash.ts';
import { bytesToHex } from '../../primitives/hex.ts';
import { Secret } from '../../primitives/secret.ts';
import { SmartChainError } from '../error.ts';
import { isValidSecretKey } from '../keys/secp256k1.ts';
import { secretKeyOfSeed } from '../keys/seed.ts';
import { decodeWif, encodeWif, type WifKey } from '../keys/wif.ts';
import type { Prefixes } from '../params.ts';
import { addKey, type Keyring, keyring, type WalletKey } from './keyring.ts';

/** What a wallet stores. The keys are in wallet import format (WIF). */
export type WalletContent = { readonly keys: readonly Secret<string>[]; readonly watched: readonly string[] };

/** Where a wallet is stored. `save` must not return before the content is durable, nor leave half of it. */
export interface WalletStore {
  load(): Promise<WalletContent | undefined>;
  save(content: WalletContent): Promise<void>;
}

export type WalletOptions = {
  readonly prefixes: Prefixes;
  readonly random: Random;
  /** @defaultValue none: the keys are lost with the process */
  readonly store?: WalletStore;
  /** The seed phrase or WIF key that the token module uses. */
  readonly seed?: Secret<string>;
};

/** Keys of one node. */
export interface Wallet {
  /** The durable content; a new key appears once it is durable. */
  readonly ring: Keyring;
  /** The key that the token module uses; undefined if the node was started without one. */
  ownKey(): WalletKey | undefined;
  /** Adds a key; it is durable when this returns. */
  add(key: WifKey): Promise<WalletKey>;
  /** Creates a new key. */
  create(): Promise<WalletKey>;
  /** Watches the receipts of an owner (key of `ownerKey`), without its key. */
  watch(owner: string): Promise<void>;
}

/**
 * Opens a wallet. @throws SmartChainError SMARTCHAIN_KEY_INVALID if a stored key is not of this network.
 *
 * @example
 * ```ts
 * import { Secret } from 'swapfold';
 * import { systemRandom } from 'swapfold/runtime';
 * import { openWallet, PREFIXES } from 'swapfold/smartchain';
 *
 * const seed = new Secret('your long and secure seed generated with atomicDEX');
 * const wallet = await openWallet({ prefixes: PREFIXES.main, random: systemRandom, seed });
 * wallet.ownKey()?.address; // → 'RTCqmfQr3e5csyPpRNnLZLbzMcHmcngiSb'
 * await wallet.create();
 * wallet.ring.keys.size; // → 2
 * ```
 */
export async function openWallet({ prefixes, random, store, seed }: WalletOptions): Promise<Wallet> {
  const ring = keyring(prefixes);
  const own = seed === undefined ? undefined : addKey(ring, keyOfSecret(seed, prefixes));
  const kept = await store?.load();
  for (const wif of kept?.keys ?? []) addKey(ring, keptKey(wif, prefixes));
  for (const owner of kept?.watched ?? []) ring.watched.add(owner);
  let last: Promise<unknown> = Promise.resolve();
  // The content that is being saved. The ring holds only durable keys, so that nobody pays to a key that could be lost.
  const coming = keyring(prefixes);
  const save = (): Promise<void> => {
    const held = [...new Map([...ring.keys, ...coming.keys]).values()];
    const keys = held.map((key) => new Secret(encodeWif(key, prefixes)));
    const watched = [...new Set([...ring.watched, ...coming.watched])];
    const saving = last.then(() => store?.save({ keys, watched }));
    last = saving.catch(() => undefined);
    return saving;
  };
  const add = async (key: WifKey): Promise<WalletKey> => {
    const made = addKey(coming, key);
    const name = bytesToHex(hash160(made.publicKey));
    try {
      if (!ring.keys.has(name)) await save();
    } finally {
      coming.keys.delete(name);
    }
    return addKey(ring, made);
  };
  return {
    ring,
    ownKey: () => own,
    add,
    create: () => add({ secretKey: newSecretKey(random), compressed: true }),
    async watch(owner) {
      if (ring.watched.has(owner)) return;
      coming.watched.add(owner);
      try {
        await save();
      } finally {
        coming.watched.delete(owner);
      }
      ring.watched.add(owner);
    },
  };
}

function newSecretKey(random: Random): Uint8Array {
  for (;;) {
    const secretKey = random.bytes(32);
    if (isValidSecretKey(secretKey)) return secretKey;
  }
}

/** The length and the letters of a private key in the wallet import format. */
const LIKE_WIF = /^[1-9A-HJ-NP-Za-km-z]{51,52}$/;

/** A text that is a WIF key is that key, any other text a seed phrase; but not one that looks like a key with a typing error. */
function keyOfSecret(seed: Secret<string>, prefixes: Prefixes): WifKey {
  const text = seed.reveal();
  if (text.trim() === '') {
    throw new SmartChainError('SMARTCHAIN_KEY_INVALID', 'A seed must not be empty.', {
      next: 'Use a seed phrase, or a private key in wallet import format (WIF).',
    });
  }
  const key = decodeWif(text, prefixes);
  if (key !== undefined) return key;
  if (LIKE_WIF.test(text.trim())) {
    throw new SmartChainError('SMARTCHAIN_KEY_INVALID', 'The seed looks like a private key, but not of this network.', {
      next: 'Look for a typing error: as a seed phrase it would silently open another, empty wallet.',
    });
  }
  return { secretKey: secretKeyOfSeed(text), compressed: true };
}

function keptKey(wif: Secret<string>, prefixes: Prefixes): WifKey {
  const key = decodeWif(wif.reveal(), prefixes);
  if (key !== undefined) return key;
  throw new SmartChainError('SMARTCHAIN_KEY_INVALID', 'The wallet holds a key that is not of this network.', {
    next: 'Open the wallet with the network it was created for, or restore it from a backup.',
    retry: 'operator',
  });
}
