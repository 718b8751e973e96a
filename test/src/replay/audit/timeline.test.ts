import { describe, expect, it } from 'vitest';
import {
  deadlineRule,
  discoveryRule,
  eventOrderRule,
  refundTimeRule,
  startTimeRule,
} from '../../../../src/replay/audit/timeline.ts';
import { buildSwapPair } from '../../../../src/testing/logs/swap-builder.ts';
import { judge, notCheckable, verified, violated, withMembers, without, withTimes } from '../../../support/audited.ts';

const START = 1_700_000_000;
const TAKER = [
  ...['Started', 'Negotiated', 'TakerFeeSent', 'MakerPaymentReceived', 'TakerPaymentSent', 'WatcherMessageSent'],
  ...['TakerPaymentSpent', 'MakerPaymentSpent', 'TakerPaymentRefunded'],
];
const MAKER = [
  ...['Started', 'Negotiated', 'TakerFeeValidated', 'MakerPaymentSent', 'TakerPaymentReceived'],
  ...['TakerPaymentSpent', 'MakerPaymentRefunded'],
];
const pair = buildSwapPair({ seed: 161, takerPath: TAKER, makerPath: MAKER });
/** Logs with round numbers: both start at 1 700 000 000; the lock duration is 7800 s. */
const taker = withMembers(pair.taker, 'Started', { started_at: START, taker_payment_lock: START + 7800 });
const maker = withMembers(pair.maker, 'Started', { started_at: START, maker_payment_lock: START + 15_600 });
const after = (seconds: number) => Math.round((START + seconds) * 1000);

describe('the moment of Started', () => {
  const at = (seconds: number, log = taker) => judge(startTimeRule, withTimes(log, { Started: after(seconds) }));
  const slow = (seconds: number) =>
    notCheckable(0, `stored ${seconds} s after the start; a slow node or a clock that was set may be the cause`);

  it('is within a minute after the start', () => {
    for (const seconds of [0, 1.5, 60]) expect(at(seconds)).toEqual([verified(0, `${seconds} s after the start`)]);
    for (const seconds of [60.5, 7800, -0.5, -60]) expect(at(seconds)).toEqual([slow(seconds)]);
  });

  it('is never more than a minute before the start, nor after the lock', () => {
    for (const seconds of [-60.5, 7800.5]) {
      const contradiction = { expected: '0 to 60 s after the start', found: `${seconds} s after the start` };
      expect(at(seconds)).toEqual([violated(0, contradiction)]);
    }
    expect(at(15_600, maker)).toEqual([slow(15_600)]);
    expect(at(15_601, maker)[0]?.status).toBe('violated');
    const unlocked = withMembers(taker, 'Started', { taker_payment_lock: undefined });
    expect(at(9000, unlocked)).toEqual([slow(9000)]);
  });

  it('is not judged without the event or its start', () => {
    expect(at(0, without(taker, 'Started'))).toEqual([]);
    expect(at(0, withMembers(taker, 'Started', { started_at: undefined }))).toEqual([]);
    expect(judge(startTimeRule, { ...taker, events: [] })).toEqual([]);
  });
});

describe('the times of all events', () => {
  const ordered = Object.fromEntries(TAKER.map((type, index) => [type, after(index)]));

  it('do not go back', () => {
    expect(judge(eventOrderRule, withTimes(taker, ordered))).toEqual([verified(null, '9 events in order')]);
    const same = Object.fromEntries(TAKER.map((type) => [type, after(0)]));
    expect(judge(eventOrderRule, withTimes(taker, same))).toEqual([verified(null, '9 events in order')]);
  });

  it('name every event before the latest one, unless a clock was set', () => {
    const set = withTimes(taker, {
      ...ordered,
      Negotiated: after(100),
      TakerFeeSent: after(99),
      TakerPaymentSpent: after(101),
    });
    const back = (type: string, ms: number) =>
      notCheckable(TAKER.indexOf(type), `${type} is stamped ${ms} ms before an earlier event`);
    expect(judge(eventOrderRule, set)).toEqual([
      back('TakerFeeSent', 1000),
      back('MakerPaymentReceived', 97_000),
      back('TakerPaymentSent', 96_000),
      back('WatcherMessageSent', 95_000),
      back('MakerPaymentSpent', 94_000),
      back('TakerPaymentRefunded', 93_000),
    ]);
  });

  it('say nothing about one event alone', () => {
    expect(judge(eventOrderRule, { ...taker, events: taker.events.slice(0, 1) })).toEqual([]);
    expect(judge(eventOrderRule, { ...taker, events: taker.events.slice(0, 2) })).toHaveLength(1);
  });
});

describe('the moment of a refund', () => {
  const at = (seconds: number, log = taker) =>
    judge(
      refundTimeRule,
      withTimes(log, { TakerPaymentRefunded: after(seconds), MakerPaymentRefunded: after(seconds) }),
    );

  it("is after the lock of the owner's payment", () => {
    expect(at(7800)).toEqual([verified(8, '0 s after the lock')]);
    expect(at(7900.9)).toEqual([verified(8, '100 s after the lock')]);
    expect(at(7799.5)).toEqual([violated(8, { expected: `after ${START + 7800}`, found: `${START + 7799.5}` })]);
    expect(at(15_600, maker)).toEqual([verified(6, '0 s after the lock')]);
    expect(at(15_599, maker)[0]?.status).toBe('violated');
  });

  it('is also judged if a watcher refunded', () => {
    const events = taker.events.map((event) =>
      event.type === 'TakerPaymentRefunded' ? { ...event, type: 'TakerPaymentRefundedByWatcher' } : event,
    );
    expect(judge(refundTimeRule, withTimes({ ...taker, events }, { TakerPaymentRefundedByWatcher: after(1) }))).toEqual(
      [violated(8, { expected: `after ${START + 7800}`, found: `${START + 1}` })],
    );
  });

  it('cannot be judged without the lock, or if a coin refunds automatically', () => {
    expect(at(1, withMembers(taker, 'Started', { taker_payment_lock: undefined }))).toEqual([
      notCheckable(8, 'the log does not hold the lock time'),
    ]);
    expect(at(1, withMembers(taker, 'TakerPaymentRefunded', { tx_hex: undefined }))).toEqual([
      notCheckable(8, 'the coin refunds by itself, by the height of its chain'),
    ]);
  });
});

/** KDF's figures for 7800 s: a third for the fee and the maker's payment, 2/5 for the taker's, 4/5 for the claim. */
const DEADLINES = [
  ['taker', 'TakerFeeSent', 2600],
  ['taker', 'TakerPaymentSent', 3120],
  ['maker', 'MakerPaymentSent', 2600],
  ['maker', 'TakerPaymentSpent', 6240],
] as const;

describe('the deadlines of a node', () => {
  const judged = (log: typeof taker, type: string, seconds: number) => {
    const seq = log.events.findIndex((event) => event.type === type);
    return judge(deadlineRule, withTimes(log, { [type]: after(seconds) })).filter((finding) => finding.seq === seq);
  };

  it('bind the fee and the payment of a taker, the payment and the claim of a maker', () => {
    expect(judge(deadlineRule, taker).map(({ seq }) => seq)).toEqual([2, 4]);
    expect(judge(deadlineRule, maker).map(({ seq }) => seq)).toEqual([3, 5]);
  });

  it('are met to the second, or missed, perhaps after a restart', () => {
    const cases = DEADLINES.map(
      ([role, type, deadline]) => [role === 'taker' ? taker : maker, type, deadline] as const,
    );
    for (const [log, type, deadline] of cases) {
      const seq = log.events.findIndex((event) => event.type === type);
      expect(judged(log, type, deadline)).toEqual([verified(seq, '0 s before the deadline')]);
      expect(judged(log, type, deadline - 9.5)).toEqual([verified(seq, '9 s before the deadline')]);
      expect(judged(log, type, deadline + 0.5)).toEqual([
        notCheckable(seq, 'stored 1 s after the deadline, perhaps after a restart'),
      ]);
    }
  });

  it('are counted from a start with a lock duration', () => {
    for (const member of ['started_at', 'lock_duration']) {
      expect(judge(deadlineRule, withMembers(taker, 'Started', { [member]: undefined }))).toEqual([]);
    }
  });
});

describe('what only a restart explains', () => {
  const watched = {
    ...taker,
    events: taker.events.map((event) =>
      event.type === 'MakerPaymentSpent' ? { ...event, type: 'MakerPaymentSpentByWatcher' } : event,
    ),
  };
  const at = (log: typeof taker, type: string, seconds: number) =>
    judge(discoveryRule, withTimes(log, { [type]: after(seconds) }));

  it("is a watcher's claim or refund, found after the lock duration", () => {
    const type = 'MakerPaymentSpentByWatcher';
    expect(at(watched, type, 7800)).toEqual([verified(7, '0 s after the lock duration')]);
    expect(at(watched, type, 7810.5)).toEqual([verified(7, '10 s after the lock duration')]);
    expect(at(watched, type, 7740)).toEqual([verified(7, '-60 s after the lock duration')]);
    expect(at(watched, type, 7739.5)).toEqual([
      notCheckable(7, 'MakerPaymentSpentByWatcher 61 s before the lock duration had passed'),
    ]);
  });

  it('is a claim without the event that shows the secret', () => {
    const spentless = without(taker, 'TakerPaymentSpent');
    expect(at(spentless, 'MakerPaymentSpent', 7801)).toEqual([verified(6, '1 s after the lock duration')]);
    const failed = {
      ...spentless,
      events: spentless.events.map((event) =>
        event.type === 'MakerPaymentSpent'
          ? { ...event, type: 'MakerPaymentSpendFailed', data: { error: 'e' } }
          : event,
      ),
    };
    expect(at(failed, 'MakerPaymentSpendFailed', 7801)).toEqual([verified(6, '1 s after the lock duration')]);
    expect(at(taker, 'MakerPaymentSpent', 7801)).toEqual([]);
  });

  it('is a refund by a watcher too', () => {
    const events = taker.events.map((event) =>
      event.type === 'TakerPaymentRefunded' ? { ...event, type: 'TakerPaymentRefundedByWatcher' } : event,
    );
    const log = { ...taker, events };
    expect(at(log, 'TakerPaymentRefundedByWatcher', 7900)).toEqual([verified(8, '100 s after the lock duration')]);
  });

  it('happens to takers, from a start with a lock duration', () => {
    expect(judge(discoveryRule, maker)).toEqual([]);
    for (const member of ['started_at', 'lock_duration']) {
      expect(judge(discoveryRule, withMembers(watched, 'Started', { [member]: undefined }))).toEqual([]);
    }
  });
});
