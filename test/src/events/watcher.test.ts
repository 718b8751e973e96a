import { describe, expect, it } from 'vitest';
import { defaultWatchTiming, watch, watcherPayloads } from '../../../src/events/watcher.ts';
import { watcherRefundFrom, watcherSpendFrom } from '../../../src/htlc/lock-times.ts';
import type { WatcherMessage } from '../../../src/ports/peers.ts';
import { unixSecondsOf } from '../../../src/primitives/time.ts';
import { sample } from '../../machines/watcher/support.ts';

const { WatchRequested, Stopped } = watcherPayloads;

describe('the events of a watch', () => {
  it('have the timings of the real node unless told otherwise', () => {
    const { timing } = WatchRequested.parse({ watch: sample.watch });
    expect(timing).toEqual(defaultWatchTiming);
    expect(timing).toMatchObject({ wait_taker_payment: 60, search_interval: 300, give_up_after: 21_600 });
    const zero = unixSecondsOf(0);
    expect(timing.wait_maker_payment_spend_factor * 10).toBe(watcherSpendFrom(zero, 10));
    expect(timing.refund_start_factor * 10).toBe(watcherRefundFrom(zero, 10));
  });

  it('hold a message as the peers hand it over, in canonical spelling', () => {
    const message = sample.watch satisfies WatcherMessage;
    expect(watch.parse(message)).toEqual(message);
    const shouted = {
      ...message,
      uuid: message.uuid.toUpperCase(),
      taker_pub: message.taker_pub.toUpperCase(),
      taker_amount: 2.4,
      taker_payment_requires_nota: undefined,
    };
    expect(watch.parse(shouted)).toEqual({ ...message, taker_payment_requires_nota: null });
  });

  it('name the member at fault', () => {
    const { success, error } = watch.safeParse({ ...sample.watch, maker_pub: '02' });
    expect(success).toBe(false);
    expect(error?.issues[0]).toMatchObject({
      path: ['maker_pub'],
      message: 'expected 33 bytes as 66 hex digits, found 2 hex digits',
    });
  });

  it('refuse a refund before the lock of the taker payment, and unknown reasons', () => {
    const early = { ...defaultWatchTiming, refund_start_factor: 0.99 };
    expect(WatchRequested.safeParse({ watch: sample.watch, timing: early }).success).toBe(false);
    expect(Stopped.safeParse({ reason: 'Bored', error: null }).success).toBe(false);
    expect(Stopped.parse({ reason: 'Expired' })).toEqual({ reason: 'Expired', error: null });
  });
});
