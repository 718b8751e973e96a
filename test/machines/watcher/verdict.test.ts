import { describe, expect, it } from 'vitest';
import { initialWatcherContext } from '../../../machines/watcher/context.ts';
import { watcherChart } from '../../../machines/watcher/machine.ts';
import {
  fittingStopReasons,
  WATCH_OUTCOMES,
  type WatchOutcome,
  watchOutcome,
} from '../../../machines/watcher/verdict.ts';
import { type StopReason, stopReasons } from '../../../src/events/watcher.ts';
import { REQUESTED } from './support.ts';

const outcomes: Readonly<Record<StopReason, WatchOutcome>> = {
  InvalidTakerFee: 'refused',
  InvalidTakerPayment: 'refused',
  TakerPaymentNotConfirmed: 'refused',
  TakerPaymentRefundedByTaker: 'not-needed',
  UnableToExtractSecret: 'failed',
  MakerPaymentCouldNotBeFound: 'failed',
  MakerPaymentSpentByTaker: 'not-needed',
  MakerPaymentSpent: 'claimed',
  MakerPaymentSpendFailed: 'failed',
  TakerPaymentRefunded: 'refunded',
  TakerPaymentRefundFailed: 'failed',
  Expired: 'failed',
};

describe('the state of a watch', () => {
  it('is in progress until it stopped', () => {
    expect(watchOutcome(initialWatcherContext())).toBe('watching');
  });

  it.each(stopReasons)('after %s', (reason) => {
    const stopped = { reason, error: null, at: REQUESTED };
    expect(watchOutcome({ ...initialWatcherContext(), stopped })).toBe(outcomes[reason]);
  });

  it('has no outcomes but the named ones', () => {
    expect([...WATCH_OUTCOMES].sort()).toEqual([...new Set(['watching', ...Object.values(outcomes)])].sort());
  });
});

/** The states in which a watch may stop, each with its reasons. */
const fitting: Readonly<Record<string, readonly StopReason[]>> = {
  validatingTakerFee: ['InvalidTakerFee', 'Expired'],
  validatingTakerPayment: ['InvalidTakerPayment', 'TakerPaymentNotConfirmed', 'Expired'],
  waitingForSpend: ['UnableToExtractSecret', 'TakerPaymentRefundFailed', 'Expired'],
  claiming: ['MakerPaymentCouldNotBeFound', 'MakerPaymentSpendFailed', 'Expired'],
  claimSent: ['MakerPaymentSpent', 'MakerPaymentSpendFailed', 'Expired'],
  claimedByTaker: ['MakerPaymentSpentByTaker'],
  refundSent: ['TakerPaymentRefunded', 'UnableToExtractSecret', 'Expired'],
  refundedByTaker: ['TakerPaymentRefundedByTaker'],
};

describe('why a watch may stop', () => {
  it.each([...Object.keys(watcherChart.states), 'nonsense'])('in %s', (state) => {
    expect(fittingStopReasons(state)).toEqual(fitting[state] ?? []);
  });
});
