import { describe, expect, it } from 'vitest';
import type { SwapLog } from '../../../../src/events/saved-swap.ts';
import {
  lockDurationRule,
  makerWaitRule,
  ownLockRule,
  peerLockRule,
  waitUntilRule,
} from '../../../../src/replay/audit/lock-times.ts';
import { buildSwapPair } from '../../../../src/testing/logs/swap-builder.ts';
import { judge, notCheckable, verified, violated, withMembers, without } from '../../../support/audited.ts';

const MAKER_REFUND = [
  ...['Started', 'Negotiated', 'MakerPaymentInstructionsReceived', 'TakerFeeValidated', 'MakerPaymentSent'],
  ...['MakerPaymentWaitConfirmFailed', 'MakerPaymentWaitRefundStarted', 'MakerPaymentRefundStarted'],
];
const TAKER_REFUND = ['Started', 'Negotiated', 'TakerPaymentWaitForSpendFailed', 'TakerPaymentWaitRefundStarted'];

const { taker, maker } = buildSwapPair({ seed: 81, takerPath: TAKER_REFUND, makerPath: MAKER_REFUND });
const START = 1_700_000_000;
const NO_START = 'the log does not hold the start and the lock duration';

/** Logs with round numbers: the owner starts at 1 700 000 000 and the lock duration is 7800 s. */
const ofTaker = (members: object = {}) =>
  withMembers(taker, 'Started', { started_at: START, taker_payment_lock: START + 7800, ...members });
const ofMaker = (members: object = {}) =>
  withMembers(maker, 'Started', { started_at: START, maker_payment_lock: START + 15_600, ...members });

describe('the lock duration', () => {
  it('is 1, 4, 10 or 12 times 7800 s in official releases', () => {
    const judged = (lock_duration: unknown) => judge(lockDurationRule, ofTaker({ lock_duration }));
    for (const duration of [7800, 31_200, 78_000, 93_600]) {
      expect(judged(duration)).toEqual([verified(0, `${duration} s`)]);
    }
    for (const duration of [0, 60, 7799, 15_600, 23_400, 85_800]) {
      expect(judged(duration)).toEqual([notCheckable(0, `${duration} s is no duration of an official release`)]);
    }
    expect(judged(undefined)).toEqual([]);
    expect(judge(lockDurationRule, without(taker, 'Started'))).toEqual([]);
  });
});

describe("the lock of the owner's payment", () => {
  it("is one duration after a taker's start and two after a maker's, to the second", () => {
    expect(judge(ownLockRule, ofTaker())).toEqual([verified(0, String(START + 7800))]);
    expect(judge(ownLockRule, ofMaker())).toEqual([verified(0, String(START + 15_600))]);
    for (const off of [-1, 1, 7800]) {
      expect(judge(ownLockRule, ofTaker({ taker_payment_lock: START + 7800 + off }))).toEqual([
        violated(0, { expected: String(START + 7800), found: String(START + 7800 + off) }),
      ]);
      expect(judge(ownLockRule, ofMaker({ maker_payment_lock: START + 15_600 + off }))).toEqual([
        violated(0, { expected: String(START + 15_600), found: String(START + 15_600 + off) }),
      ]);
    }
  });

  it('is one and a half durations for a maker against Lightning', () => {
    const lightning = { taker_coin: 'BTC-lightning', lock_duration: 93_600 };
    expect(judge(ownLockRule, ofMaker({ ...lightning, maker_payment_lock: START + 140_400 }))).toEqual([
      verified(0, String(START + 140_400)),
    ]);
    const unknown = ofMaker({ taker_coin: undefined });
    expect(judge(ownLockRule, unknown)).toEqual([verified(0, String(START + 15_600))]);
  });

  it("may be off by up to a minute in a log that was made from the other party's", () => {
    const fees = {
      fee_to_send_taker_fee: null,
      taker_payment_trade_fee: null,
      maker_payment_spend_trade_fee: null,
    };
    const off = (seconds: number) =>
      judge(ownLockRule, ofTaker({ ...fees, taker_payment_lock: START + 7800 + seconds }));
    for (const seconds of [-60, -1, 60]) {
      expect(off(seconds)).toEqual([
        notCheckable(0, `${seconds} s from the rule, as in a log that was made out of the other party's`),
      ]);
    }
    expect(off(0)[0]?.status).toBe('verified');
    for (const seconds of [-61, 61]) expect(off(seconds)[0]?.status).toBe('violated');
  });

  it('needs the start, the duration and the lock', () => {
    for (const member of ['started_at', 'lock_duration', 'taker_payment_lock']) {
      expect(judge(ownLockRule, ofTaker({ [member]: undefined }))).toEqual([notCheckable(0, NO_START)]);
    }
    expect(judge(ownLockRule, without(taker, 'Started'))).toEqual([]);
  });
});

describe("the lock of the other party's payment", () => {
  const inTaker = (maker_payment_locktime: unknown, log: SwapLog = ofTaker()) =>
    judge(peerLockRule, withMembers(log, 'Negotiated', { maker_payment_locktime }));
  const inMaker = (taker_payment_locktime: unknown) =>
    judge(peerLockRule, withMembers(ofMaker(), 'Negotiated', { taker_payment_locktime }));

  it("follows the same rule from a start within 60 s of the owner's", () => {
    for (const off of [-60, 0, 60]) {
      expect(inTaker(START + 15_600 + off)).toEqual([verified(1, String(START + 15_600 + off))]);
      expect(inMaker(START + 7800 + off)).toEqual([verified(1, String(START + 7800 + off))]);
    }
    for (const off of [-61, 61]) {
      expect(inTaker(START + 15_600 + off)).toEqual([
        violated(1, { expected: `${START + 15_540} to ${START + 15_660}`, found: String(START + 15_600 + off) }),
      ]);
      expect(inMaker(START + 7800 + off)).toEqual([
        violated(1, { expected: `${START + 7740} to ${START + 7860}`, found: String(START + 7800 + off) }),
      ]);
    }
  });

  it('needs the start, the duration and the lock', () => {
    expect(inTaker(undefined)).toEqual([notCheckable(1, NO_START)]);
    expect(inTaker(START + 15_600, ofTaker({ started_at: undefined }))).toEqual([notCheckable(1, NO_START)]);
    expect(inTaker(START + 15_600, ofTaker({ lock_duration: undefined }))).toEqual([notCheckable(1, NO_START)]);
    expect(judge(peerLockRule, without(taker, 'Negotiated'))).toEqual([]);
  });
});

describe("a taker's wait for the payment of the maker", () => {
  const judged = (members: object) => judge(makerWaitRule, ofTaker(members));
  const TWO_FIFTHS = 3120;
  const A_THIRD = 2600;

  it('ends two fifths of the duration after the start', () => {
    expect(judged({ maker_payment_wait: START + TWO_FIFTHS })).toEqual([verified(0, String(START + TWO_FIFTHS))]);
    for (const off of [-1, 1]) {
      expect(judged({ maker_payment_wait: START + TWO_FIFTHS + off })).toEqual([
        violated(0, { expected: String(START + TWO_FIFTHS), found: String(START + TWO_FIFTHS + off) }),
      ]);
    }
  });

  it('ended after a third until February 2020, and a year longer on nodes that were updated late', () => {
    const at = (started_at: number) => judged({ started_at, maker_payment_wait: started_at + A_THIRD });
    for (const start of [1_565_654_400, 1_614_556_799])
      expect(at(start)).toEqual([verified(0, String(start + A_THIRD))]);
    const old = { started_at: 1_565_654_400, maker_payment_wait: 1_565_654_400 + A_THIRD + 1 };
    expect(judged(old)[0]?.status).toBe('violated');
    expect(at(1_614_556_800)).toEqual([notCheckable(0, 'by the rule of before February 2020, in a younger log')]);
  });

  it('is stored by takers alone, and needs the start, the duration and the wait', () => {
    expect(judge(makerWaitRule, withMembers(maker, 'Started', { maker_payment_wait: START }))).toEqual([]);
    expect(judge(makerWaitRule, without(taker, 'Started'))).toEqual([]);
    for (const member of ['started_at', 'lock_duration', 'maker_payment_wait']) {
      expect(judged({ [member]: undefined })).toEqual([notCheckable(0, NO_START)]);
    }
  });
});

describe('the wait before a refund', () => {
  const taking = (wait_until: unknown, log = ofTaker()) =>
    judge(waitUntilRule, withMembers(log, 'TakerPaymentWaitRefundStarted', { wait_until }));
  const making = (wait_until: unknown) =>
    judge(waitUntilRule, withMembers(ofMaker(), 'MakerPaymentWaitRefundStarted', { wait_until }));

  it("ends 3700 s after the lock of the owner's payment", () => {
    expect(taking(START + 11_500)).toEqual([verified(3, String(START + 11_500))]);
    expect(making(START + 19_300)).toEqual([verified(6, String(START + 19_300))]);
    for (const off of [-1, 1]) {
      expect(taking(START + 11_500 + off)).toEqual([
        violated(3, { expected: String(START + 11_500), found: String(START + 11_500 + off) }),
      ]);
    }
  });

  it('was lost by programs that re-save swaps, or is unknown without the lock', () => {
    for (const lost of [undefined, null, '1', -1, 0.5]) {
      expect(taking(lost)).toEqual([notCheckable(3, 'the time was lost when another program stored the swap again')]);
    }
    expect(taking(START, ofTaker({ taker_payment_lock: undefined }))).toEqual([notCheckable(3, NO_START)]);
  });
});
