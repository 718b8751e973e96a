import { secp256k1 } from '@noble/curves/secp256k1.js';
import { createBase58check } from '@scure/base';
import { curve } from '../curve/index.ts';
import type { Signer, WalletSigner } from '../ports/signer.ts';
import { sha256 } from '../primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../primitives/hex.ts';
import type { Secret } from '../primitives/secret.ts';
import { secretKeyOfSeed } from '../smartchain/keys/seed.ts';
import { NodeError } from './error.ts';

const base58check = createBase58check(sha256);
const KEY_BYTES = 32;
const RAW_KEY = /^0x[0-9a-fA-F]{64}$/;
// A key in the wallet import format has 51 or 52 characters.
const LONGEST_WIF = 60;

/** A wallet of one key for all coins. It signs until it is closed, and its key leaves it in no form. */
export type KeyWallet = WalletSigner & {
  /** The SHA-256 of the key, which the framework makes the identity of its seed nodes from. Nothing can be signed or spent with it. */
  readonly identity: () => Uint8Array;
  /** The signer of a public key of the wallet that is in use, 33 bytes in hex; undefined for any other one. */
  readonly ofKey: (key: string) => Signer | undefined;
  /** Overwrites the key. What is signed from then on is refused. */
  readonly close: () => void;
};

/**
 * The wallet that a passphrase stands for: a key in the wallet import format of whatever network, `0x` and 64 hex digits, or any
 * other text by the Iguana rule (as in the real node).
 *
 * @throws NodeError PASSPHRASE_INVALID for an empty one, or a key that is no number of the curve.
 *
 * @example
 * ```ts
 * import { Secret } from 'swapfold';
 * import { bytesToHex, sha256 } from 'swapfold/htlc';
 * import { walletOfPassphrase } from 'swapfold/node';
 *
 * const phrase = new Secret('your long and secure seed generated with atomicDEX');
 * const wallet = walletOfPassphrase(phrase);
 * bytesToHex(wallet.coins.key).slice(0, 16); // → '03b22eeb6cf64086'
 * wallet.close();
 * wallet.coins.sign(sha256(new Uint8Array(32))); // throws WALLET_CLOSED
 * ```
 */
export function walletOfPassphrase(passphrase: Secret<string>): KeyWallet {
  return keyWallet(secretKeyOf(passphrase.reveal()));
}

/** The wallet of a key, which it keeps and overwrites. */
export function keyWallet(secretKey: Uint8Array): KeyWallet {
  const key = curve.publicKeyOf(secretKey, true);
  const coins: Signer = {
    key,
    sign(hash) {
      if (secretKey.every((byte) => byte === 0)) throw closed();
      const { signature } = curve.sign({ hash, secretKey });
      return secp256k1.Signature.fromBytes(signature, 'compact').toBytes('der');
    },
  };
  const isClosed = (): boolean => secretKey.every((byte) => byte === 0);
  return {
    coins,
    ofSwap: () => coins,
    ofKey: (wanted) => (wanted === bytesToHex(key) ? coins : undefined),
    identity() {
      if (isClosed()) throw closed();
      return sha256(secretKey);
    },
    close: () => void secretKey.fill(0),
  };
}

function secretKeyOf(text: string): Uint8Array {
  if (text.trim() === '') throw passphraseInvalid('it is empty');
  const secretKey =
    wifKey(text) ?? (RAW_KEY.test(text) ? hexToBytes(text.slice(2).toLowerCase()) : secretKeyOfSeed(text));
  if (!secp256k1.utils.isValidSecretKey(secretKey)) throw passphraseInvalid('the key is not a scalar of the curve');
  return secretKey;
}

function wifKey(text: string): Uint8Array | null {
  if (text.length > LONGEST_WIF) return null;
  try {
    const payload = base58check.decode(text);
    const compressed = payload.length === KEY_BYTES + 2 && payload.at(-1) === 1;
    return compressed || payload.length === KEY_BYTES + 1 ? payload.slice(1, 1 + KEY_BYTES) : null;
  } catch {
    return null;
  }
}

const ANY_FORM = 'Give a seed phrase, a key in the wallet import format, or 0x and 64 hex digits.';

export function passphraseInvalid(fault: string, next = ANY_FORM): NodeError {
  return new NodeError('The passphrase of the node cannot be used.', {
    code: 'PASSPHRASE_INVALID',
    facts: { fault },
    next,
    retry: 'operator',
  });
}

function closed(): NodeError {
  return new NodeError('The wallet is closed and cannot sign.', {
    code: 'WALLET_CLOSED',
    next: 'Start the node again.',
    retry: 'operator',
  });
}
