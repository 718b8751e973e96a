import {
  MAX_CLOCK_DIFFERENCE,
  makerLockMultiplier,
  makerPaymentConfirmDeadline,
  makerPaymentLock,
  makerPaymentSendDeadline,
  makerPaymentWait,
  makerSpendDeadline,
  NEGOTIATION_GRACE,
  NEGOTIATION_WAIT,
  PAYMENT_MESSAGE_GRACE,
  PAYMENT_MESSAGE_WAIT,
  refundWaitUntil,
  spendConfirmDeadline,
  takerFeeDeadline,
  takerPaymentLock,
  takerPaymentMessageWait,
  watcherRefundFrom,
  watcherSpendFrom,
} from '../../src/htlc/lock-times.ts';
import { addSeconds, type Millis, type Seconds, toMillis, type UnixSeconds } from '../../src/primitives/time.ts';
import type { MessageWait } from './message-wait.ts';
import type { Race } from './race.ts';

/*
 * The deadline table: every limit that the terms of a swap or of a watch fix, one row each. Nothing else in `machines` and in the runtime
 * computes one; wants and deadlines name these, and effects read them from the wants. Formulas: src/htlc/lock-times.ts.
 */

/** What a side's Started says about time: when it started, and the negotiated lock duration L. */
export type OwnTerms = { readonly started_at: UnixSeconds; readonly lock_duration: Seconds };

// Times on the host's clock that a side's own start fixes, in milliseconds.

/** The last moment to send the taker fee: start + 1/3 L. */
export function feeBy({ started_at, lock_duration }: OwnTerms): Millis {
  return toMillis(takerFeeDeadline(started_at, lock_duration));
}

/**
 * The last time at which a taker pays, and by which the maker payment must be confirmed: as its log says, else start +
 * 2/5 L.
 */
export function takerPaysBy(started: OwnTerms & { readonly maker_payment_wait?: UnixSeconds | null }): Millis {
  return toMillis(started.maker_payment_wait ?? makerPaymentWait(started.started_at, started.lock_duration));
}

/** The last moment at which a maker pays: start + 1/3 L. */
export function makerPaysBy({ started_at, lock_duration }: OwnTerms): Millis {
  return toMillis(makerPaymentSendDeadline(started_at, lock_duration));
}

/** When a maker's own payment must be confirmed: start + 2/5 L. */
export function makerConfirmedBy({ started_at, lock_duration }: OwnTerms): Millis {
  return toMillis(makerPaymentConfirmDeadline(started_at, lock_duration));
}

/**
 * Until when the taker payment must be confirmed, and the last moment at which a maker shows its secret for the first time: start + 4/5 L. A
 * claim after it could race the taker's refund.
 */
export function revealBy({ started_at, lock_duration }: OwnTerms): Millis {
  return toMillis(makerSpendDeadline(started_at, lock_duration));
}

/** When a watcher starts to claim in a taker's place, with the usual settings: start + L. */
export function watcherClaimsFrom({ started_at, lock_duration }: OwnTerms): Millis {
  return toMillis(watcherSpendFrom(started_at, lock_duration));
}

/** When a watcher starts to refund in a taker's place, with the usual settings: start + 3/2 L. */
export function watcherRefundsAfter({ started_at, lock_duration }: OwnTerms): Millis {
  return toMillis(watcherRefundFrom(started_at, lock_duration));
}

// What follows from the lock of a side's own payment.

/**
 * When a new claim should be confirmed: own lock + 3700 s. Undefined for a later claim: it was repeated or late, so the
 * engine waits until it is final.
 */
export function claimConfirmedBy(ownLock: UnixSeconds, lastEventAt: Millis): Millis | undefined {
  const confirmBy = toMillis(spendConfirmDeadline(ownLock));
  return lastEventAt < confirmBy ? confirmBy : undefined;
}

/** `wait_until` of an awaited refund: own lock + 3700 s. */
export function refundWaitedUntil(ownLock: UnixSeconds): UnixSeconds {
  return refundWaitUntil(ownLock);
}

// Waits for a message, in whole seconds.

/** Each of the two waits of the negotiation: 180 s. */
export function negotiationWait(since: Millis): MessageWait {
  return { since, limit: NEGOTIATION_WAIT + NEGOTIATION_GRACE };
}

/** The wait for the taker's fee, or for the maker's payment: 690 s. */
export function paymentMessageWait(since: Millis): MessageWait {
  return { since, limit: PAYMENT_MESSAGE_WAIT + PAYMENT_MESSAGE_GRACE };
}

/**
 * The maker's wait for the taker's payment: 3/5 L + 90 s from when it saw its own payment confirmed, which only the
 * chain dates. Here: from the latest possible time of that.
 */
export function takerPaymentWait(started: OwnTerms): MessageWait {
  return { since: makerConfirmedBy(started), limit: takerPaymentMessageWait(started.lock_duration) };
}

// The race against the other side's refund.

/** Part of the lock duration that a party keeps between its first claim and the other side's refund. */
const PART_OF_LOCK = 5;

/** The published margin: a fifth of the lock duration, rounded down. */
export function publishedMargin(lockDuration: Seconds): Seconds {
  return Math.floor(lockDuration / PART_OF_LOCK);
}

/** Against the lock of the claimed payment, with the published margin before it. */
export function raceAgainst(otherLock: UnixSeconds, lockDuration: Seconds): Race {
  return { lock: otherLock, margin: publishedMargin(lockDuration) };
}

// Locks and waits that a side stores when it starts.

/** The lock and the wait in a taker's Started. */
export function takerTimesAt(start: UnixSeconds, lockDuration: Seconds) {
  return {
    taker_payment_lock: takerPaymentLock(start, lockDuration),
    maker_payment_wait: makerPaymentWait(start, lockDuration),
  };
}

/** The lock in a maker's Started. */
export function makerLockAt(start: UnixSeconds, lockDuration: Seconds, takerCoin: string): UnixSeconds {
  return makerPaymentLock(start, lockDuration, { multiplier: makerLockMultiplier(takerCoin) });
}

/**
 * What a watch message fixes: the taker's start and the lock duration. It does not give the exact lock of the maker
 * payment.
 */
export function watchedTimes(start: UnixSeconds, lockDuration: Seconds) {
  const makerLock = makerPaymentLock(start, lockDuration);
  return {
    /** The maker's last time to take the taker payment, by which that spend must be confirmed. */
    confirmTakerPaymentBy: makerSpendDeadline(start, lockDuration),
    takerLock: takerPaymentLock(start, lockDuration),
    makerLock,
    /** Minus the difference allowed between the two parties' clocks. */
    makerLockAtTheEarliest: addSeconds(makerLock, -MAX_CLOCK_DIFFERENCE),
  };
}
