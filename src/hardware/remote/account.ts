import { secp256k1 } from '@noble/curves/secp256k1.js';
import { concatBytes } from '../../htlc/byte-writer.ts';
import type { Clock } from '../../ports/clock.ts';
import type { DeviceFee, DeviceTransaction, SignedByDevice } from '../../ports/hardware-wallet.ts';
import type { RemoteSession } from '../../ports/remote-wallet.ts';
import { addressText } from '../../primitives/eip55.ts';
import { keccak256 } from '../../primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../primitives/hex.ts';
import { addressOfKey, signatureIn, signerOf, signingHash } from '../evm/transaction.ts';
import { ANSWER_MS, asked, garbled, RemoteWalletError, SIGN_MS, sessionFor } from './asking.ts';

export { RemoteWalletError } from './asking.ts';

export type RemoteAccountOptions = {
  /** Null if the topic has none. */
  readonly session: RemoteSession | null;
  readonly chainId: number;
  readonly clock: Clock;
  /** Limit for the answer that identifies the account, in milliseconds. @defaultValue 300,000 */
  readonly answerMs?: number;
  /** Limit for each signature, in milliseconds; the account's other signatures wait meanwhile. @defaultValue 60,000 */
  readonly signMs?: number;
  /**
   * Cancels the request for the account. It cancels no signature, because signatures are needed long after the caller
   * that opened the account has gone.
   *
   * @defaultValue nothing does
   */
  readonly signal?: AbortSignal;
};

/** An account of an EVM chain whose key is in a remote wallet. */
export type RemoteAccount = {
  /** In the mixed case of EIP-55. */
  readonly address: string;
  /** Public key, 33 bytes. */
  readonly key: Uint8Array;
  /**
   * Has the wallet sign, within `signMs`. The returned signature is from this account and signs exactly this
   * transaction, whatever the wallet sent.
   *
   * @throws RemoteWalletError
   */
  readonly sign: (transaction: DeviceTransaction) => Promise<SignedByDevice>;
};

/** "Authenticate with KDF" */
const CHALLENGE = '0x41757468656e7469636174652077697468204b4446';

/**
 * The account that a session has on a chain. Its wallet signs a text, which reveals the public key.
 *
 * @throws RemoteWalletError
 *
 * @example
 * ```ts
 * import { Secret } from 'swapfold';
 * import { remoteAccount } from 'swapfold/hardware';
 * import { simulatedRemoteWallet } from 'swapfold/hardware/simulator';
 * import { hexToBytes } from 'swapfold/htlc';
 * import { systemClock } from 'swapfold/runtime';
 *
 * const secretKey = new Secret(hexToBytes('1'.padStart(64, '0')));
 * const wallet = simulatedRemoteWallet({ secretKey, topic: 'c0ffee', chainIds: [137] });
 * const session = await wallet.session(new Secret('c0ffee'));
 * const asking = { session, clock: systemClock() };
 * const { address } = await remoteAccount({ ...asking, chainId: 137 });
 * address; // → '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf'
 * remoteAccount({ ...asking, chainId: 1 }); // throws RemoteWalletError
 * ```
 */
export async function remoteAccount(options: RemoteAccountOptions): Promise<RemoteAccount> {
  const { chainId, clock, answerMs = ANSWER_MS, signMs = SIGN_MS, signal } = options;
  const chain = `eip155:${chainId}`;
  const session = sessionFor(options.session, chain);
  const account = accountOn(session, chain);
  const proof = { clock, answerMs, chain, method: 'personal_sign', params: [CHALLENGE, account], signal };
  const key = keyIn(await asked(session, proof));
  const address = addressText(addressOfKey(key));
  if (address.toLowerCase() !== account.toLowerCase()) {
    const text = `Session Error: Recovered address '${address}' should be the same as '${account}'`;
    throw new RemoteWalletError('session', text);
  }
  return {
    address,
    key,
    async sign(transaction) {
      if (transaction.chainId !== chainId) throw new RangeError(`the account is only for chain ${chainId}`);
      const params = [wireOf(transaction, address)];
      const asking = { clock, answerMs: signMs, chain, method: 'eth_signTransaction', params };
      const raw = bytesIn(await asked(session, asking));
      return checked(raw, { transaction, address });
    },
  };
}

const ACCOUNT = /^0x[0-9a-fA-F]{40}$/;

/** The first in the order of their texts. */
function accountOn({ accounts }: RemoteSession, chain: string): string {
  const prefix = `${chain}:`;
  const [first] = accounts.filter((account) => account.startsWith(prefix)).sort();
  const account = first?.slice(prefix.length) ?? '';
  if (ACCOUNT.test(account)) return account;
  throw new RemoteWalletError('session', `Account not found for chain_id: ${chain}`);
}

const SIGNATURE = /^0x[0-9a-f]{130}$/i;

/** The public key that made an EIP-191 signature of the text. Recovery ids are only 27 and 28, as in the real node. */
function keyIn(answer: unknown): Uint8Array {
  const text = typeof answer === 'string' && SIGNATURE.test(answer) ? answer.slice(2).toLowerCase() : null;
  const v = text === null ? Number.NaN : Number.parseInt(text.slice(128), 16);
  if (text === null || (v !== 27 && v !== 28)) throw garbled('a signature that is not 65 bytes ending in 27 or 28');
  const bytes = concatBytes([Uint8Array.of(v - 27), hexToBytes(text.slice(0, 128))]);
  try {
    const signature = secp256k1.Signature.fromBytes(bytes, 'recovered');
    return signature.recoverPublicKey(challengeHash()).toBytes(true);
  } catch {
    throw garbled('a signature that no key can have made');
  }
}

function challengeHash(): Uint8Array {
  const text = hexToBytes(CHALLENGE.slice(2));
  const head = new TextEncoder().encode(`\u0019Ethereum Signed Message:\n${text.length}`);
  return keccak256(concatBytes([head, text]));
}

/** Gas for the data that a transaction may have, and some more. */
const LONGEST_RAW = 34_000_000;

function bytesIn(answer: unknown): Uint8Array {
  const isRaw = typeof answer === 'string' && answer.length <= LONGEST_RAW && /^0x(?:[0-9a-f]{2})+$/i.test(answer);
  if (!isRaw) throw garbled('no transaction');
  return hexToBytes((answer as string).slice(2).toLowerCase());
}

type Wanted = { readonly transaction: DeviceTransaction; readonly address: string };

function checked(raw: Uint8Array, { transaction, address }: Wanted): SignedByDevice {
  const signature = signatureIn(raw, transaction);
  if (signature === undefined) {
    throw new RemoteWalletError(
      'signature',
      'Internal Error: the wallet signed a different transaction than requested',
    );
  }
  const signer = signerOf(signingHash(transaction), signature);
  if (signer === undefined || signer !== address.slice(2).toLowerCase()) {
    throw new RemoteWalletError('signature', 'Internal Error: the signature is not from the account of the session');
  }
  return { raw, hash: bytesToHex(keccak256(raw)) };
}

/** In the form that wallets accept: numbers in hex. */
function wireOf({ chainId, nonce, gasLimit, to, value, data, fee }: DeviceTransaction, from: string) {
  const numbers = { chainId: BigInt(chainId), nonce, gas: gasLimit, value, ...feeMembers(fee) };
  const shown = Object.entries(numbers).map(([name, number]) => [name, `0x${number.toString(16)}`]);
  const members: Readonly<Record<string, string>> = Object.fromEntries(shown);
  return { from, ...(to === null ? {} : { to }), data: `0x${bytesToHex(data)}`, ...members };
}

function feeMembers(fee: DeviceFee): Readonly<Record<string, bigint>> {
  if (fee.kind === 'legacy') return { gasPrice: fee.gasPrice };
  return { maxFeePerGas: fee.maxFeePerGas, maxPriorityFeePerGas: fee.maxPriorityFeePerGas };
}
