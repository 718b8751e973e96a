import type { StoredTransaction } from '../../../events/payloads.ts';
import type {
  Answer,
  Chain,
  ChainFeed,
  FaultKind,
  PaymentTerms,
  PaymentView,
  PreparedTransaction,
} from '../../../ports/chain.ts';
import type { Awaitable } from '../../../ports/event-log.ts';
import type { DecimalText } from '../../../primitives/decimal.ts';
import { hash160, sha256 } from '../../../primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../primitives/hex.ts';
import { canonicalJson } from '../../../primitives/json.ts';
import { addSeconds, type Seconds, type UnixSeconds } from '../../../primitives/time.ts';

/** One chain with three wallets on it, of which the first two have funds for several payments, and power over its blocks. */
export type ChainFixture = {
  readonly sender: Chain & ChainFeed;
  readonly receiver: Chain & ChainFeed;
  readonly watcher: Chain & ChainFeed;
  /** True time, in seconds. */
  readonly now: () => UnixSeconds;
  /** Adds so many blocks, which include what waits. */
  readonly confirm: (blocks: number) => Awaitable<void>;
  /** Lets time and blocks pass until the chain's own clock is past the moment. */
  readonly passTime: (until: UnixSeconds) => Awaitable<void>;
  /** The sender's wallet in a new process, which knows nothing of the old one. */
  readonly restartedSender: () => Awaitable<Chain & ChainFeed>;
  /** Depth at which a spend is final on this chain, by whoever runs it. Without it nothing shows whether `traits.finality` is so. */
  readonly finality?: number;
  /**
   * Nominal time between two blocks of this chain, in seconds, by whoever runs it. Without it nothing shows whether `traits.blockTime`
   * is so, but where locks count blocks.
   */
  readonly blockTime?: Seconds;
  /**
   * Lets adapters that look for news from time to time look once more. A feed that hears late is asked for as many rounds of it as
   * {@link NEWS_ROUNDS}. @defaultValue news are told before the call that made them has returned
   */
  readonly nextNews?: () => Awaitable<void>;
} & NodePowers;

/**
 * What a fixture can do to the node behind its adapters. Real nodes do each of it of their own accord; a case whose power is absent
 * shows nothing.
 */
export type NodePowers = {
  /** Whether the node lets a dearer transaction take the place of one that waits. @defaultValue either will do */
  readonly replaces?: boolean;
  /** The node behind the sender's wallet answers nobody until the returned function is called. */
  readonly silence?: () => Awaitable<() => Awaitable<void>>;
  /** Fewer nodes answer the receiver's wallet than it believes, until the returned function is called. */
  readonly doubt?: () => Awaitable<() => Awaitable<void>>;
  /** Each answer of that node takes its time until the returned function is called: others are asked in between. */
  readonly slow?: () => Awaitable<() => Awaitable<void>>;
  /** The node of all wallets restarts and has forgotten all that waited. No block is lost. */
  readonly restartNode?: () => Awaitable<void>;
  /** The receiver's wallet in a new process, which has read so many of the last blocks and no others. */
  readonly shallowReceiver?: (blocks: number) => Awaitable<Chain & ChainFeed>;
};

/** A fixture within one case. */
export type Scene = ChainFixture & {
  /** Of the payments of this case alone: 32 bytes in hex. */
  readonly secret: string;
  readonly wrongSecret: string;
};

/** A case before it has its fixture. */
export type Check = { readonly title: string; readonly check: (fixture: Scene) => Promise<void> };

/** A value as JSON, cut where nobody would read on. */
export function shortly(value: unknown): string {
  const text = JSON.stringify(value, (_, held) => (typeof held === 'bigint' ? String(held) : held)) ?? String(value);
  return text.length <= 200 ? text : `${text.slice(0, 199)}…`;
}

/** @throws Error when the claim does not hold. */
export function expectThat(holds: boolean, claim: string): asserts holds {
  if (!holds) throw new Error(`the chain adapter breaks its contract: ${claim}`);
}

/** @throws Error when the two are not equal as JSON, in whatever order their members stand. */
export function expectEqual(found: unknown, expected: unknown, what: string): void {
  const [left, right] = [canonicalJson(found), canonicalJson(expected)];
  expectThat(left === right, `${what} is ${left}, not ${right}`);
}

/** The value of an answer. @throws Error for a fault. */
export async function answerOf<T>(answer: Awaitable<Answer<T>>): Promise<T> {
  const given = await answer;
  if (given.ok) return given.value;
  throw new Error(`the chain adapter answers ${given.fault.kind}: ${given.fault.message}`);
}

/** @throws Error unless the answer is a fault of one of these kinds. */
export async function expectFault(answer: Awaitable<Answer<unknown>>, ...kinds: readonly FaultKind[]): Promise<void> {
  const given = await answer;
  const found = given.ok ? `good: ${shortly(given.value)}` : given.fault.kind;
  expectThat(
    !given.ok && kinds.includes(given.fault.kind),
    `the answer is ${found}, not a fault of kind ${kinds.join(' or ')}`,
  );
}

/** The swap that all cases are of. */
export const FOR_SWAP = { swap: '8a7e1d7c-3f5e-4a51-9d0b-6f6f1a2b3c4d' } as const;

/** Another swap of the same wallets. */
export const OTHER_SWAP = { swap: 'c1f0a6de-52b7-4e9b-8a35-0d3f6b1e7a92' } as const;

const LOCK_AFTER = 7800;
const AMOUNT = '0.5' as DecimalText;

/** Terms between the two wallets, with the changes that a case wants. */
export function termsOf({ sender, receiver, now, ...scene }: Scene, changes: Partial<PaymentTerms> = {}): PaymentTerms {
  const { contract, secretHashBytes } = sender.traits;
  const secret = hexToBytes(scene.secret);
  return {
    lock: addSeconds(now(), LOCK_AFTER),
    secretHash: bytesToHex(secretHashBytes === 20 ? hash160(secret) : sha256(secret)),
    sender: sender.htlcKey(FOR_SWAP.swap),
    receiver: receiver.htlcKey(FOR_SWAP.swap),
    amount: AMOUNT,
    contract,
    ...changes,
  };
}

/** A payment that the sender's wallet made, not yet broadcast. */
export function preparedPayment({ sender }: Scene, terms: PaymentTerms): Promise<PreparedTransaction> {
  return answerOf(sender.prepare({ purpose: 'payment', terms, urgency: 0, replaces: null }, FOR_SWAP));
}

/** A payment that the chain holds, with so many confirmations. */
export async function sentPayment(
  fixture: Scene,
  terms: PaymentTerms,
  { confirmations = 1 }: { readonly confirmations?: number } = {},
): Promise<PreparedTransaction> {
  const payment = await preparedPayment(fixture, terms);
  expectEqual(await answerOf(fixture.sender.broadcast(payment)), 'sent', 'the answer to the first broadcast');
  if (confirmations > 0) await fixture.confirm(confirmations);
  return payment;
}

type Claiming = {
  readonly terms: PaymentTerms;
  readonly funding: StoredTransaction;
  readonly urgency?: number;
  readonly replaces?: PreparedTransaction;
};

/** A claim that the receiver's wallet made, not yet broadcast. */
export function preparedClaim(
  { receiver, secret }: Scene,
  { terms, funding, urgency = 0, replaces }: Claiming,
): Promise<PreparedTransaction> {
  return answerOf(
    receiver.prepare({ purpose: 'claim', terms, funding, secret, urgency, replaces: replaces ?? null }, FOR_SWAP),
  );
}

/** A refund that the sender's wallet made, not yet broadcast. */
export function preparedRefund(
  { sender }: Scene,
  { terms, funding, urgency = 0, replaces }: Claiming,
): Promise<PreparedTransaction> {
  return answerOf(sender.prepare({ purpose: 'refund', terms, funding, urgency, replaces: replaces ?? null }, FOR_SWAP));
}

export function paymentSeenBy(chain: Chain, terms: PaymentTerms): Promise<PaymentView> {
  return answerOf(chain.payment({ terms }));
}

/** How often a feed that hears late may look before it must have told of a change. */
const NEWS_ROUNDS = 20;

/** Whether a feed has told of something, now or after as many looks as it may have. */
export async function isHeard({ nextNews }: Scene, heard: () => boolean): Promise<boolean> {
  for (let round = 0; !heard() && nextNews !== undefined && round < NEWS_ROUNDS; round++) await nextNews();
  return heard();
}

/** Whether two transactions take one thing in common, so that at most one of them can confirm. */
export function areRivals(left: PreparedTransaction, right: PreparedTransaction): boolean {
  return left.spends.some((spend) => right.spends.includes(spend));
}
