import { describe, expect, it } from 'vitest';
import { backoffMillis, DEFAULT_POLICY, MOST_URGENT } from '../../../src/runtime/policy.ts';
import { DEFAULT_RUNTIME_POLICY } from '../../../src/runtime/runtime-policy.ts';

describe('the pause before the next try', () => {
  const backoff = { first: 5, factor: 2, most: 300 };

  it('doubles with each failure in a row, up to the longest', () => {
    const pauses = [1, 2, 3, 4, 5, 6, 7, 8, 100].map((failures) => backoffMillis(backoff, failures));
    expect(pauses).toEqual([5000, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000, 300_000]);
  });

  it('is the first if nothing has failed yet', () => {
    expect([backoffMillis(backoff, 0), backoffMillis(backoff, -3)]).toEqual([5000, 5000]);
  });

  it('is the longest even for an infinite number of failures', () => {
    expect(backoffMillis(backoff, 100_000)).toBe(300_000);
    expect(backoffMillis({ ...backoff, factor: 1 }, 9)).toBe(5000);
  });

  it('is a whole number of milliseconds, rounded up, even if the factor is not', () => {
    const pauses = [1, 2, 3, 4].map((failures) => backoffMillis({ first: 1 / 3, factor: 1.5, most: 0.9999 }, failures));
    expect(pauses).toEqual([334, 500, 750, 1000]);
  });
});

it('defaults are as documented, and as in the real node if that has them', () => {
  expect(DEFAULT_POLICY).toEqual({
    confirmationPoll: 15,
    spendPoll: 10,
    refundPoll: 30,
    safetyLook: 600,
    freshness: 10,
    resend: { negotiation: 15, fee: 100, payment: 600 },
    feeCheck: { retries: 6, pause: 10 },
    backoff: { first: 5, factor: 2, most: 300 },
    startWithin: 60,
    dropAfter: 60,
    bumpAfter: 600,
    margin: 0,
    fees: { pause: 60, retryCheaper: 600, share: 0.1, factor: 10, most: {} },
    finality: {},
    guardFactor: 2,
    guardFor: 86_400,
  });
  expect(DEFAULT_RUNTIME_POLICY).toEqual({
    ...DEFAULT_POLICY,
    callTimeout: 30,
    sendTimeout: 5,
    callsPerChain: 64,
    feedPause: 1,
    logBackoff: { first: 1, factor: 2, most: 60 },
    faultBackoff: { first: 60, factor: 2, most: 3600 },
    loading: 32,
    paymentLocktime: 7800,
    hearing: {
      counterparty: { messages: { burst: 30, perSecond: 0.5 }, weight: { burst: 2_000_000, perSecond: 20_000 } },
      takers: {
        each: { messages: { burst: 60, perSecond: 0.5 }, weight: { burst: 200_000, perSecond: 2000 } },
        all: { messages: { burst: 600, perSecond: 20 }, weight: { burst: 2_000_000, perSecond: 60_000 } },
        most: 1000,
      },
    },
  });
  expect(MOST_URGENT).toBe(12);
});
