import type { Watch, WatchTiming } from '../../src/events/watcher.ts';
import { MAX_CLOCK_DIFFERENCE, WATCHED_LOCK_MULTIPLES } from '../../src/htlc/lock-times.ts';
import { addSeconds, type Millis, type Seconds, toMillis, type UnixSeconds } from '../../src/primitives/time.ts';
import { byChain, byHost } from '../deadlines/deadline.ts';
import type { Race } from '../deadlines/race.ts';
import { raceAgainst, watchedTimes } from '../deadlines/table.ts';
import type { Deadline } from '../definition.ts';
import type { WatcherContext } from './context.ts';

/**
 * The times of a watch that the message and the watcher's timings fix, in seconds on the host's clock unless stated
 * otherwise.
 */
export type WatchTimes = {
  /** Until when the taker payment must be confirmed: start + 4/5 L, the maker's last moment to take it. */
  readonly confirmTakerPaymentBy: UnixSeconds;
  /** When the watcher starts to claim in the taker's place: start + L. */
  readonly claimFrom: UnixSeconds;
  /** Strictly after this time, the watcher refunds in the taker's place: start + 3/2 L. */
  readonly refundAfter: UnixSeconds;
  /** The taker payment's lock, by the median time past of the taker chain. */
  readonly takerLock: UnixSeconds;
  /**
   * The earliest time, by the maker chain's own clock, at which the maker may refund: start + 2 L, minus the difference
   * allowed between the two parties' clocks. The message does not give the exact lock.
   */
  readonly makerLockAtTheEarliest: UnixSeconds;
  /** When the watch is given up. */
  readonly expiresAt: UnixSeconds;
};

/** What a taker's message fixes of all times. */
type Watched = Pick<Watch, 'swap_started_at' | 'lock_duration'>;

/** Times of a watch; the factors and durations of the timings, the formulas of machines/deadlines/table.ts. */
export function watchTimes(watch: Watched, timing: WatchTiming): WatchTimes {
  const { swap_started_at: startedAt, lock_duration: lockDuration } = watch;
  const after = (factor: number): UnixSeconds => addSeconds(startedAt, Math.floor(lockDuration * factor));
  const { confirmTakerPaymentBy, takerLock, makerLock, makerLockAtTheEarliest } = watchedTimes(startedAt, lockDuration);
  return {
    confirmTakerPaymentBy,
    claimFrom: after(timing.wait_maker_payment_spend_factor),
    refundAfter: after(timing.refund_start_factor),
    takerLock,
    makerLockAtTheEarliest,
    expiresAt: addSeconds(makerLock, timing.give_up_after),
  };
}

/** The race for the maker payment: against the maker's refund, as early as that can be. */
export function watchedRace({ swap_started_at, lock_duration }: Watched): Race {
  return raceAgainst(watchedTimes(swap_started_at, lock_duration).makerLockAtTheEarliest, lock_duration);
}

/** The lock of the taker payment. */
export function watchedLock({ swap_started_at, lock_duration }: Watched): UnixSeconds {
  return watchedTimes(swap_started_at, lock_duration).takerLock;
}

/**
 * No fee of the swap is older. Counted from the start of the swap: a taker that was away past its lock, and asks only
 * then, needs its watcher most.
 */
export function oldestFee({ swap_started_at, lock_duration }: Watched): UnixSeconds {
  return addSeconds(swap_started_at, -lock_duration);
}

/** The longest time that the chains of a watch must be read back from the moment at which it is over. */
export function longestLook(watch: Watched, timing: WatchTiming): Seconds {
  return watchTimes(watch, timing).expiresAt - watch.swap_started_at + MAX_CLOCK_DIFFERENCE;
}

/**
 * From the moment of a fee on, for how long a watch that names it can be open: a swap takes a fee that is no older at its
 * start than its lock lasts, and is watched for two locks and some more.
 */
export function longestReach({ give_up_after }: WatchTiming, paymentLocktime: Seconds): Seconds {
  const longest = paymentLocktime * Math.max(...WATCHED_LOCK_MULTIPLES);
  return 3 * longest + give_up_after + MAX_CLOCK_DIFFERENCE;
}

/** When the search for the taker payment starts; null before the fee is validated. */
export function lookForPaymentFrom({ timing, takerFeeValidatedAt }: WatcherContext): Millis | null {
  if (timing === null || takerFeeValidatedAt === null) return null;
  return later(takerFeeValidatedAt, timing.wait_taker_payment);
}

/** The absolute times that matter in a state, derived from the log only. */
export function watcherDeadlines(state: string, context: WatcherContext): readonly Deadline[] {
  const { watch, timing } = context;
  if (watch === null || timing === null || state === 'stopped') return [];
  const times = watchTimes(watch, timing);
  const expiry = byHost('expiry', toMillis(times.expiresAt));
  switch (state) {
    case 'validatingTakerPayment': {
      const from = lookForPaymentFrom(context);
      const confirm = byHost('takerPaymentConfirmation', toMillis(times.confirmTakerPaymentBy));
      return from === null ? [confirm, expiry] : [byHost('takerPaymentWait', from), confirm, expiry];
    }
    case 'waitingForSpend':
    case 'refundSent':
      return [
        byHost('watcherRefund', toMillis(times.refundAfter)),
        byChain('refundValid', times.takerLock, 'takerChain'),
        expiry,
      ];
    case 'claiming':
    case 'claimSent':
      return [
        byHost('watcherSpend', toMillis(times.claimFrom)),
        byChain('makerRefundValid', times.makerLockAtTheEarliest, 'makerChain'),
        expiry,
      ];
    default:
      return [expiry];
  }
}

function later(at: Millis, seconds: Seconds): Millis {
  return (at + seconds * 1000) as Millis;
}
