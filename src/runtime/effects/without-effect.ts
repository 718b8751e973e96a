import type { PreparedRecord } from '../../../machines/journal/context.ts';
import { type Millis, type Seconds, toMillis } from '../../primitives/time.ts';
import { latestClock, type Turn } from '../turn.ts';
import { urgencyAfter } from './variants.ts';

/*
 * What a block includes without effect costs its fee each time. It ran out of gas, or what a look said was not so: a lock had not passed,
 * a payment was not there. Nobody can tell which, so that another try comes after a pause that doubles.
 */

/** No pause is longer. */
const LONGEST: Seconds = 86_400;

/** What races the other side waits for no larger part of the time that is left. */
const PART_OF_TIME_LEFT = 3;

/** Near that moment pauses become no shorter than this part of the lock. */
const LEAST_PART_OF_LOCK = 16;

/**
 * From when on a refund may be signed again; null for now.
 *
 * A chain outranks the host's clock, and what it calls refundable is tried. Where that had no effect and the host's clock has not passed the lock
 * either, both say that it was too early. Once the host's clock has passed the lock, tries are counted anew.
 */
export function nextRefund(turn: Turn): Millis | null {
  const lock = lockOf(turn);
  const dead = refundsThatCount(turn);
  // A maker's refund comes last. Behind that of a taker the other side could take both payments.
  const again = turn.swap.role === 'maker' ? againAfter(turn, dead, LONGEST) : beforeOther(turn, dead);
  return again === null || lock === null || turn.now > lock ? again : (Math.min(again, lock + 1) as Millis);
}

/** Urgency of another refund: what was included before its time says nothing about its gas. */
export function refundUrgency(turn: Turn, funding: string): number {
  const lock = lockOf(turn);
  const inTime = turn.journal.prepared.refund.filter((record) => lock === null || triedAt(record) > lock);
  return urgencyAfter(inTime, funding);
}

/** From when on a claim may be signed again; null for now. */
export function nextClaim(turn: Turn): Millis | null {
  return beforeOther(turn, deadOf(turn.journal.prepared.claim));
}

/** With the last tries well before the other side can take its payment back; from then on as long again as it has been going on. */
function beforeOther(turn: Turn, dead: readonly PreparedRecord[]): Millis | null {
  const { otherTerms, lockDuration } = turn.swap;
  const left = otherTerms === null ? 0 : (toMillis(otherTerms.lock) - latestClock(turn)) / 1000;
  const times = dead.map(triedAt);
  const since = (Math.max(...times) - Math.min(...times)) / 1000;
  const most = Math.max(lockDuration / LEAST_PART_OF_LOCK, left > 0 ? left / PART_OF_TIME_LEFT : since);
  return againAfter(turn, dead, Math.min(LONGEST, most));
}

type Waiting = { readonly record: PreparedRecord; readonly isStuck: boolean };

/**
 * Whether a block may have taken it, or what took its place: to be asked before it goes out again or is replaced. One that nobody was heard to
 * take may have come there all the same; of several that are equal the log tells the fate of the first.
 */
export function mayBeIncluded({ journal }: Turn, purpose: 'claim' | 'refund', { record, isStuck }: Waiting): boolean {
  const { acceptedAt, refused, tx } = record;
  if (acceptedAt !== null || refused === 'nonceUsed' || refused === 'invalid') return true;
  return isStuck && journal.prepared[purpose].find((one) => one.tx.tx_hash === tx.tx_hash) === record;
}

function lockOf({ swap }: Turn): Millis | null {
  return swap.ownTerms === null ? null : toMillis(swap.ownTerms.lock);
}

function refundsThatCount(turn: Turn): readonly PreparedRecord[] {
  const dead = deadOf(turn.journal.prepared.refund);
  const lock = lockOf(turn);
  return lock === null || turn.now <= lock ? dead : dead.filter((record) => triedAt(record) > lock);
}

/** Of whatever payment: a node that is wrong may show another one each time. */
function deadOf(variants: readonly PreparedRecord[]): readonly PreparedRecord[] {
  return variants.filter(({ dead }) => dead);
}

function againAfter({ policy, journal, now }: Turn, dead: readonly PreparedRecord[], most: Seconds): Millis | null {
  if (dead.length === 0) return null;
  const last = Math.max(...dead.map(triedAt));
  if (journal.retryAt !== null && journal.retryAt > last) return null;
  const first = Math.max(policy.fees.pause, policy.backoff.first);
  const again = last + Math.min(first * 2 ** (triesOf(dead) - 1), most) * 1000;
  return now >= again ? null : (again as Millis);
}

/** Variants that take the same nonce were one try: only one of them can have been included. */
function triesOf(dead: readonly PreparedRecord[]): number {
  return new Set(dead.map(({ tx }) => tx.spends?.join() ?? tx.tx_hash)).size;
}

function triedAt({ preparedAt, attemptedAt, acceptedAt }: PreparedRecord): number {
  return acceptedAt ?? attemptedAt ?? preparedAt;
}
