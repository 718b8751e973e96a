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
 * Fees that rise. Whether another variant of a transaction is due, and how urgent it is, stands here and nowhere else; effects ask and sign. What
 * an urgency costs is the wallet's to say, and the most that it may cost `fee-bound.ts`; which of the variants that there are goes out says
 * `effects/variants.ts`, and when one that a block took without effect is tried anew `effects/without-effect.ts`.
 *
 * - F4: Urgency never falls from a variant to what takes its place, and rises by one step at a time.
 * - F5: At the highest urgency nothing dearer is signed.
 * - F6: Nothing gets dearer at once: after a refusal for its fee it is `fees.pause` old, and while it waits for a block `bumpAfter`.
 * - F7: What waits gets dearer only once the network has judged it. Where nodes merely do not answer, nothing was shown to be too cheap.
 * - F8: What a node does not replace is not signed again: a child speeds it up.
 * - F9: The last variants of a claim or a refund are kept for new tries.
 */

/** What a rule about fees looks at. */
export type Bumping = {
  readonly now: Millis;
  readonly policy: Pick<Policy, 'bumpAfter'> & { readonly fees: Pick<FeePolicy, 'pause'> };
  readonly journal: Pick<JournalContext, 'prepared' | 'retryAt'>;
};

/** Whether a dearer variant is due; `from` is the moment from which it is for its price alone, null where that says nothing. */
export type Dearer = { readonly due: boolean; readonly from: Millis | null };

type Raised = 'claim' | 'refund';

/**
 * From when on a variant that was refused for its fee is too cheap; null for one that was not, or that has the highest fee. Not at once, because
 * prices fall as they rise: until then, and at the highest, the same one is tried again.
 */
export function tooCheapFrom({ policy }: Pick<Bumping, 'policy'>, record: PreparedRecord): Millis | null {
  const { refused, urgency, preparedAt, attemptedAt } = record;
  if (refused !== 'feeTooLow' || urgency >= MOST_URGENT) return null;
  return (Math.max(preparedAt, attemptedAt ?? 0) + policy.fees.pause * 1000) as Millis;
}

/** Since when a variant waits for a block, which refusals no fee changes, and whether an operator's order begins the wait anew. */
type Wait = {
  readonly since: (record: PreparedRecord) => Millis | null;
  readonly notForFee: ReadonlySet<string | null>;
  readonly ordered: boolean;
};

const NO_REPLACEMENT: ReadonlySet<string | null> = new Set(['noReplacement']);

const WAITS: Readonly<Record<Raised | 'void', Wait>> = {
  claim: { since: ({ acceptedAt, preparedAt }) => acceptedAt ?? preparedAt, notForFee: NO_REPLACEMENT, ordered: true },
  refund: {
    // One that was signed beside the payment lies ready for hours: its time runs from the first try.
    since: ({ acceptedAt, attemptedAt }) => (attemptedAt === null ? null : (acceptedAt ?? attemptedAt)),
    notForFee: new Set(['noReplacement', 'notFinal']),
    ordered: true,
  },
  // While no node answers, a higher fee changes nothing.
  void: { since: ({ acceptedAt }) => acceptedAt, notForFee: NO_REPLACEMENT, ordered: false },
};

/** Whether a variant has waited for a block for so long that a dearer one is worth its fee. */
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

/** Whether the network has said anything of a variant: a node took it or an equal one, a look shows it, or it can never confirm. */
export function isJudged(
  { tx, refused }: PreparedRecord,
  { variants, shown }: { readonly variants: readonly PreparedRecord[]; readonly shown: string | undefined },
): boolean {
  if (tx.tx_hash === shown || GONE_FOR_GOOD.has(refused)) return true;
  return variants.some((one) => one.acceptedAt !== null && one.tx.tx_hash === tx.tx_hash);
}

/**
 * Waits for a nonce that nobody uses any more, and its predecessor did so for long: the next variant takes the least free nonce
 * instead of the same one. Two of them do no harm, because a payment is spent but once.
 */
export function isBlocked(
  { policy }: Pick<Bumping, 'policy'>,
  variants: readonly PreparedRecord[],
  record: PreparedRecord,
): boolean {
  if (record.refused !== 'nonceGap' || record.urgency >= MOST_URGENT) return false;
  const before = variants[variants.indexOf(record) - 1];
  // One that a block took, or that lost its place, waited for nothing.
  return before !== undefined && !before.dead && record.preparedAt - before.preparedAt > policy.bumpAfter * 1000;
}

/** Of what has to be out in time, and waits for no block of its own: the fee and the payment. */
export function dearerForPrice(turn: Bumping, record: PreparedRecord): Dearer {
  const from = tooCheapFrom(turn, record);
  return { due: from !== null && turn.now >= from, from };
}

/** Of what makes the own payment impossible. `onItsWay`: the chain shows that it does. */
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

/** Of a claim or a refund. */
export function dearerSpend(turn: Turn, { purpose, record, shown }: Spend): Dearer {
  if (!mayRaise(turn, purpose)) return NOT_DUE;
  const variants = turn.journal.prepared[purpose];
  const { due, from } = dearerForPrice(turn, record);
  const isStuck = hasWaited(turn, purpose, record) && isJudged(record, { variants, shown });
  return { due: due || isStuck || isBlocked(turn, variants, record), from };
}

const NOT_DUE: Dearer = { due: false, from: null };

/** Whether a dearer variant of what waits for a block may be signed: the last ones are kept for new tries. */
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

/** What comes after a variant: how urgent it is, and in whose place it stands; null for one beside it, which takes a free nonce. */
export type Next = { readonly urgency: number; readonly replaces: PreparedRecord | null };

export function nextVariant(turn: Omit<Bumping, 'now'>, purpose: Purpose, record: PreparedRecord): Next {
  const dearer = record.urgency + 1;
  if (purpose !== 'claim' && purpose !== 'refund') return { urgency: dearer, replaces: record };
  const variants = turn.journal.prepared[purpose];
  // Where the wallet could not replace an earlier one, nodes hide what blocks take, and what is not seen says nothing about its price.
  const isHidden = variants.some((one) => !one.dead && isSettled(one, record));
  const urgency = isHidden && record.refused !== 'feeTooLow' ? record.urgency : dearer;
  return { urgency, replaces: isBlocked(turn, variants, record) ? null : record };
}

/**
 * Urgency of a new try: more than that of every one that was included without effect, because its gas may not have sufficed. One whose
 * nonce another transaction used was never tried, so that nothing says it was too cheap.
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
 * Urgency of another refund: what was included before its time says nothing about its gas. It begins at the least that a node took then,
 * for what a node refused as too cheap would only be refused again; and a step below once that is worth a try.
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
 * The urgency at which a wallet is asked for a new try, where nothing that can confirm is signed: none once it could not pay for more. The price of
 * the day may do, and leaves it the most tries.
 */
export function affordable(
  { facts }: { readonly facts: Pick<Facts, 'tries'> },
  { leg, purpose, urgency }: Pick<Signing, 'leg' | 'purpose' | 'urgency'>,
): number {
  return facts.tries.get(`${leg}:prepare:${purpose}`)?.kind === 'insufficientFunds' ? 0 : urgency;
}

/** After when a child of what waits is due, or another one in the place of a child that no node takes. */
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

/** From when on a dearer call of a watcher takes the place of this one, which has stood for `pause`; null where none may. */
export function dearerCallFrom(
  record: PreparedRecord,
  { variants, pause }: { readonly variants: readonly PreparedRecord[]; readonly pause: Seconds },
): Millis | null {
  if (record.urgency >= MOST_URGENT || variants.length >= MOST_VARIANTS) return null;
  const { preparedAt, acceptedAt, refusedAt } = record;
  return (Math.max(preparedAt, acceptedAt ?? 0, refusedAt ?? 0) + pause * 1000) as Millis;
}

/** Urgency of a watcher's first call, or of another one after those that blocks took without effect. */
export function callUrgency(before: readonly PreparedRecord[]): number {
  return Math.min(MOST_URGENT, before.length);
}
