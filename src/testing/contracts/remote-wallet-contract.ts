import { signatureIn } from '../../hardware/evm/transaction.ts';
import type { DeviceTransaction } from '../../ports/hardware-wallet.ts';
import type { RemoteAnswer, RemoteFaultKind, RemoteSession, RemoteWallets } from '../../ports/remote-wallet.ts';
import { bytesToHex, hexToBytes } from '../../primitives/hex.ts';
import { Secret } from '../../primitives/secret.ts';
import { type ContractCase, casesOn, type Steps } from './contract-case.ts';

/** What the user of a wallet does with what it is asked. */
export type RemoteUser = 'confirms' | 'denies' | 'isAway';

/** Wallets under test, of which one has a session that its user agreed to. */
export type RemoteWalletUnderTest = {
  readonly wallets: RemoteWallets;
  readonly topic: Secret<string>;
  /** Account of the session, the same on each of its chains: 0x and 40 hex digits. */
  readonly address: string;
  /** Chains of the session by EIP-155; at least two. */
  readonly chainIds: readonly [number, number, ...number[]];
  /** What the user does from now on. */
  readonly user: (does: RemoteUser) => void;
  /** Ends the session at the wallet. */
  readonly disconnect: () => void | Promise<void>;
  /** Who signed a text by EIP-191, 0x and 40 hex digits, as another program than the wallet tells it. `signature` is 0x and 130 hex digits. */
  readonly signerOfText: (text: Uint8Array, signature: string) => Promise<string>;
  /** Who signed a transaction, the same. */
  readonly signerOf: (raw: Uint8Array) => Promise<string>;
  /** Lets time pass until something has happened. @defaultValue it passes by itself */
  readonly passUntil?: <T>(promise: Promise<T>) => Promise<T>;
  readonly close?: () => void | Promise<void>;
};

export type RemoteWalletContractCase = ContractCase;

/**
 * What every adapter of the RemoteWallets port must do with accounts of EVM chains. Each case asks for a wallet of its own.
 *
 * @example
 * ```ts
 * import { Secret } from 'swapfold';
 * import { simulatedRemoteWallet } from 'swapfold/hardware/simulator';
 * import { remoteWalletContract } from 'swapfold/testing';
 * import { recoverMessageAddress, recoverTransactionAddress, toHex } from 'viem';
 *
 * const [topic, chainIds] = ['c0'.repeat(32), [137, 8453] as const];
 * const cases = remoteWalletContract(() => {
 *   const secretKey = new Secret(new Uint8Array(32).fill(5));
 *   const wallets = simulatedRemoteWallet({ secretKey, topic, chainIds });
 *   const { address, disconnect } = wallets;
 *   return {
 *     ...{ wallets, topic: new Secret(topic), address, chainIds, disconnect, user() {} },
 *     signerOfText: (raw, text) =>
 *       recoverMessageAddress({ message: { raw }, signature: `0x${text.slice(2)}` }),
 *     signerOf: (raw) =>
 *       recoverTransactionAddress({ serializedTransaction: `0x02${toHex(raw).slice(4)}` }),
 *   };
 * });
 * const broken: string[] = [];
 * for (const { title, run } of cases.slice(0, 3)) await run().catch(() => broken.push(title));
 * broken; // → []
 * ```
 */
export function remoteWalletContract(
  create: () => RemoteWalletUnderTest | Promise<RemoteWalletUnderTest>,
): readonly RemoteWalletContractCase[] {
  return casesOn(create, CASES);
}

const TEXTS = ['Authenticate', 'another text, of ünusual letters'].map((text) => new TextEncoder().encode(text));
const CALL: Omit<DeviceTransaction, 'chainId'> = {
  ...{ nonce: 5n, gasLimit: 90_000n, value: 0n, to: '0x24ABE4c71FC658C91313b6552cd40cD808b3Ea80' },
  data: Uint8Array.from({ length: 1500 }, (_, at) => at % 251),
  fee: { kind: 'eip1559', maxFeePerGas: 70_000_000_000n, maxPriorityFeePerGas: 2_000_000_000n },
};
const PAYMENT: Omit<DeviceTransaction, 'chainId'> = {
  ...{ ...CALL, nonce: 0n, value: 1_234_567_890_123_456_789n, data: new Uint8Array(0) },
  fee: { kind: 'legacy', gasPrice: 45_000_000_001n },
};
/** Of no chain that there is. */
const NOWHERE = 4_294_967_291;

const CASES: readonly (readonly [title: string, steps: Steps<RemoteWalletUnderTest>])[] = [
  [
    'W1: a topic has its session, and another topic has none',
    async (under) => {
      await sessionOf(under);
      for (const topic of ['', `${under.topic.reveal()}0`, 'ab'.repeat(32)])
        check((await under.wallets.session(new Secret(topic))) === null, 'an unknown topic has a session');
    },
  ],
  [
    'W2: a session names its chains by CAIP-2, and its account on each of them by CAIP-10',
    async (under) => {
      const { chains, accounts } = await sessionOf(under);
      const named = under.chainIds.map((id) => `eip155:${id}`);
      check([...chains].sort().join() === [...named].sort().join(), `the chains ${chains.join()}`);
      for (const chain of named) {
        const own = accounts.filter((account) => account.startsWith(`${chain}:`));
        const [account = ''] = own.map((one) => one.slice(chain.length + 1));
        check(own.length === 1 && isSame(account, under.address), `the accounts ${own.join()} on ${chain}`);
      }
    },
  ],
  [
    'W3: signs a text by EIP-191 with the account of the session, with 27 or 28 at the end',
    async (under) => {
      for (const text of TEXTS) await requireSigned(await signText(under, text), { text, under });
    },
  ],
  [
    'W4: signs exactly the requested transaction, with the account of the session',
    async (under) => {
      for (const chainId of under.chainIds)
        for (const part of [CALL, PAYMENT]) {
          const transaction = { ...part, chainId };
          const raw = bytesOf(value(await signTransaction(under, transaction)));
          check(signatureIn(raw, transaction) !== undefined, 'a different transaction was signed');
          check(isSame(await under.signerOf(raw), under.address), 'a different account signed');
        }
    },
  ],
  [
    'W5: concurrent requests have each their own answer',
    async (under) => {
      const answers = await Promise.all([...TEXTS, ...TEXTS].map((text) => signText(under, text)));
      for (const [place, text] of [...TEXTS, ...TEXTS].entries())
        await requireSigned(answers[place] as RemoteAnswer, { text, under });
    },
  ],
  [
    'W6: refuses what its user denies, and fulfills the next request',
    async (under) => {
      under.user('denies');
      fails(await signText(under, FIRST_TEXT), ['refused'], under);
      fails(await signTransaction(under, { ...CALL, chainId: under.chainIds[0] }), ['refused'], under);
      under.user('confirms');
      await requireSigned(await signText(under, FIRST_TEXT), { text: FIRST_TEXT, under });
    },
  ],
  [
    'W7: a request that is cancelled while its user is away ends, and so does one that was cancelled before',
    async (under) => {
      under.user('isAway');
      const ending = new AbortController();
      const asking = signText(under, FIRST_TEXT, ending.signal);
      await Promise.resolve();
      ending.abort();
      fails(await asking, ['ended', 'timeout'], under);
      fails(await signText(under, FIRST_TEXT, AbortSignal.abort()), ['ended', 'timeout'], under);
      under.user('confirms');
      await requireSigned(await signText(under, FIRST_TEXT), { text: FIRST_TEXT, under });
    },
  ],
  [
    'W8: signs nothing for a chain, by an account, or by a method that the session does not include',
    async (under) => {
      const session = await sessionOf(under);
      const [chain] = under.chainIds.map((id) => `eip155:${id}`);
      const params = [`0x${bytesToHex(FIRST_TEXT)}`, under.address];
      const stranger = `0x${'12'.repeat(20)}`;
      for (const request of [
        { chain: `eip155:${NOWHERE}`, method: 'personal_sign', params },
        { chain: `${chain}`, method: 'personal_sign', params: [params[0], stranger] },
        { chain: `${chain}`, method: 'eth_anything', params },
      ])
        fails(await passed(under, session.request({ ...request, signal: OPEN })), ['refused'], under);
    },
  ],
  [
    'W9: a session that ended at the wallet signs nothing, and is no longer a session',
    async (under) => {
      const session = await sessionOf(under);
      await under.disconnect();
      const params = [`0x${bytesToHex(FIRST_TEXT)}`, under.address];
      const chain = `eip155:${under.chainIds[0]}`;
      const asking = session.request({ chain, method: 'personal_sign', params, signal: OPEN });
      fails(await passed(under, asking), ['ended'], under);
      check((await under.wallets.session(under.topic)) === null, 'an ended session is still there');
    },
  ],
];

const FIRST_TEXT = TEXTS[0] as Uint8Array;
const OPEN = new AbortController().signal;

async function sessionOf({ wallets, topic }: RemoteWalletUnderTest): Promise<RemoteSession> {
  const session = await wallets.session(topic);
  if (session === null) throw broken('the topic has no session');
  return session;
}

function passed<T>({ passUntil }: RemoteWalletUnderTest, promise: Promise<T>): Promise<T> {
  return passUntil === undefined ? promise : passUntil(promise);
}

async function signText(under: RemoteWalletUnderTest, text: Uint8Array, signal = OPEN): Promise<RemoteAnswer> {
  const session = await sessionOf(under);
  const params = [`0x${bytesToHex(text)}`, under.address];
  return passed(
    under,
    session.request({ chain: `eip155:${under.chainIds[1]}`, method: 'personal_sign', params, signal }),
  );
}

async function signTransaction(under: RemoteWalletUnderTest, transaction: DeviceTransaction): Promise<RemoteAnswer> {
  const session = await sessionOf(under);
  const { chainId, nonce, gasLimit, to, value: wei, data, fee } = transaction;
  const prices =
    fee.kind === 'legacy'
      ? { gasPrice: fee.gasPrice }
      : { maxFeePerGas: fee.maxFeePerGas, maxPriorityFeePerGas: fee.maxPriorityFeePerGas };
  const numbers = Object.entries({ chainId: BigInt(chainId), nonce, gas: gasLimit, value: wei, ...prices });
  const members = Object.fromEntries(numbers.map(([name, number]) => [name, `0x${number.toString(16)}`]));
  const params = [{ from: under.address, to, data: `0x${bytesToHex(data)}`, ...members }];
  const chain = `eip155:${chainId}`;
  return passed(under, session.request({ chain, method: 'eth_signTransaction', params, signal: OPEN }));
}

const SIGNATURE = /^0x[0-9a-f]{128}(?:1b|1c)$/i;

type Signed = { readonly text: Uint8Array; readonly under: RemoteWalletUnderTest };

async function requireSigned(answer: RemoteAnswer, { text, under }: Signed): Promise<void> {
  const signature = value(answer);
  check(typeof signature === 'string' && SIGNATURE.test(signature), 'no signature of 65 bytes that ends in 27 or 28');
  check(
    isSame(await under.signerOfText(text, signature), under.address),
    'a different account signed, or a different text',
  );
}

function bytesOf(raw: unknown): Uint8Array {
  check(typeof raw === 'string' && /^0x(?:[0-9a-f]{2})+$/i.test(raw), 'no signed transaction');
  return hexToBytes(raw.slice(2).toLowerCase());
}

function value(answer: RemoteAnswer): unknown {
  if (answer.ok) return answer.value;
  throw broken(`it failed: ${answer.fault.kind}: ${answer.fault.message}`);
}

function fails(answer: RemoteAnswer, kinds: readonly RemoteFaultKind[], { topic }: RemoteWalletUnderTest): void {
  if (answer.ok) throw broken(`it succeeded instead of failing with ${kinds.join(' or ')}`);
  const { kind, message, code } = answer.fault;
  check(kinds.includes(kind), `${kind} instead of ${kinds.join(' or ')}`);
  check(typeof message === 'string' && message !== '', 'a fault without a text');
  check(code === undefined || Number.isInteger(code), 'a code that is not a whole number');
  check(!JSON.stringify(answer).includes(topic.reveal()), 'a fault shows the topic');
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function broken(fault: string): Error {
  return new Error(`the contract of RemoteWallets is broken: ${fault}`);
}

function check(holds: boolean, fault: string): asserts holds {
  if (!holds) throw broken(fault);
}
