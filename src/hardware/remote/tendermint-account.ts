import { base64 } from '@scure/base';
import { curve, hasLowS } from '../../curve/index.ts';
import { tendermintAccount, tendermintAddress } from '../../htlc/tendermint-address.ts';
import { signingHash } from '../../htlc/tendermint-transaction.ts';
import type { Clock } from '../../ports/clock.ts';
import type { RemoteSession } from '../../ports/remote-wallet.ts';
import type { DirectDocument, Signer } from '../../ports/signer.ts';
import { bytesToHex } from '../../primitives/hex.ts';
import { isJsonObject } from '../../primitives/json.ts';
import { DeviceError } from '../device-error.ts';
import { ANSWER_MS, asked, garbled, RemoteWalletError, SIGN_MS, sessionFor } from './asking.ts';

export type TendermintRemoteOptions = {
  /** Null if the topic has none. */
  readonly session: RemoteSession | null;
  /** Such as `cosmoshub-4`. */
  readonly chainId: string;
  /** Prefix of the chain's addresses, such as `cosmos`. */
  readonly prefix: string;
  readonly clock: Clock;
  /** Limit for the answer that identifies the account, in milliseconds. @defaultValue 300,000 */
  readonly answerMs?: number;
  /** Limit for each signature, in milliseconds; the account's other signatures wait meanwhile. @defaultValue 60,000 */
  readonly signMs?: number;
  /** Cancels the request for the account, and no later signature. @defaultValue nothing does */
  readonly signal?: AbortSignal;
};

/**
 * The key of the account that a session has on a Tendermint chain. It signs transactions that its user confirms.
 *
 * The returned signature is by this key and signs exactly this document, whatever the wallet sent.
 *
 * @throws RemoteWalletError, as `signDirect` does
 */
export async function tendermintRemoteAccount(options: TendermintRemoteOptions): Promise<Signer> {
  const { chainId, prefix, clock, answerMs = ANSWER_MS, signMs = SIGN_MS, signal } = options;
  const chain = `cosmos:${chainId}`;
  const session = sessionFor(options.session, chain);
  const address = accountOn(session, chain);
  const known = { clock, answerMs, chain, method: 'cosmos_getAccounts', params: [address], signal };
  const key = keyIn(await asked(session, known), address);
  const found = tendermintAddress(prefix, tendermintAccount(key) ?? '');
  if (found !== address) {
    const text = `Session Error: Recovered address '${found}' should be the same as '${address}'`;
    throw new RemoteWalletError('session', text);
  }
  return {
    key,
    sign() {
      const message = 'A remote wallet holds the key of this account, and signs no bare hashes.';
      throw new DeviceError({ kind: 'unsupported', message });
    },
    async signDirect(document) {
      if (document.chainId !== chainId) throw new RangeError(`the account is only for chain ${chainId}`);
      const params = [{ signerAddress: address, signDoc: wireOf(document) }];
      const answer = await asked(session, { clock, answerMs: signMs, chain, method: 'cosmos_signDirect', params });
      return checked(signatureIn(answer), { document, key });
    },
  };
}

const ADDRESS = /^[a-z0-9]{1,83}1[02-9ac-hj-np-z]{38}$/;

/** The first in the order of their texts. */
function accountOn({ accounts }: RemoteSession, chain: string): string {
  const own = accounts.filter((account) => account.startsWith(`${chain}:`)).sort();
  const address = own[0]?.slice(chain.length + 1) ?? '';
  if (ADDRESS.test(address)) return address;
  throw new RemoteWalletError('session', `Account not found for chain_id: ${chain}`);
}

/** The names that wallets use for secp256k1 keys. */
const ALGORITHMS: ReadonlySet<unknown> = new Set(['secp256k1', 'tendermint/PubKeySecp256k1']);
const KEY_BYTES = 33;
const SIGNATURE_BYTES = 64;

function keyIn(answer: unknown, address: string): Uint8Array {
  const told: readonly unknown[] = Array.isArray(answer) ? answer : [];
  const own = told.find((one) => isJsonObject(one) && one['address'] === address);
  if (!isJsonObject(own)) throw garbled('no account of the session');
  const { algo, pubkey } = own;
  if (!ALGORITHMS.has(algo)) throw garbled('a key that is not of secp256k1');
  return bytesIn(pubkey, KEY_BYTES);
}

function signatureIn(answer: unknown): Uint8Array {
  const told = isJsonObject(answer) ? answer['signature'] : undefined;
  return bytesIn(isJsonObject(told) ? told['signature'] : told, SIGNATURE_BYTES);
}

function bytesIn(text: unknown, length: number): Uint8Array {
  try {
    const bytes = base64.decode(String(text));
    if (bytes.length === length) return bytes;
  } catch {
    // Text that is not base64 is refused below like bytes of another length.
  }
  throw garbled(`something other than base64 of ${length} bytes`);
}

type Wanted = { readonly document: DirectDocument; readonly key: Uint8Array };

/** A wallet that changes the fee or the memo signs a different document. */
function checked(signature: Uint8Array, { document, key }: Wanted): Uint8Array {
  const hash = signingHash(document, document);
  if (hasLowS(signature) && curve.verify({ hash, signature, publicKey: key })) return signature;
  const text = 'Internal Error: the signature is not from the account of the session, or signs something else';
  throw new RemoteWalletError('signature', text);
}

/** In the form that wallets accept: bytes in hex. */
function wireOf({ bodyBytes, authInfoBytes, chainId, accountNumber }: DirectDocument) {
  return {
    ...{ chainId, accountNumber: String(accountNumber) },
    ...{ bodyBytes: bytesToHex(bodyBytes), authInfoBytes: bytesToHex(authInfoBytes) },
  };
}
