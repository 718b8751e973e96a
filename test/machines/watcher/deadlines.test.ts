import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lookForPaymentFrom, watcherDeadlines, watchTimes } from '../../../machines/watcher/deadlines.ts';
import { defaultWatchTiming, type WatcherEventType } from '../../../src/events/watcher.ts';
import {
  BASE_LOCK_DURATION,
  WATCHED_LOCK_MULTIPLES,
  watcherRefundFrom,
  watcherSpendFrom,
} from '../../../src/htlc/lock-times.ts';
import { unixSecondsOf } from '../../../src/primitives/time.ts';
import { L, REQUESTED, reach, START } from './support.ts';

const ms = (seconds: number) => seconds * 1000;
const EXPIRY = { kind: 'expiry', at: ms(START + 2 * L + 21_600), clock: 'host' };

function deadlines(...types: readonly WatcherEventType[]) {
  const { state, context } = reach(...types);
  return watcherDeadlines(state, context);
}

describe('the deadlines of a watch', () => {
  it('do not exist before the request and after the end', () => {
    expect(deadlines()).toEqual([]);
    expect(deadlines('WatchRequested', 'Stopped')).toEqual([]);
  });

  it('name the moments of each state, by the clock that decides', () => {
    expect(deadlines('WatchRequested')).toEqual([EXPIRY]);
    expect(deadlines('WatchRequested', 'TakerFeeValidated')).toEqual([
      { kind: 'takerPaymentWait', at: REQUESTED + 1000 + ms(60), clock: 'host' },
      { kind: 'takerPaymentConfirmation', at: ms(START + (4 * L) / 5), clock: 'host' },
      EXPIRY,
    ]);
    const validated = ['WatchRequested', 'TakerFeeValidated', 'TakerPaymentValidated'] as const;
    const refunding = [
      { kind: 'watcherRefund', at: ms(START + 1.5 * L), clock: 'host' },
      { kind: 'refundValid', at: ms(START + L), clock: 'takerChain' },
      EXPIRY,
    ];
    expect(deadlines(...validated)).toEqual(refunding);
    expect(deadlines(...validated, 'TakerPaymentRefunded')).toEqual(refunding);
    const claiming = [
      { kind: 'watcherSpend', at: ms(START + L), clock: 'host' },
      { kind: 'makerRefundValid', at: ms(START + 2 * L - 60), clock: 'makerChain' },
      EXPIRY,
    ];
    expect(deadlines(...validated, 'TakerPaymentSpendFound')).toEqual(claiming);
    expect(deadlines(...validated, 'TakerPaymentSpendFound', 'MakerPaymentSpent')).toEqual(claiming);
    expect(deadlines(...validated, 'TakerPaymentRefundedByTaker')).toEqual([EXPIRY]);
  });

  it('equal the formulas of the real node for its own factors', () => {
    const starts = fc.integer({ min: 1_500_000_000, max: 4_000_000_000 }).map(unixSecondsOf);
    fc.assert(
      fc.property(starts, fc.constantFrom(...WATCHED_LOCK_MULTIPLES), (started, multiple) => {
        const lock = multiple * BASE_LOCK_DURATION;
        const times = watchTimes({ swap_started_at: started, lock_duration: lock }, defaultWatchTiming);
        expect(times.claimFrom).toBe(watcherSpendFrom(started, lock));
        expect(times.refundAfter).toBe(watcherRefundFrom(started, lock));
        expect(times.confirmTakerPaymentBy).toBeLessThan(times.claimFrom);
        expect(times.refundAfter).toBeLessThan(times.makerLockAtTheEarliest);
      }),
    );
  });

  it('come whole from the log, so that other settings of a restarted node do not move them', () => {
    const { context } = reach('WatchRequested', 'TakerFeeValidated', 'TakerPaymentValidated');
    const timing = { ...defaultWatchTiming, refund_start_factor: 1.25, give_up_after: 5 };
    expect(watcherDeadlines('waitingForSpend', { ...context, timing })).toEqual([
      { kind: 'watcherRefund', at: ms(START + 1.25 * L), clock: 'host' },
      { kind: 'refundValid', at: ms(START + L), clock: 'takerChain' },
      { kind: 'expiry', at: ms(START + 2 * L + 5), clock: 'host' },
    ]);
  });
});

describe('the deadlines of a watch whose log lacks something, or whose settings are odd', () => {
  it('do not exist if the log does not hold the request', () => {
    const { context } = reach('WatchRequested', 'TakerFeeValidated');
    expect(watcherDeadlines('validatingTakerPayment', { ...context, watch: null })).toEqual([]);
    expect(watcherDeadlines('validatingTakerPayment', { ...context, timing: null })).toEqual([]);
  });

  it('include no pause before the fee was validated', () => {
    const { context } = reach('WatchRequested');
    expect(lookForPaymentFrom(context)).toBeNull();
    expect(watcherDeadlines('validatingTakerPayment', context)).toEqual([
      { kind: 'takerPaymentConfirmation', at: ms(START + (4 * L) / 5), clock: 'host' },
      EXPIRY,
    ]);
    const validated = reach('WatchRequested', 'TakerFeeValidated').context;
    expect(lookForPaymentFrom(validated)).toBe(REQUESTED + 1000 + ms(60));
    expect(lookForPaymentFrom({ ...validated, timing: null })).toBeNull();
  });

  it('are whole seconds, also with factors that give none', () => {
    const timing = { ...defaultWatchTiming, wait_maker_payment_spend_factor: 1.0001, refund_start_factor: 1.3333 };
    const times = watchTimes({ swap_started_at: unixSecondsOf(1_700_000_000), lock_duration: 7800 }, timing);
    expect(times).toEqual({
      confirmTakerPaymentBy: 1_700_006_240,
      claimFrom: 1_700_007_800,
      refundAfter: 1_700_010_399,
      takerLock: 1_700_007_800,
      makerLockAtTheEarliest: 1_700_015_540,
      expiresAt: 1_700_037_200,
    });
  });
});
