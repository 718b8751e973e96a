import type { EnableTendermintRequest } from '../../events/enable-tendermint-request.ts';
import { secp256k1KeyProblem } from '../../htlc/key-rule.ts';
import type { Signer, WalletSigner } from '../../ports/signer.ts';
import { bytesToHex } from '../../primitives/hex.ts';
import { isJsonObject, type JsonObject } from '../../primitives/json.ts';
import { Secret } from '../../primitives/secret.ts';
import type { Compatibility } from '../compatibility.ts';
import { creationFailure, TendermintFailure } from './failure.ts';

const KEY_BYTES = 33;

/** Whose account a request is about: the node's own, one whose public key is named, or that of a session with a wallet elsewhere. */
export type AccountOwner =
  | { readonly kind: 'own' }
  | { readonly kind: 'watched'; readonly key: Uint8Array }
  | { readonly kind: 'session'; readonly topic: Secret<string> };

/**
 * The account that a request names in place of the node's own (specification §4.10, `activation_params`). The node trusts a public key and watches
 * its account, because nobody here can sign for it.
 *
 * With the real node a policy by name is an unknown member, which it ignores.
 *
 * @throws TendermintFailure for a session that is not named, for a key that is none of these accounts, and for another policy
 */
export function ownerOf(request: EnableTendermintRequest, mode: Compatibility): AccountOwner {
  const { ticker, activation_params: elsewhere, priv_key_policy: policy } = request;
  if (elsewhere === undefined || elsewhere === null) {
    if (mode === 'kdf' || policy === undefined || policy === null || isOwnKey(policy)) return { kind: 'own' };
    const error = `${ticker} uses this node's own key, or one that activation_params name`;
    throw new TendermintFailure('PrivKeyNotAllowed', error);
  }
  const named = namedIn(elsewhere);
  if (named === null) throw creationFailure(ticker, 'activation_params: expected a key policy with its type');
  const { type, data } = named;
  if (type === 'WithPubkey') return { kind: 'watched', key: keyIn(ticker, data) };
  if (type !== 'WalletConnect') throw creationFailure(ticker, `the key policy ${JSON.stringify(type)} is unknown`);
  // The real node has the topic as a member, the specification as the data itself.
  const topic = isJsonObject(data) ? data['session_topic'] : data;
  if (typeof topic !== 'string') throw creationFailure(ticker, 'session_topic: expected the topic of a session');
  return { kind: 'session', topic: new Secret(topic) };
}

type Named = { readonly type: unknown; readonly data: unknown };

/** The real node has `type` and `params`, the specification the same below `priv_key_policy`, with `data`. */
function namedIn(elsewhere: unknown): Named | null {
  if (!isJsonObject(elsewhere)) return null;
  const { type, params, priv_key_policy: policy } = elsewhere;
  if (type !== undefined) return { type, data: params };
  return isJsonObject(policy) ? { type: policy['type'], data: policy['data'] } : null;
}

function keyIn(ticker: string, data: unknown): Uint8Array {
  const { type, value } = isJsonObject(data) && isJsonObject(data['pubkey']) ? data['pubkey'] : ({} as JsonObject);
  // Such keys have accounts of another kind of hash, which no swap and no check of a signature here knows.
  if (type === 'ed25519')
    throw creationFailure(ticker, 'accounts with ed25519 keys cannot be watched; use a secp256k1 key');
  const isKey = Array.isArray(value) && value.length === KEY_BYTES && value.every(isByte);
  const key = isKey ? Uint8Array.from(value) : new Uint8Array(0);
  if (!isKey || secp256k1KeyProblem(bytesToHex(key)) !== null)
    throw creationFailure(
      ticker,
      `pubkey: expected ${KEY_BYTES} bytes of a compressed secp256k1 key, as an array of numbers`,
    );
  return key;
}

function isByte(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255;
}

/** The key of an account that is watched. @throws Error wherever something is to be signed */
export function watchingSigner(key: Uint8Array): WalletSigner {
  const signer: Signer = {
    key,
    sign() {
      throw new Error('this node cannot sign for a watched account');
    },
  };
  return { coins: signer, ofSwap: () => signer };
}

/** By its name, or as an object of its type: the task for coins of EVM chains takes both as well. */
function isOwnKey(policy: unknown): boolean {
  return policy === 'ContextPrivKey' || (isJsonObject(policy) && policy['type'] === 'ContextPrivKey');
}
