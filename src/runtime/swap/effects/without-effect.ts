import type { PreparedRecord } from '../../../../machines/journal/context.ts';
import { type Millis, type Seconds, toMillis } from '../../../primitives/time.ts';
import { isEarly, lockOf } from '../fee-bumps.ts';
import { likelyClock, type Turn } from '../turn.ts';
import {
  KEPT_VARIANTS,
  placeOf,
  triedAt,
  VARIANTS_BEFORE_LOCK,
  variantsLeft,
  variantsOf,
  withoutEffect,
} from '../variant-count.ts';

/*
 * A transaction that a block includes without effect costs its fee each time. It ran out of gas, or a look was wrong: a lock had not passed, a
 * payment was not there. Nobody can tell which, so each new attempt waits twice as long, and the last allowed attempts are spread over the time left.
 */

/** What races the other side waits for at most this fraction of the time left. */
const PART_OF_TIME_LEFT = 3;

/** Near that moment, pauses get no shorter than this fraction of the lock. */
const LEAST_PART_OF_LOCK = 16;

/** Once at most this many variants that race the other side are left, they are spread over the time left. */
const SPREAD_FROM = 10;

/** Once at most this many are left and nothing races, each attempt waits as long again as all so far have taken. */
const SELDOM_FROM = 5;

/**
 * From when on a refund may be signed again; null for now.
 *
 * A chain outranks the host's clock, so what it calls refundable is tried. If that had no effect and the host's clock has not passed the lock either,
 * both say that it was too early. Once the host's clock has passed the lock, attempts count from zero again.
 */
export function nextRefund(turn: Turn): Millis | null {
  const lock = lockOf(turn);
  const tried = refundsThatCount(turn);
  const again = takenBack(turn, { purpose: 'refund', tried });
  if (lock === null || turn.now > lock) return again;
  if (isEarly(turn) && variantsOf(turn, 'refund') >= VARIANTS_BEFORE_LOCK) return (lock + 1) as Millis;
  return again === null ? null : (Math.min(again, lock + 1) as Millis);
}

/** From when a claim may be signed again; null for now. */
export function nextClaim(turn: Turn): Millis | null {
  return beforeOther(turn, { purpose: 'claim', tried: withoutEffect(turn.journal.prepared.claim) });
}

/** From when the own payment may be voided again; null for now. */
export function nextVoid(turn: Turn): Millis | null {
  return takenBack(turn, { purpose: 'void', tried: turn.journal.prepared.void.filter(({ dead }) => dead) });
}

type Tried = { readonly purpose: 'claim' | 'refund' | 'void'; readonly tried: readonly PreparedRecord[] };

/** A maker refunds last. After a taker's refund, the other side could take both payments. */
function takenBack(turn: Turn, tries: Tried): Millis | null {
  return turn.swap.role === 'maker' ? atLeisure(turn, tries) : beforeOther(turn, tries);
}

/** With the last attempts well before the other side can refund; from then on, each waits as long again as all so far have taken. */
function beforeOther(turn: Turn, { purpose, tried }: Tried): Millis | null {
  const { race, lockDuration } = turn.swap;
  const left = race === null ? 0 : (toMillis(race.lock) - likelyClock(turn)) / 1000;
  const least = lockDuration / LEAST_PART_OF_LOCK;
  const sinceLast = (turn.now - Math.max(...tried.map(triedAt))) / 1000;
  const pace = left > 0 ? spread(left + sinceLast, { least, variants: variantsLeft(turn, purpose) }) : 0;
  const most = Math.max(least, pace, left > 0 ? left / PART_OF_TIME_LEFT : goingOn(tried));
  return againAfter(turn, tried, { least: pace, most });
}

/**
 * The pause after the last attempt with which the remaining variants last until shortly before that moment, each after an equal part of the time then
 * left; none while there are enough.
 */
function spread(left: Seconds, { least, variants }: { readonly least: Seconds; readonly variants: number }): Seconds {
  if (variants > SPREAD_FROM || left <= least) return 0;
  const tries = variants - KEPT_VARIANTS;
  return tries <= 0 ? left : left * (1 - (least / left) ** (1 / tries));
}

function atLeisure(turn: Turn, { purpose, tried }: Tried): Millis | null {
  const least = variantsLeft(turn, purpose) > SELDOM_FROM ? 0 : goingOn(tried);
  return againAfter(turn, tried, { least, most: Number.POSITIVE_INFINITY });
}

/** How long attempts have been going on. */
function goingOn(tried: readonly PreparedRecord[]): Seconds {
  const times = tried.map(triedAt);
  return (Math.max(...times) - Math.min(...times)) / 1000;
}

type Waiting = { readonly record: PreparedRecord; readonly hasWaited: boolean };

/**
 * Whether a block may hold it, or what replaced it: ask before it goes out again or is replaced. One that no node reported to accept may still have
 * arrived there.
 */
export function mayBeIncluded({ record, hasWaited }: Waiting): boolean {
  const { acceptedAt, refused } = record;
  return acceptedAt !== null || refused === 'nonceUsed' || refused === 'invalid' || hasWaited;
}

/** Of any payment: a faulty node may show another one each time. */
function refundsThatCount(turn: Turn): readonly PreparedRecord[] {
  const tried = withoutEffect(turn.journal.prepared.refund);
  const lock = lockOf(turn);
  return lock === null || turn.now <= lock ? tried : tried.filter((record) => triedAt(record) > lock);
}

type Pauses = { readonly least: Seconds; readonly most: Seconds };

function againAfter(
  { policy, journal, now }: Turn,
  tried: readonly PreparedRecord[],
  { least, most }: Pauses,
): Millis | null {
  if (tried.length === 0) return null;
  const last = Math.max(...tried.map(triedAt));
  if (journal.retryAt !== null && journal.retryAt > last) return null;
  const first = Math.max(policy.fees.pause, policy.backoff.first);
  const pause = Math.max(least, Math.min(first * 2 ** (triesOf(tried) - 1), most));
  const again = last + Math.ceil(pause * 1000);
  return now >= again ? null : (again as Millis);
}

/**
 * Variants that take the same nonce were one attempt: only one of them can have been included. If a wallet signed the same again, as on UTXO chains,
 * where nothing reverts, each was a separate attempt.
 */
function triesOf(tried: readonly PreparedRecord[]): number {
  const signed = new Set(tried.map(({ tx }) => tx.tx_hash));
  return new Set(tried.map(placeOf)).size + tried.length - signed.size;
}
