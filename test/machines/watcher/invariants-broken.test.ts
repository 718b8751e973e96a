import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Want } from '../../../machines/definition.ts';
import { initialWatcherContext, type WatcherContext } from '../../../machines/watcher/context.ts';
import type { WatcherEffect } from '../../../machines/watcher/wants.ts';
import { defaultWatchTiming, type StopReason, stopReasons } from '../../../src/events/watcher.ts';
import { addSeconds, millisOf, toMillis } from '../../../src/primitives/time.ts';
import { SECRET, tx } from '../../support/swap-contexts.ts';
import { brokenInvariants, L, REQUESTED, START, sample } from './support.ts';

type Planted = readonly (Want & { readonly effect: WatcherEffect })[];

/** What the watch wants in place of its own rules, where a test says so. */
const planted = vi.hoisted(() => ({ wants: null as Planted | null }));

vi.mock(import('../../../machines/watcher/wants.ts'), async (original) => {
  const { watcherWants } = await original();
  return { watcherWants: (state, context) => planted.wants ?? watcherWants(state, context) };
});

afterEach(() => Object.assign(planted, { wants: null }));

type Facts = Partial<WatcherContext>;

const requested: WatcherContext = { ...initialWatcherContext(), watch: sample.watch, timing: defaultWatchTiming };
const validated: Facts = { takerFeeValidatedAt: REQUESTED, takerPaymentValidated: true };

const holds = (id: string, state: string, facts: Facts = {}) =>
  !brokenInvariants(state, { ...requested, ...facts }).includes(id);

const claimFrom = toMillis(addSeconds(START, L));
const refundAfter = toMillis(addSeconds(START, 1.5 * L));

describe('an invariant of a watch is broken', () => {
  it('W1: by a state that waits for nothing, and by an end that wants something', () => {
    expect(holds('W1', 'claiming')).toBe(true);
    expect(holds('W1', 'stopped')).toBe(true);
    planted.wants = [];
    expect(holds('W1', 'claiming')).toBe(false);
    planted.wants = [{ effect: 'giveUp' }];
    expect(holds('W1', 'stopped')).toBe(false);
  });

  it('W2: by a refund that is wanted, or followed, beside the secret', () => {
    for (const state of ['waitingForSpend', 'refundSent']) {
      expect(holds('W2', state, { ...validated, secret: SECRET }), state).toBe(false);
      expect(holds('W2', state, validated), state).toBe(true);
    }
    expect(holds('W2', 'claiming', { ...validated, secret: SECRET })).toBe(true);
  });
});

describe('an invariant of a watch about claims and refunds is broken', () => {
  it('W3: by a claim without the secret, or at another moment than was agreed', () => {
    for (const state of ['claiming', 'claimSent']) {
      expect(holds('W3', state, validated), state).toBe(false);
      expect(holds('W3', state, { ...validated, secret: SECRET }), state).toBe(true);
    }
    expect(holds('W3', 'waitingForSpend', validated)).toBe(true);
    expect(holds('W3', 'created', { watch: null, timing: null })).toBe(true);
    for (const notBefore of [claimFrom - 1000, claimFrom + 1000]) {
      planted.wants = [{ effect: 'spendMakerPayment', notBefore: millisOf(notBefore) }];
      expect(holds('W3', 'claiming', { secret: SECRET })).toBe(false);
    }
    planted.wants = [{ effect: 'confirmMakerPaymentSpend' }, { effect: 'spendMakerPayment' }];
    expect(holds('W3', 'claiming', { secret: SECRET })).toBe(false);
    planted.wants = [{ effect: 'spendMakerPayment', notBefore: claimFrom }];
    expect(holds('W3', 'claiming', { secret: SECRET })).toBe(true);
  });

  it('W4: by a refund at another moment than was agreed, or agreed before the lock', () => {
    const lasting = (refund_start_factor: number) => ({ timing: { ...defaultWatchTiming, refund_start_factor } });
    expect(holds('W4', 'waitingForSpend', lasting(1))).toBe(true);
    expect(holds('W4', 'waitingForSpend', lasting((L - 1) / L))).toBe(false);
    expect(holds('W4', 'refundSent', lasting((L - 1) / L))).toBe(false);
    expect(holds('W4', 'claiming', lasting(0.5))).toBe(true);
    for (const notBefore of [refundAfter - 1000, refundAfter + 1000]) {
      planted.wants = [{ effect: 'refundTakerPayment', notBefore: millisOf(notBefore) }];
      expect(holds('W4', 'waitingForSpend')).toBe(false);
    }
    planted.wants = [{ effect: 'confirmTakerPaymentRefund' }, { effect: 'refundTakerPayment' }];
    expect(holds('W4', 'waitingForSpend')).toBe(false);
    planted.wants = [{ effect: 'refundTakerPayment', notBefore: refundAfter }];
    expect(holds('W4', 'waitingForSpend')).toBe(true);
  });

  it('W3 and W4: by a claim or a refund of a watch that nobody asked for', () => {
    planted.wants = [{ effect: 'confirmMakerPaymentSpend' }];
    expect(holds('W3', 'claimSent', { secret: SECRET })).toBe(true);
    expect(holds('W3', 'claimSent', { secret: SECRET, watch: null })).toBe(false);
    expect(holds('W3', 'claimSent', { secret: SECRET, timing: null })).toBe(false);
    planted.wants = [{ effect: 'confirmTakerPaymentRefund' }];
    expect(holds('W4', 'refundSent')).toBe(true);
    expect(holds('W4', 'refundSent', { watch: null })).toBe(false);
    expect(holds('W4', 'refundSent', { timing: null })).toBe(false);
  });

  it('W5: by a claim or a refund before both the fee and the payment were validated', () => {
    for (const state of ['waitingForSpend', 'refundSent', 'claiming', 'claimSent']) {
      expect(holds('W5', state, validated), state).toBe(true);
      expect(holds('W5', state, { takerPaymentValidated: true }), state).toBe(false);
      expect(holds('W5', state, { takerFeeValidatedAt: REQUESTED }), state).toBe(false);
    }
    expect(holds('W5', 'validatingTakerPayment')).toBe(true);
  });
});

describe('an invariant of a watch about its end is broken', () => {
  it('W7: by a watch that continues without the moment at which it is given up', () => {
    expect(holds('W7', 'claiming')).toBe(true);
    expect(holds('W7', 'validatingTakerFee')).toBe(true);
    expect(holds('W7', 'claiming', { timing: null })).toBe(false);
    expect(holds('W7', 'stopped')).toBe(true);
    expect(holds('W7', 'created', { watch: null, timing: null })).toBe(true);
  });

  it('W8: by an end without a reason, and a reason without an end', () => {
    const stopped = { reason: 'Expired', error: null, at: REQUESTED } as const;
    expect(holds('W8', 'stopped', { stopped })).toBe(true);
    expect(holds('W8', 'stopped')).toBe(false);
    expect(holds('W8', 'claiming', { stopped })).toBe(false);
    expect(holds('W8', 'claiming')).toBe(true);
  });
});

type Grounds = { readonly given: readonly Facts[]; readonly missing: readonly Facts[] };

const fee: Facts = { takerFeeValidatedAt: REQUESTED };
const secret: Facts = { secret: SECRET };
const payment: Facts = { takerPaymentValidated: true };
const refundedByTaker: Facts = { takerPaymentRefundedBy: 'taker' };
const refundedByWatcher: Facts = { takerPaymentRefundedBy: 'watcher' };
const spentByTaker: Facts = { makerPaymentSpentBy: 'taker' };
const spentByWatcher: Facts = { makerPaymentSpentBy: 'watcher' };

const notValid: Grounds = { given: [fee], missing: [{}, payment, { ...fee, ...payment }] };

/** For every reason what the log may say, and logs that lack one of the grounds. */
const GROUNDS: Readonly<Record<StopReason, Grounds>> = {
  InvalidTakerFee: { given: [{}], missing: [fee] },
  InvalidTakerPayment: notValid,
  TakerPaymentNotConfirmed: notValid,
  TakerPaymentRefundedByTaker: {
    given: [refundedByTaker],
    missing: [{}, refundedByWatcher, { ...refundedByTaker, ...secret }],
  },
  UnableToExtractSecret: { given: [payment], missing: [{}, { ...payment, ...secret }] },
  MakerPaymentCouldNotBeFound: {
    given: [secret],
    missing: [{}, { ...secret, makerPaymentSpend: tx('claim') }],
  },
  MakerPaymentSpentByTaker: {
    given: [{ ...secret, ...spentByTaker }],
    missing: [spentByTaker, secret, { ...secret, ...spentByWatcher }],
  },
  MakerPaymentSpent: {
    given: [{ ...secret, ...spentByWatcher }],
    missing: [spentByWatcher, secret, { ...secret, ...spentByTaker }],
  },
  MakerPaymentSpendFailed: {
    given: [secret, { ...secret, ...spentByWatcher }],
    missing: [{}, spentByWatcher, { ...secret, ...spentByTaker }],
  },
  TakerPaymentRefunded: {
    given: [refundedByWatcher],
    missing: [{}, refundedByTaker, { ...refundedByWatcher, ...secret }],
  },
  TakerPaymentRefundFailed: {
    given: [payment],
    missing: [{}, { ...payment, ...refundedByTaker }, { ...payment, ...refundedByWatcher }, { ...payment, ...secret }],
  },
  Expired: { given: [{}, payment, secret, refundedByWatcher], missing: [] },
};

describe('W6: a watch stops for a reason that its log gives', () => {
  it.each(stopReasons)('%s', (reason) => {
    const stopped = { reason, error: null, at: REQUESTED };
    for (const facts of GROUNDS[reason].given) expect(holds('W6', 'stopped', { ...facts, stopped })).toBe(true);
    for (const facts of GROUNDS[reason].missing) {
      expect(holds('W6', 'stopped', { ...facts, stopped }), JSON.stringify(facts)).toBe(false);
      expect(holds('W6', 'claiming', facts)).toBe(true);
    }
  });
});
