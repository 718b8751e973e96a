import type { JournalContext, PreparedRecord } from '../../../machines/journal/context.ts';
import type { Purpose } from '../../events/journal.ts';
import { type Millis, type Seconds, toMillis } from '../../primitives/time.ts';
import type { Facts } from '../facts.ts';
import { likelyClock } from '../latest-clock.ts';
import { type FeePolicy, MOST_URGENT, MOST_VARIANTS, type Policy } from '../policy.ts';
import type { Signing, Turn } from './turn.ts';
import {
  isSettled,
  KEPT_VARIANTS,
  standsBeside,
  triedAt,
  VARIANTS_BEFORE_LOCK,
  variantsLeft,
  variantsOf,
} from './variant-count.ts';

/*
 * Rising fees. Only this file decides whether another variant of a transaction is due, and how urgent it is; effects ask and sign. The wallet says
 * what an urgency costs, and `fee-bound.ts` the most that it may cost; `effects/variants.ts` says which of the existing variants goes out, and
 * `effects/without-effect.ts` when to try again after one without effect.
 *
 * - F4: Urgency never falls from a variant to its replacement, and rises one step at a time.
 * - F5: At the highest urgency nothing dearer is signed.
 * - F6: Nothing gets dearer at once: after a refusal for its fee a variant is `fees.pause` old, and while it waits for a block `bumpAfter`.
 * - F7: A waiting variant gets dearer only once the network has judged it. Silent nodes do not show that it is too cheap.
 * - F8: What a node does not replace is not signed again: a child speeds it up.
 * - F9: The last variants of a claim or a refund are reserved for new attempts.
 */

/** What the rules about fees look at. */
export type Bumping = {
  readonly now: Millis;
  readonly policy: Pick<Policy, 'bumpAfter'> & { readonly fees: Pick<FeePolicy, 'pause'> };
  readonly journal: Pick<JournalContext, 'prepared' | 'retryAt'>;
};

/** Whether a dearer variant is due; `from` is the moment from which it is due for its price alone, null if the price says nothing. */
export type Dearer = { readonly due: boolean; readonly from: Millis | null };

type Raised = 'claim' | 'refund';

/**
 * From when a variant that was refused for its fee counts as too cheap; null for one that was not refused, or has the highest fee. Not at once,
 * because prices also fall: until then, and at the highest fee, the same one is tried again.
 */
export function tooCheapFrom({ policy }: Pick<Bumping, 'policy'>, record: PreparedRecord): Millis | null {
  const { refused, urgency, preparedAt, attemptedAt } = record;
  if (refused !== 'feeTooLow' || urgency >= MOST_URGENT) return null;
  return (Math.max(preparedAt, attemptedAt ?? 0) + policy.fees.pause * 1000) as Millis;
}

/** Since when a variant waits for a block, which refusals no fee changes, and whether an operator's order restarts the wait. */
type Wait = {
  readonly since: (record: PreparedRecord) => Millis | null;
  readonly notForFee: ReadonlySet<string | null>;
  readonly ordered: boolean;
};

const NO_REPLACEMENT: ReadonlySet<string | null> = new Set(['noReplacement']);

const WAITS: Readonly<Record<Raised | 'void', Wait>> = {
  claim: { since: ({ acceptedAt, preparedAt }) => acceptedAt ?? preparedAt, notForFee: NO_REPLACEMENT, ordered: true },
  refund: {
    // One that was signed with the payment lies ready for hours: its time runs from the first attempt.
    since: ({ acceptedAt, attemptedAt }) => (attemptedAt === null ? null : (acceptedAt ?? attemptedAt)),
    notForFee: new Set(['noReplacement', 'notFinal']),
    ordered: true,
  },
  // While no node answers, a higher fee changes nothing.
  void: { since: ({ acceptedAt }) => acceptedAt, notForFee: NO_REPLACEMENT, ordered: false },
};

/** Whether a variant has waited for a block so long that a dearer one is worth its fee. */
export function hasWaited(
  { now, policy, journal }: Bumping,
  purpose: Raised | 'void',
  record: PreparedRecord,
): boolean {
  const { since, notForFee, ordered } = WAITS[purpose];
  const from = since(record);
  if (from === null || record.urgency >= MOST_URGENT || notForFee.has(record.refused)) return false;
  const begun = ordered ? Math.max(from, journal.retryAt ?? 0) : from;
  return now - begun > policy.bumpAfter * 1000;
}

/** Refusals after which the same transaction can never confirm. */
const GONE_FOR_GOOD: ReadonlySet<string | null> = new Set(['inputsSpent', 'nonceUsed', 'invalid']);

/** Whether the network has judged a variant: a node accepted it or an equal one, a look shows it, or it can never confirm. */
export function isJudged(
  { tx, refused }: PreparedRecord,
  { variants, shown }: { readonly variants: readonly PreparedRecord[]; readonly shown: string | undefined },
): boolean {
  if (tx.tx_hash === shown || GONE_FOR_GOOD.has(refused)) return true;
  return variants.some((one) => one.acceptedAt !== null && one.tx.tx_hash === tx.tx_hash);
}

/**
 * It waits for a nonce that nobody uses any more, as its predecessor did for long: the next variant takes the least free nonce instead of the same
 * one. Two variants do no harm, because a payment is spent only once.
 */
export function isBlocked(
  { policy }: Pick<Bumping, 'policy'>,
  variants: readonly PreparedRecord[],
  record: PreparedRecord,
): boolean {
  if (record.refused !== 'nonceGap' || record.urgency >= MOST_URGENT) return false;
  const before = variants[variants.indexOf(record) - 1];
  // One that a block included, or that lost its place, did not wait.
  return before !== undefined && !before.dead && record.preparedAt - before.preparedAt > policy.bumpAfter * 1000;
}

/** For transactions that must be out in time and need no block by themselves: the fee and the payment. */
export function dearerForPrice(turn: Bumping, record: PreparedRecord): Dearer {
  const from = tooCheapFrom(turn, record);
  return { due: from !== null && turn.now >= from, from };
}

/** For a transaction that voids the own payment. `onItsWay`: the chain shows it. */
export function dearerVoid(
  turn: Bumping,
  record: PreparedRecord,
  { onItsWay }: { readonly onItsWay: boolean },
): Dearer {
  const { due, from } = dearerForPrice(turn, record);
  return { due: due || (!onItsWay && hasWaited(turn, 'void', record)), from };
}

type Spend = {
  readonly purpose: Raised;
  readonly record: PreparedRecord;
  /** The variant that a look shows waiting for a block. @defaultValue none */
  readonly shown?: string | undefined;
};

/** For a claim or a refund. */
export function dearerSpend(turn: Turn, { purpose, record, shown }: Spend): Dearer {
  if (!mayRaise(turn, purpose)) return NOT_DUE;
  const variants = turn.journal.prepared[purpose];
  const { due, from } = dearerForPrice(turn, record);
  const isStuck = hasWaited(turn, purpose, record) && isJudged(record, { variants, shown });
  return { due: due || isStuck || isBlocked(turn, variants, record), from };
}

const NOT_DUE: Dearer = { due: false, from: null };

/** Whether a dearer variant of what waits for a block may be signed: the last ones are reserved for new attempts. */
export function mayRaise(turn: Turn, purpose: Raised): boolean {
  const left = variantsLeft(turn, purpose);
  if (left <= KEPT_VARIANTS && left < MOST_VARIANTS) return false;
  return purpose === 'claim' || !isEarly(turn) || variantsOf(turn, purpose) < VARIANTS_BEFORE_LOCK;
}

/** Whether two of three clocks say that the lock of the own payment has not passed. */
export function isEarly(turn: Turn): boolean {
  const lock = lockOf(turn);
  return lock !== null && likelyClock(turn) <= lock;
}

/** When the lock of the own payment ends. */
export function lockOf({ swap }: Pick<Turn, 'swap'>): Millis | null {
  return swap.ownTerms === null ? null : toMillis(swap.ownTerms.lock);
}

/** What follows a variant: its urgency, and what it replaces; null for one beside it, which takes a free nonce. */
export type Next = { readonly urgency: number; readonly replaces: PreparedRecord | null };

export function nextVariant(turn: Omit<Bumping, 'now'>, purpose: Purpose, record: PreparedRecord): Next {
  const dearer = record.urgency + 1;
  if (purpose !== 'claim' && purpose !== 'refund') return { urgency: dearer, replaces: record };
  const variants = turn.journal.prepared[purpose];
  // If the wallet could not replace an earlier one, nodes hide what blocks include, and what is not seen says nothing
  // about its price.
  const isHidden = variants.some((one) => !one.dead && isSettled(one, record));
  const urgency = isHidden && record.refused !== 'feeTooLow' ? record.urgency : dearer;
  return { urgency, replaces: isBlocked(turn, variants, record) ? null : record };
}

/**
 * Urgency of a new attempt: above that of every one included without effect, because its gas may not have been enough. One whose nonce another
 * transaction used was never tried, so nothing says that it was too cheap.
 */
export function urgencyAfter(variants: readonly PreparedRecord[], funding: string): number {
  let urgency = 0;
  for (const { target, dead, refused, urgency: tried } of variants) {
    if (target !== funding || !dead) continue;
    urgency = Math.max(urgency, refused === 'nonceUsed' ? tried : Math.min(MOST_URGENT, tried + 1));
  }
  return urgency;
}

/**
 * Urgency of another refund: one included too early says nothing about its gas. It starts at the least that a node accepted then, because a node
 * would refuse again what it refused as too cheap; and one step below, once that is worth an attempt.
 */
export function refundUrgency(turn: Turn, funding: string): number {
  const lock = lockOf(turn);
  const { refund } = turn.journal.prepared;
  const inTime = refund.filter((record) => lock === null || triedAt(record) > lock);
  const urgency = urgencyAfter(inTime, funding);
  const early = refund.filter((record) => record.target === funding && record.dead && record.acceptedAt !== null);
  const last = early.at(-1);
  if (last === undefined || lock === null || triedAt(last) > lock) return urgency;
  const rivals = early.filter((record) => record === last || !standsBeside(record, last));
  const taken = Math.min(...rivals.map((record) => record.urgency));
  const isOld = turn.now - triedAt(last) > turn.policy.fees.retryCheaper * 1000;
  return Math.max(urgency, isOld ? taken - 1 : taken);
}

/**
 * The urgency at which to ask a wallet for a new attempt, if nothing that can confirm is signed: 0 once it could not pay for more. The price of the
 * day may be enough, and leaves it the most attempts.
 */
export function affordable(
  { facts }: { readonly facts: Pick<Facts, 'tries'> },
  { leg, purpose, urgency }: Pick<Signing, 'leg' | 'purpose' | 'urgency'>,
): number {
  return facts.tries.get(`${leg}:prepare:${purpose}`)?.kind === 'insufficientFunds' ? 0 : urgency;
}

/** From when a child of a waiting transaction is due, or another in place of a child that no node accepts. */
export function childAfter(
  { policy, journal }: Omit<Bumping, 'now'>,
  { since, replaces }: { readonly since: Millis; readonly replaces: PreparedRecord | null },
): Millis {
  const pause = replaces === null ? policy.bumpAfter : policy.fees.pause;
  return (Math.max(since, journal.retryAt ?? 0) + pause * 1000) as Millis;
}

/** Urgency of the next child: above all before it, and at least `wanted`; null above the highest. */
export function childUrgency(children: readonly PreparedRecord[], wanted: number): number | null {
  const urgency = children.reduce((most, one) => Math.max(most, one.urgency + 1), wanted);
  return urgency > MOST_URGENT ? null : urgency;
}

/** From when a watcher's dearer call replaces this one, which has waited for `pause`; null if none may. */
export function dearerCallFrom(
  record: PreparedRecord,
  { variants, pause }: { readonly variants: readonly PreparedRecord[]; readonly pause: Seconds },
): Millis | null {
  if (record.urgency >= MOST_URGENT || variants.length >= MOST_VARIANTS) return null;
  const { preparedAt, acceptedAt, refusedAt } = record;
  return (Math.max(preparedAt, acceptedAt ?? 0, refusedAt ?? 0) + pause * 1000) as Millis;
}

/** Urgency of a watcher's first call, or of another after calls without effect. */
export function callUrgency(before: readonly PreparedRecord[]): number {
  return Math.min(MOST_URGENT, before.length);
}
