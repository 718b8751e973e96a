import { secp256k1 } from '@noble/curves/secp256k1.js';
import { concatBytes } from '../../htlc/byte-writer.ts';
import type { DeviceFee, DeviceTransaction } from '../../ports/hardware-wallet.ts';
import type { RemoteAnswer, RemoteRequest, RemoteSession, RemoteWallets } from '../../ports/remote-wallet.ts';
import { addressText } from '../../primitives/eip55.ts';
import { keccak256 } from '../../primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../primitives/hex.ts';
import type { Secret } from '../../primitives/secret.ts';
import { addressOfKey, signedTransaction, signingHash } from '../evm/transaction.ts';

/** What the user, or someone in between, does with a request instead of confirming it. */
export type RemoteTrouble =
  /** Declines: 4001 by EIP-1193. */
  | 'deny'
  /** Never answers. */
  | 'silence'
  /** Ends the session for good. */
  | 'disconnect'
  /** Answers with this. */
  | { readonly answer: unknown }
  /** Signs a different transaction. */
  | { readonly change: (transaction: DeviceTransaction) => DeviceTransaction };

export type SimulatedRemoteWalletOptions = {
  /** 32 bytes. */
  readonly secretKey: Secret<Uint8Array>;
  readonly topic: string;
  /** Chains of its session, by their ids. */
  readonly chainIds: readonly number[];
  /** Accounts of its session. @defaultValue its own on each chain */
  readonly accounts?: readonly string[];
  /** @defaultValue its user confirms everything */
  readonly trouble?: (request: Pick<RemoteRequest, 'method' | 'params'>) => RemoteTrouble | undefined;
};

/** A wallet in this process that answers like one behind a relay. */
export type SimulatedRemoteWallet = RemoteWallets & {
  /** In the mixed case of EIP-55. */
  readonly address: string;
  /** Methods that were called, in order. */
  readonly asked: readonly string[];
  /** Its user ends the session. */
  readonly disconnect: () => void;
};

/**
 * A wallet with one key, whose user confirms everything for which `trouble` names nothing else.
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
 * const own = { secretKey, topic: 'c0ffee', chainIds: [137] };
 * const wallet = simulatedRemoteWallet({ ...own, trouble: () => 'deny' });
 * wallet.address; // → '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf'
 * const session = await wallet.session(new Secret('c0ffee'));
 * remoteAccount({ session, chainId: 137, clock: systemClock() }); // throws RemoteWalletError
 * wallet.asked; // → ['personal_sign']
 * ```
 */
export function simulatedRemoteWallet(options: SimulatedRemoteWalletOptions): SimulatedRemoteWallet {
  const { secretKey, topic, chainIds, trouble = () => undefined } = options;
  const address = addressText(addressOfKey(secp256k1.getPublicKey(secretKey.reveal(), true)));
  const chains = chainIds.map((id) => `eip155:${id}`);
  const { accounts = chains.map((chain) => `${chain}:${address}`) } = options;
  const asked: string[] = [];
  let isOver = false;
  const session: RemoteSession = {
    chains,
    accounts,
    async request({ chain, method, params, signal }) {
      asked.push(method);
      if (signal.aborted || isOver) return failed('ended');
      const found = trouble({ method, params });
      if (found === 'disconnect') {
        isOver = true;
        return failed('ended');
      }
      if (found === 'silence') return silence(signal);
      if (found === 'deny') return refused(REFUSAL.denied);
      if (found !== undefined && 'answer' in found) return { ok: true, value: found.answer };
      if (!chains.includes(chain)) return refused(REFUSAL.noChain);
      const own = accounts.filter((account) => account.startsWith(`${chain}:`));
      return answerTo({ method, params, change: found?.change }, { secretKey, own });
    },
  };
  return {
    ...{ address, asked },
    session: async (wanted) => (wanted.reveal() === topic && !isOver ? session : null),
    disconnect() {
      isOver = true;
    },
  };
}

/** Of EIP-1193. */
const REFUSAL = {
  denied: { code: 4001, message: 'The user said no.' },
  notOwn: { code: 4100, message: 'The session does not include this account.' },
  noMethod: { code: 4200, message: 'The wallet does not support this method.' },
  noChain: { code: 4901, message: 'The session does not include this chain.' },
} as const;

function refused(refusal: (typeof REFUSAL)[keyof typeof REFUSAL]): RemoteAnswer {
  return { ok: false, fault: { kind: 'refused', ...refusal } };
}

function failed(kind: 'ended' | 'timeout'): RemoteAnswer {
  return { ok: false, fault: { kind, message: 'The wallet does not answer.' } };
}

function silence(signal: AbortSignal): Promise<RemoteAnswer> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(failed('ended')), { once: true });
  });
}

type Asked = Pick<RemoteRequest, 'method' | 'params'> & {
  readonly change: ((transaction: DeviceTransaction) => DeviceTransaction) | undefined;
};

type Holder = { readonly secretKey: Secret<Uint8Array> /** By CAIP-10. */; readonly own: readonly string[] };

function answerTo({ method, params, change }: Asked, { secretKey, own }: Holder): RemoteAnswer {
  const isOwn = (given: unknown): boolean =>
    own.some((account) => account.toLowerCase().endsWith(`:${String(given)}`.toLowerCase()));
  const [first, second] = params;
  if (method === 'personal_sign') {
    if (!isOwn(second)) return refused(REFUSAL.notOwn);
    const text = hexToBytes(String(first).slice(2));
    const head = new TextEncoder().encode(`\u0019Ethereum Signed Message:\n${text.length}`);
    const { rs, parity } = signature(keccak256(concatBytes([head, text])), secretKey);
    return { ok: true, value: `0x${bytesToHex(rs)}${(27 + parity).toString(16)}` };
  }
  if (method !== 'eth_signTransaction') return refused(REFUSAL.noMethod);
  const members = first as Readonly<Record<string, string>>;
  if (!isOwn(members['from'])) return refused(REFUSAL.notOwn);
  const asked = transactionOf(members);
  const transaction = change === undefined ? asked : change(asked);
  const { rs, parity } = signature(signingHash(transaction), secretKey);
  const made = { r: rs.subarray(0, 32), s: rs.subarray(32), yParity: parity };
  return { ok: true, value: `0x${bytesToHex(signedTransaction(transaction, made))}` };
}

function signature(hash: Uint8Array, secretKey: Secret<Uint8Array>) {
  const bytes = secp256k1.sign(hash, secretKey.reveal(), { prehash: false, format: 'recovered' });
  return { rs: bytes.subarray(1), parity: bytes[0] === 1 ? (1 as const) : (0 as const) };
}

function transactionOf(members: Readonly<Record<string, string>>): DeviceTransaction {
  const number = (name: string): bigint => BigInt(members[name] ?? '0x0');
  const fee: DeviceFee =
    members['gasPrice'] === undefined
      ? {
          kind: 'eip1559',
          maxFeePerGas: number('maxFeePerGas'),
          maxPriorityFeePerGas: number('maxPriorityFeePerGas'),
        }
      : { kind: 'legacy', gasPrice: number('gasPrice') };
  return {
    ...{ chainId: Number(number('chainId')), nonce: number('nonce'), gasLimit: number('gas'), value: number('value') },
    ...{ to: members['to'] ?? null, data: hexToBytes((members['data'] ?? '0x').slice(2)), fee },
  };
}
