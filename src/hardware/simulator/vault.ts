import { pbkdf2 } from '@noble/hashes/pbkdf2.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { HDKey } from '@scure/bip32';
import { validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import type { Secret } from '../../primitives/secret.ts';
import { FAILURE } from '../trezor/message-types.ts';
import { Refusal } from './settings.ts';

/** Consecutive wrong PINs after which a device wipes itself. */
export const MOST_WRONG_PINS = 16;

/** What a device stores: a seed behind a PIN. */
export type Vault = {
  readonly locked: () => boolean;
  readonly lock: () => void;
  /** @throws Refusal for a wrong PIN. The last permitted attempt wipes the device. */
  readonly unlock: (digits: string | undefined) => void;
  /** The wallet of a passphrase. @throws Refusal if the device was wiped. */
  readonly root: (passphrase: string) => HDKey;
  readonly initialized: () => boolean;
};

type VaultSettings = { readonly words: Secret<string>; readonly pin?: Secret<string> | undefined };

/** @throws RangeError for words that are not BIP 39, or a PIN that cannot be entered. */
export function createVault({ words, pin }: VaultSettings): Vault {
  let kept: Secret<string> | undefined = words;
  let locked = pin !== undefined;
  let wrong = 0;
  if (!validateMnemonic(words.reveal(), wordlist)) throw new RangeError('a device needs a valid BIP 39 mnemonic');
  if (pin !== undefined && !/^[1-9]{1,50}$/.test(pin.reveal()))
    throw new RangeError('a PIN consists of 1 to 50 digits from 1 to 9');
  return {
    locked: () => locked && kept !== undefined,
    lock() {
      locked = pin !== undefined;
    },
    unlock(digits) {
      if (digits !== undefined && digits === pin?.reveal()) {
        locked = false;
        wrong = 0;
        return;
      }
      wrong += 1;
      if (wrong >= MOST_WRONG_PINS) kept = undefined;
      throw new Refusal(FAILURE.pinInvalid, 'PIN invalid');
    },
    root(passphrase) {
      if (kept === undefined) throw new Refusal(FAILURE.notInitialized, 'Device not initialized');
      const seed = seedOf(kept.reveal(), passphrase);
      const root = HDKey.fromMasterSeed(seed);
      seed.fill(0);
      return root;
    },
    initialized: () => kept !== undefined,
  };
}

/** The seed of a BIP 39 mnemonic. A device takes the passphrase as it arrives: normalizing it is the host's part. */
function seedOf(words: string, passphrase: string): Uint8Array {
  return pbkdf2(sha512, words.normalize('NFKD'), `mnemonic${passphrase}`, { c: 2048, dkLen: 64 });
}

/** The key at a path. @throws Refusal for an invalid path. */
export function keyAt(root: HDKey, path: readonly number[]): HDKey {
  if (path.length > 16) throw new Refusal(FAILURE.dataError, 'Path too long');
  return path.reduce((key, index) => key.deriveChild(index), root);
}
