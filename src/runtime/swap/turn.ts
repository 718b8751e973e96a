import type { Want } from '../../../machines/definition.ts';
import {
  currentPrepared,
  everAccepted,
  type JournalContext,
  type PreparedRecord,
} from '../../../machines/journal/context.ts';
import type { RecoverableSwap } from '../../../machines/recovery/recover.ts';
import type { Purpose } from '../../events/journal.ts';
import type {
  ChainTraits,
  PaymentQuery,
  PaymentView,
  PreparedTransaction,
  PrepareRequest,
  QuotePart,
  Sending,
  SignedTransaction,
  TransactionView,
} from '../../ports/chain.ts';
import type { SwapMessage, SwapMessageKind } from '../../ports/peers.ts';
import { onLeg } from '../../primitives/pair.ts';
import type { Height, Millis, Seconds } from '../../primitives/time.ts';
import type { Claims } from '../claims.ts';
import type { Command, Leg, NewEvent, Question } from '../command.ts';
import { transactionTaken } from '../errors.ts';
import type { Facts, SeenQuote } from '../facts.ts';
import type { Others } from '../held.ts';
import { chainClock, latestClock } from '../latest-clock.ts';
import type { Policy } from '../policy.ts';
import { bounded } from './fee-bound.ts';
import { signedFor } from './signed.ts';
import { isRecent, recentUntil, type Sparing } from './sparing.ts';
import type { SideEvents, SwapFacts } from './swap-facts.ts';
import { variantsLeft } from './variant-count.ts';

export { chainClock, latestClock, likelyClock } from '../latest-clock.ts';

/**
 * One decision: what a runner knows, and the earliest moment at which something changes automatically. An effect reads it, and either returns a
 * command or leaves a moment to wake at.
 */
export type Turn = {
  readonly now: Millis;
  readonly swap: SwapFacts;
  readonly events: SideEvents;
  readonly journal: JournalContext;
  /** What the machine has folded the public events to. */
  readonly context: RecoverableSwap['context'];
  readonly facts: Facts;
  readonly policy: Policy;
  readonly traits: Readonly<Record<Leg, TurnTraits>>;
  /** What the other swaps of the same wallet hold. */
  readonly others: Others;
  /** What belongs to other swaps of the same node. */
  readonly claims: Claims;
  /** What complete feeds spare it. @defaultValue nothing */
  spare?: Sparing | null;
  wakeAt: Millis;
};

/** What a runner must know of a chain without asking it. */
export type TurnTraits = Pick<
  ChainTraits,
  | 'coin'
  | 'decimals'
  | 'minTxAmount'
  | 'refund'
  | 'refundFeeFrom'
  | 'watchers'
  | 'rewards'
  | 'finality'
  | 'blockTime'
  | 'counter'
  | 'children'
>;

/** A command to carry out now, or null if there is nothing to do before the turn's `wakeAt`. */
export type Proposal = Command | null;

/** The answer to a look: the value, or what to do to get it. */
export type Look<T> = { readonly value: T } | { readonly pending: Proposal };

/** The part of a turn that looks and asks; parties of a swap and watchers share it. */
export type Looking = Pick<Turn, 'now' | 'facts' | 'wakeAt' | 'spare'>;

/** The turn wakes at this moment, rounded up to a whole millisecond: by then it has come. */
export function wakeAt(turn: Pick<Turn, 'wakeAt'>, at: number): null {
  if (at < turn.wakeAt) turn.wakeAt = Math.ceil(at) as Millis;
  return null;
}

export function wakeIn(turn: Pick<Turn, 'now' | 'wakeAt'>, seconds: Seconds): null {
  return wakeAt(turn, turn.now + seconds * 1000);
}

export function append(...events: readonly NewEvent[]): Command {
  return { kind: 'append', events };
}

/** Asks, unless the same question failed recently. */
export function ask(turn: Looking, leg: Leg, question: Question & { readonly key?: string }): Proposal {
  const key = keyOf(leg, question);
  const { tries } = turn.facts;
  const before = tries.size === 0 ? undefined : tries.get(key);
  if (before !== undefined && before.next > turn.now) return wakeAt(turn, before.next);
  return { kind: 'ask', leg, key, question };
}

/** Most questions are about payments: their keys are not built each time. */
function keyOf(leg: Leg, question: Question & { readonly key?: string }): string {
  if (question.op === 'payment' && question.key === undefined)
    return leg === 'maker' ? 'maker:payment' : 'taker:payment';
  return `${leg}:${question.key ?? question.op}`;
}

/** The text of the last fault of a question; null if its last answer was good. */
export function lastFault(
  turn: Pick<Turn, 'facts'>,
  leg: Leg,
  key: string,
): { readonly kind: string; readonly message: string; readonly part?: QuotePart } | null {
  return turn.facts.tries.get(`${leg}:${key}`) ?? null;
}

type Terms = Pick<SwapFacts, 'own' | 'ownTerms' | 'otherTerms' | 'otherPayment'> &
  Partial<Pick<SwapFacts, 'startBlocks' | 'ownPayment'>>;
type LookingFor = Looking & { readonly swap: Terms; readonly claims?: Claims };

/** The state of a payment, seen at most `maxAge` seconds ago, or as long ago as slow chains need; the turn wakes when that is too old. */
export function lookPayment(turn: LookingFor, leg: Leg, wanted: Seconds): Look<PaymentView> {
  const maxAge = patient(turn, wanted);
  const look = lookFresh(turn, leg, maxAge);
  const seen = onLeg(turn.facts.payments, leg);
  if ('value' in look && seen !== null) wakeAt(turn, recentUntil(turn, { leg, at: seen.at, maxAge }) + 1);
  return look;
}

/** The same for a look that an action needs: once it is too old, it is repeated when the action is due, and not before. */
export function lookFresh(turn: LookingFor, leg: Leg, maxAge: Seconds): Look<PaymentView> {
  const { swap, facts } = turn;
  const seen = onLeg(facts.payments, leg);
  const own = leg === swap.own;
  if (seen !== null && isRecent(turn, { leg, at: seen.at, maxAge })) {
    // A secret claims the other payment whichever payment showed it.
    if (!own || seen.value.spend?.how === 'secret' || !isOfOther(turn, seen.value)) return { value: seen.value };
    return { pending: wakeAt(turn, recentUntil(turn, { leg, at: seen.at, maxAge }) + 1) };
  }
  const terms = own ? swap.ownTerms : swap.otherTerms;
  if (terms === null) return { pending: null };
  const claimed = own ? null : swap.otherPayment;
  const started = swap.startBlocks === undefined ? null : onLeg(swap.startBlocks, leg);
  const query: PaymentQuery = {
    terms,
    ...(claimed === null ? {} : { claimed: claimed.tx_hex }),
    ...(own && swap.ownPayment != null ? { funding: swap.ownPayment.tx_hash } : {}),
    ...(own && swap.ownPayment !== undefined ? { own } : {}),
    ...(started === null ? {} : { from: Math.max(0, started - SEARCHED_BEFORE) as Height }),
  };
  return { pending: ask(turn, leg, { op: 'payment', query }) };
}

/**
 * Whether a look at the own payment shows what another swap of the node paid under equal terms. It says nothing about this swap: the fate of that
 * payment is not the fate of the own one.
 */
export function isOfOther({ swap, claims }: Pick<LookingFor, 'swap' | 'claims'>, { funding }: PaymentView): boolean {
  if (claims === undefined || funding === null || funding.tx.tx_hash === swap.ownPayment?.tx_hash) return false;
  return claims.transaction(funding.tx.tx_hash) !== null;
}

/**
 * How many blocks before the height of the start to search for a payment. It was made after the start; but the height may come from a node that was
 * ahead of others, and a reorganization may put a payment below it.
 */
const SEARCHED_BEFORE = 144;

/** How many looks at both chains an action may need one after the other, each as long as both chains take to answer. */
const LOOKS_BEFORE_ACT = 2;
/** How old a look may be, as a fraction of the time left before the action's own deadline. */
const OLD_PART = 0.1;

/**
 * How old a look may be for an action, in seconds: what the policy says, or as long as it takes to see both of two slow chains, but then no more than
 * a tenth of the time left. Otherwise a payer on such chains would keep looking forever.
 *
 * @param until the last moment of the act; null where it has none.
 */
export function freshness(
  { now, facts, policy }: Pick<Turn, 'now' | 'facts' | 'policy'>,
  until: Millis | null,
): Seconds {
  const needed = bothSeenWithin(facts);
  if (needed === 0) return policy.freshness;
  const allowed = until === null ? needed : (Math.max(0, until - now) * OLD_PART) / 1000;
  return Math.max(policy.freshness, Math.min(needed, allowed));
}

/**
 * How old a look may be for a wait that needs both chains, in seconds: while the second answers, the look at the first gets old, and asking the first
 * again would never show both.
 */
function patient({ facts }: Pick<Turn, 'facts'>, wanted: Seconds): Seconds {
  return Math.max(wanted, bothSeenWithin(facts));
}

/** In seconds; 0 if both chains answer at once. */
function bothSeenWithin({ latency: { maker, taker } }: Facts): Seconds {
  return (LOOKS_BEFORE_ACT * (maker + taker)) / 1000;
}

/** What a chain says about the wallet and its fees, seen at most `maxAge` seconds ago. @defaultValue at any time */
export function lookQuote(turn: Turn, leg: Leg, maxAge: Seconds = Number.POSITIVE_INFINITY): Look<SeenQuote> {
  const seen = onLeg(turn.facts.quotes, leg);
  if (seen !== null && turn.now - seen.at <= maxAge * 1000) return { value: seen };
  const since = turn.others.since();
  return { pending: ask(turn, leg, since === null ? { op: 'quote' } : { op: 'quote', since }) };
}

export function lookTransaction(
  turn: Looking,
  leg: Leg,
  { hash, maxAge: wanted }: { hash: string; maxAge: Seconds },
): Look<TransactionView> {
  const maxAge = patient(turn, wanted);
  const seen = turn.facts.transactions.get(hash);
  if (seen !== undefined && isRecent(turn, { leg, at: seen.at, maxAge })) {
    wakeAt(turn, recentUntil(turn, { leg, at: seen.at, maxAge }) + 1);
    return { value: seen.value };
  }
  return { pending: ask(turn, leg, { op: 'transaction', hash, key: `transaction:${hash}` }) };
}

/** Whose clock decided that a moment has passed. */
export type DecidingClock = NonNullable<Want['clock']>;

const CHAIN_CLOCK = { maker: 'makerChain', taker: 'takerChain' } as const;

/** How a log names the clock of a chain. */
export function clockOf(leg: Leg): DecidingClock {
  return onLeg(CHAIN_CLOCK, leg);
}

/** Whose clock is the latest; the host's among equals. */
export function latestBy(turn: Pick<Turn, 'now' | 'facts'>): DecidingClock {
  const latest = latestClock(turn);
  if (latest === turn.now) return 'host';
  return latest === chainClock(turn, 'maker') ? 'makerChain' : 'takerChain';
}

/** Whether a message of this kind was sent recently; the turn wakes when that is long enough ago. */
export function sentLately(
  turn: Pick<Turn, 'facts' | 'now' | 'wakeAt'>,
  kind: SwapMessageKind,
  every: Seconds,
): boolean {
  const sent = turn.facts.sentAt.get(kind);
  if (sent === undefined || sent + every * 1000 <= turn.now) return false;
  wakeAt(turn, sent + every * 1000);
  return true;
}

/** Sends a message unless it was sent recently. */
export function resend(
  turn: Turn,
  { message, every, topic, signer }: { message: SwapMessage; every: Seconds; topic: string; signer?: string },
): Proposal {
  if (sentLately(turn, message.kind, every)) return null;
  return signer === undefined ? { kind: 'send', topic, message } : { kind: 'send', topic, message, signer };
}

export type Signing = {
  readonly leg: Leg;
  readonly purpose: Purpose;
  readonly request: PrepareRequest;
  readonly target: string | null;
  readonly urgency: number;
};

/**
 * A signed transaction for a purpose. The log holds it, together with the intent to broadcast it, before anybody else can see it; after a crash, the
 * same one is found there. Null if no more may be signed, or if nothing new can be.
 */
export function sign(turn: Turn, { leg, purpose, request: wanted, target, urgency }: Signing): Command | null {
  if (variantsLeft(turn, purpose) === 0) return wakeIn(turn, turn.policy.refundPoll);
  const request = bounded(turn, { leg, purpose }, wanted);
  const made = ownSigned(turn, purpose, request);
  if (made === undefined) return ask(turn, leg, { op: 'prepare', request, key: `prepare:${purpose}` });
  // At the highest allowed fee, a wallet makes the same transaction again.
  if (isAlive(turn.journal.prepared[purpose], made)) return null;
  return append(prepared(purpose, made, { target, urgency }), attempted(purpose, made.tx_hash));
}

function isAlive(variants: readonly PreparedRecord[], { tx_hash }: PreparedTransaction): boolean {
  return variants.some(({ tx, dead }) => !dead && tx.tx_hash === tx_hash);
}

/**
 * What was signed for a purpose and such a request, by {@link signedFor}.
 *
 * @throws RuntimeError TRANSACTION_TAKEN if the wallet gave the same to another swap, whose log holds it by now.
 */
export function ownSigned(
  { facts, claims, swap }: Turn,
  purpose: Purpose,
  request: PrepareRequest,
): PreparedTransaction | undefined {
  const made = signedFor(facts, purpose, request);
  const holder = made === undefined ? null : claims.transaction(made.tx_hash);
  if (made === undefined || holder === null) return made;
  throw transactionTaken(`${swap.role}-swap/${swap.uuid}`, { tx_hash: made.tx_hash, holder });
}

export function prepared(
  purpose: Purpose,
  tx: SignedTransaction,
  { target, urgency }: { readonly target: string | null; readonly urgency: number },
): NewEvent {
  return { type: 'TransactionPrepared', data: { purpose, tx: signedOf(tx), target, urgency } };
}

/** The transaction alone, with as much of it as is known. */
export function signedOf({ tx_hex, tx_hash, spends, fee, refundFee }: SignedTransaction): SignedTransaction {
  if (spends === undefined || fee === undefined) return { tx_hex, tx_hash };
  return { tx_hex, tx_hash, spends, fee, ...(refundFee === undefined ? {} : { refundFee }) };
}

export function attempted(purpose: Purpose, tx_hash: string): NewEvent {
  return { type: 'BroadcastAttempted', data: { purpose, tx_hash } };
}

type Sent = Sending & { readonly purpose: Purpose; readonly record: PreparedRecord };

/** The result of a broadcast: accepted, with the journal event that says so, or what to do next. */
export type BroadcastState = { readonly accepted: readonly NewEvent[] } | { readonly pending: Proposal };

/**
 * Broadcasts a transaction that the log holds. A refusal is recorded once for each kind; then it is tried again later, because an error answer says
 * nothing about the chain.
 */
export function broadcast(turn: Looking, leg: Leg, { purpose, record, ...sending }: Sent): BroadcastState {
  const { tx } = record;
  const answer = turn.facts.broadcasts.get(tx.tx_hash);
  if (answer === undefined) {
    const key = `broadcast:${tx.tx_hash}`;
    return { pending: ask(turn, leg, { op: 'broadcast', transaction: signedOf(tx), ...sending, key }) };
  }
  if (answer.ok) {
    return { accepted: [{ type: 'BroadcastAccepted', data: { purpose, tx_hash: tx.tx_hash, how: answer.value } }] };
  }
  const { kind, message } = answer.fault;
  const data = { purpose, tx_hash: tx.tx_hash, kind, message: message.slice(0, 500) };
  return { pending: append({ type: 'BroadcastRefused', data }) };
}

/**
 * The log's record that the network has a transaction that a look shows: from the node's answer to its broadcast, or from the look if that answer
 * never came. Nothing if the log already holds it as accepted.
 */
export function shownNote(
  { facts }: Pick<Turn, 'facts'>,
  { purpose, record, confirmations }: Shown,
): readonly NewEvent[] {
  if (record === undefined || record.acceptedAt !== null) return [];
  const { tx_hash } = record.tx;
  const answer = facts.broadcasts.get(tx_hash);
  const how = answer?.ok === true ? answer.value : confirmations > 0 ? 'confirmed' : 'known';
  return [{ type: 'BroadcastAccepted', data: { purpose, tx_hash, how } }];
}

type Shown = {
  readonly purpose: Purpose;
  /** Undefined if the log does not hold it. */
  readonly record: PreparedRecord | undefined;
  readonly confirmations: number;
};

/** Broadcasts a swap's own transaction; one that waits for a nonce, or whose parents a node has lost, lets the earlier ones of the swap go out first. */
export function broadcastOwn(turn: Turn, leg: Leg, sent: Sent): BroadcastState {
  const known = turn.facts.broadcasts.has(sent.record.tx.tx_hash);
  const { refused } = sent.record;
  // The parent of a claim or a refund is the payment, which other effects send again.
  const isOrphan = refused === 'parentsUnknown' && sent.purpose !== 'claim' && sent.purpose !== 'refund';
  const filler = (refused === 'nonceGap' || isOrphan) && !known ? fillGap(turn, leg, sent.record) : null;
  return filler === null ? broadcast(turn, leg, sent) : { pending: filler };
}

const PURPOSES_ON_LEG = { own: ['fee', 'payment', 'refund', 'void'], other: ['claim'] } as const;

/** An account's transaction waits for an earlier one that was dropped: the earlier ones of this swap go out again first. */
function fillGap(turn: Turn, leg: Leg, waiting: PreparedRecord): Proposal {
  const purposes = leg === turn.swap.own ? PURPOSES_ON_LEG.own : PURPOSES_ON_LEG.other;
  for (const purpose of purposes) {
    for (const record of turn.journal.prepared[purpose]) {
      if (record === waiting || record.attemptedAt === null) continue;
      // A reorganization may have removed a claim or a refund that was included without effect, so its nonce is free
      // again.
      if (record.dead && purpose !== 'claim' && purpose !== 'refund') continue;
      if (record.preparedAt > waiting.preparedAt || excludes(record, waiting)) continue;
      if (purpose === 'payment' && isUnpaid(turn.journal, waiting)) continue;
      const transaction = signedOf(record.tx);
      const { tx_hash } = transaction;
      if (turn.facts.broadcasts.has(tx_hash)) return noted(turn, leg, { purpose, record });
      if (isOutbid(turn, purpose, record)) continue;
      const again = ask(turn, leg, { op: 'broadcast', transaction, key: `broadcast:${tx_hash}` });
      if (again !== null) return again;
    }
  }
  return bringFees(turn, leg, waiting);
}

/** Recently refused for its fee, while a dearer variant, which was also sent, fills the same gap. */
function isOutbid({ now, policy, journal }: Turn, purpose: Purpose, record: PreparedRecord): boolean {
  if (record.refused !== 'feeTooLow' || now - (record.refusedAt ?? 0) > policy.fees.retryCheaper * 1000) return false;
  const variants = journal.prepared[purpose];
  return variants
    .slice(variants.indexOf(record) + 1)
    .some((later) => !later.dead && later.attemptedAt !== null && excludes(later, record));
}

/** Sending a payment that no node has accepted means paying, not filling a gap: only a payment itself may bring it along. */
function isUnpaid(journal: JournalContext, waiting: PreparedRecord): boolean {
  return !everAccepted(journal, 'payment') && !journal.prepared.payment.includes(waiting);
}

/** Fees of the wallet's other swaps go out again before what may wait for them: their own swaps have moved on and do not look for them. */
function bringFees(turn: Turn, leg: Leg, waiting: PreparedRecord): Proposal {
  for (const { tx, preparedAt } of turn.claims.fees?.(onLeg(turn.traits, leg).coin) ?? []) {
    if (preparedAt > waiting.preparedAt) break;
    const transaction = signedOf(tx);
    const again = ask(turn, leg, { op: 'broadcast', transaction, key: `broadcast:${tx.tx_hash}` });
    if (again !== null) return again;
  }
  return null;
}

/** The answer to a broadcast, about to be logged. */
function noted(turn: Turn, leg: Leg, sent: { readonly purpose: Purpose; readonly record: PreparedRecord }): Proposal {
  const state = broadcast(turn, leg, sent);
  return 'pending' in state ? state.pending : append(...state.accepted);
}

/**
 * The own payment waits in the mempool for longer than it should: an earlier transaction of the account may have been dropped, so those of this swap
 * go out again. Null when there is nothing to repeat now.
 */
export function nudgePayment(turn: Turn, confirmations: number): Proposal {
  const record = currentPrepared(turn.journal, 'payment');
  if (confirmations > 0 || record === null) return null;
  const due = record.preparedAt + turn.policy.bumpAfter * 1000;
  return turn.now < due ? wakeAt(turn, due) : fillGap(turn, turn.swap.own, record);
}

/** If nothing dearer was signed for this many times the usual time, nothing could be signed. */
const NUDGED_AFTER = 2;

/**
 * The same for what a node has, no block includes and nothing dearer replaces: an account's transaction waits in the mempool for an earlier one that
 * was dropped, or that the network refused for its fee, whatever its own fee.
 */
export function nudge(turn: Turn, leg: Leg, record: PreparedRecord): Proposal {
  if (record.acceptedAt === null) return null;
  const due = record.acceptedAt + NUDGED_AFTER * turn.policy.bumpAfter * 1000;
  return turn.now < due ? wakeAt(turn, due) : fillGap(turn, leg, record);
}

/** Whether both take the same, so that one of them voids the other. */
function excludes(left: PreparedRecord, right: PreparedRecord): boolean {
  return left.tx.spends?.some((spent) => right.tx.spends?.includes(spent)) === true;
}

/**
 * What to do about an accepted transaction whose effect is not seen: null to broadcast it again. A lagging node must not make the log grow, so the
 * loss is recorded once.
 */
export function judgeMissing(
  turn: Turn,
  leg: Leg,
  { purpose, record }: { readonly purpose: Purpose; readonly record: PreparedRecord },
): { readonly pending: Proposal } | 'again' {
  const { policy, now } = turn;
  const tx_hash = record.tx.tx_hash;
  const view = lookTransaction(turn, leg, { hash: tx_hash, maxAge: policy.spendPoll });
  if ('pending' in view) return view;
  const { status } = view.value;
  if (status === 'reverted' || status === 'conflicted') {
    return { pending: append({ type: 'TransactionReverted', data: { purpose, tx_hash } }) };
  }
  if (status !== 'unknown') return { pending: wakeIn(turn, policy.spendPoll) };
  if (record.acceptedAt === null || record.dropped) return 'again';
  const since = record.acceptedAt + policy.dropAfter * 1000;
  if (now < since) return { pending: wakeAt(turn, since) };
  return { pending: append({ type: 'TransactionDropped', data: { purpose, tx_hash } }) };
}
