import { describe, expect, it } from 'vitest';
import * as table from '../../../machines/deadlines/table.ts';
import { addSeconds, millisOf, toMillis, unixSecondsOf } from '../../../src/primitives/time.ts';

// Every figure by hand, from the specification and the published times of the real node; a duration that no part divides.
const START = unixSecondsOf(1_700_000_000);
const started = { started_at: START, lock_duration: 7802 };
const at = (seconds: number) => toMillis(addSeconds(START, seconds));

describe('the deadline table', () => {
  it('has what a taker does in time', () => {
    expect(table.feeBy(started)).toBe(at(2600));
    expect(table.takerPaysBy({ ...started, maker_payment_wait: null })).toBe(at(3120));
    expect(table.takerPaysBy({ ...started, maker_payment_wait: addSeconds(START, 2599) })).toBe(at(2599));
    expect(table.takerTimesAt(START, 7802)).toEqual({
      taker_payment_lock: START + 7802,
      maker_payment_wait: START + 3120,
    });
  });

  it('has what a maker does in time', () => {
    expect(table.makerPaysBy(started)).toBe(at(2600));
    expect(table.makerConfirmedBy(started)).toBe(at(3120));
    expect(table.revealBy(started)).toBe(at(6241));
    expect(table.makerLockAt(START, 7801, 'LTC')).toBe(START + 15_602);
    expect(table.makerLockAt(START, 7801, 'BTC-lightning')).toBe(START + 11_702);
  });

  it('has the waits for messages', () => {
    expect(table.negotiationWait(at(7))).toEqual({ since: at(7), limit: 180 });
    expect(table.paymentMessageWait(at(7))).toEqual({ since: at(7), limit: 690 });
    expect(table.takerPaymentWait(started)).toEqual({ since: at(3120), limit: 4681 + 90 });
  });

  it('has what follows from a lock', () => {
    const lock = addSeconds(START, 7802);
    expect(table.claimConfirmedBy(lock, at(0))).toBe(at(7802 + 3700));
    expect(table.claimConfirmedBy(lock, millisOf(at(7802 + 3700) - 1))).toBe(at(7802 + 3700));
    expect(table.claimConfirmedBy(lock, at(7802 + 3700))).toBeUndefined();
    expect(table.refundWaitedUntil(lock)).toBe(START + 7802 + 3700);
    expect(table.raceAgainst(lock, 7802)).toEqual({ lock, margin: 1560 });
    expect(table.publishedMargin(7804)).toBe(1560);
  });

  it('has the times of a watch', () => {
    expect(table.watcherClaimsFrom(started)).toBe(at(7802));
    expect(table.watcherRefundsAfter({ ...started, lock_duration: 7803 })).toBe(at(11_704));
    expect(table.watchedTimes(START, 7802)).toEqual({
      confirmTakerPaymentBy: START + 6241,
      takerLock: START + 7802,
      makerLock: START + 15_604,
      makerLockAtTheEarliest: START + 15_544,
    });
  });
});
