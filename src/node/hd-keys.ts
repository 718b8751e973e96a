import { HDKey } from '@scure/bip32';
import { mnemonicToSeedSync, validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import type { WalletSigner } from '../ports/signer.ts';
import type { Secret } from '../primitives/secret.ts';
import { type KeyWallet, keyWallet, passphraseInvalid } from './keys.ts';

/** A wallet whose coins have keys of their own. Its first key, by which other nodes know it, holds no coins. */
export type HdWallet = KeyWallet & {
  /** Keys by their path, such as `m/84'/0'/0'/0/0`. The same path gives the same keys, until the wallet is closed. */
  readonly ofPath: (path: string) => WalletSigner;
  /** The extended public key at a path, in base58 with the version bytes of Bitcoin: it tells all addresses below it, and signs nothing. */
  readonly xpubAt: (path: string) => string;
};

/** Where the real node has the key by which others know it: behind the last account of Komodo, of which the number is not hardened. */
const OWN_PATH = "m/44'/141'/2147483647/0/0";

/**
 * The wallet that the words of BIP 39 stand for, in English and without a password of their own (as in the real node).
 *
 * @throws NodeError PASSPHRASE_INVALID for words that are none, or whose checksum is wrong.
 *
 * @example
 * ```ts
 * import { Secret } from 'swapfold';
 * import { bytesToHex } from 'swapfold/htlc';
 * import { walletOfWords } from 'swapfold/node';
 *
 * const words = `${'abandon '.repeat(11)}about`;
 * const wallet = walletOfWords(new Secret(words));
 * const { key } = wallet.ofPath("m/84'/0'/0'/0/0").coins;
 * bytesToHex(key).slice(0, 16); // → '0330d54fd0dd420a'
 * wallet.xpubAt("m/44'/0'/0'").slice(0, 16); // → 'xpub6BosfCnifzxc'
 * walletOfWords(new Secret('abandon about')); // throws PASSPHRASE_INVALID
 * ```
 */
export function walletOfWords(passphrase: Secret<string>): HdWallet {
  const words = passphrase.reveal().trim().split(/\s+/).join(' ');
  if (!validateMnemonic(words, wordlist)) {
    throw passphraseInvalid(
      'enable_hd needs 12 to 24 English words of BIP 39 with their checksum',
      'Give these words, or omit enable_hd: then a seed phrase of any kind is one key for all coins.',
    );
  }
  const seed = mnemonicToSeedSync(words);
  const root = HDKey.fromMasterSeed(seed);
  seed.fill(0);
  const opened = new Map<string, KeyWallet>();
  const ofPath = (path: string): KeyWallet => {
    const known = opened.get(path);
    if (known !== undefined) return known;
    const wallet = keyWallet(secretKeyAt(root, path));
    opened.set(path, wallet);
    return wallet;
  };
  const { coins, ofSwap, identity } = ofPath(OWN_PATH);
  return {
    ...{ coins, ofSwap, ofPath, identity },
    xpubAt: (path) => keyAt(root, path, ({ publicExtendedKey }) => publicExtendedKey),
    ofKey(key) {
      for (const wallet of opened.values()) {
        const found = wallet.ofKey(key);
        if (found !== undefined) return found;
      }
      return undefined;
    },
    close() {
      root.wipePrivateData();
      for (const wallet of opened.values()) wallet.close();
    },
  };
}

const PATH = /^m(\/\d{1,10}'?)+$/;
const HARDENED = 0x8000_0000;

function secretKeyAt(root: HDKey, path: string): Uint8Array {
  return keyAt(root, path, ({ privateKey }) => Uint8Array.from(privateKey ?? []));
}

/** Nothing of the key, or of the way to it, stays in memory but what is read of it. */
function keyAt<T>(root: HDKey, path: string, read: (key: HDKey) => T): T {
  if (!PATH.test(path)) throw new RangeError(`${path} is not a derivation path`);
  // Also what was read before of a closed wallet could be derived from its public part.
  if (root.privateKey === null) throw new RangeError('the wallet is closed');
  let node = root;
  for (const step of path.split('/').slice(1)) {
    const index = Number.parseInt(step, 10) + (step.endsWith("'") ? HARDENED : 0);
    const child = node.deriveChild(index);
    if (node !== root) node.wipePrivateData();
    node = child;
  }
  try {
    return read(node);
  } finally {
    node.wipePrivateData();
  }
}
