import { describe, expect, it } from 'vitest';
import { initialWatcherContext, type WatcherContext, watcherReducers } from '../../../machines/watcher/context.ts';
import {
  defaultWatchTiming,
  type WatcherEvent,
  type WatcherEventType,
  watcherEventTypes,
} from '../../../src/events/watcher.ts';
import { SECRET, tx } from '../../support/swap-contexts.ts';
import { REQUESTED, sample } from './support.ts';

type Recipe = (draft: WatcherContext, event: WatcherEvent) => void;

const request = { watch: sample.watch, timing: defaultWatchTiming };

/** What an event leaves in the context, beside its moment. */
const kept: readonly (readonly [WatcherEventType, unknown, Partial<WatcherContext>])[] = [
  ['WatchRequested', request, request],
  ['TakerFeeValidated', null, { takerFeeValidatedAt: REQUESTED }],
  ['TakerPaymentValidated', null, { takerPaymentValidated: true }],
  ['TakerPaymentSpendFound', { transaction: tx('a'), secret: SECRET }, { takerPaymentSpend: tx('a'), secret: SECRET }],
  ['MakerPaymentSpentByTaker', tx('a'), { makerPaymentSpend: tx('a'), makerPaymentSpentBy: 'taker' }],
  ['MakerPaymentSpentByTaker', null, { makerPaymentSpentBy: 'taker' }],
  ['MakerPaymentSpent', tx('a'), { makerPaymentSpend: tx('a'), makerPaymentSpentBy: 'watcher' }],
  ['TakerPaymentRefundedByTaker', tx('a'), { takerPaymentRefund: tx('a'), takerPaymentRefundedBy: 'taker' }],
  ['TakerPaymentRefundedByTaker', null, { takerPaymentRefundedBy: 'taker' }],
  ['TakerPaymentRefunded', tx('a'), { takerPaymentRefund: tx('a'), takerPaymentRefundedBy: 'watcher' }],
  [
    'Stopped',
    { reason: 'InvalidTakerFee', error: 'too little' },
    { stopped: { reason: 'InvalidTakerFee', error: 'too little', at: REQUESTED } },
  ],
];

describe('what the log of a watch leaves behind, event by event', () => {
  it('nothing before the first event', () => {
    const members = Object.values(initialWatcherContext());
    expect(members.filter((one) => one !== null && one !== false)).toEqual([]);
  });

  it.each(kept)('%s with %j', (type, data, facts) => {
    const draft = initialWatcherContext();
    (watcherReducers[type] as Recipe)(draft, { type, at: REQUESTED, data } as WatcherEvent);
    expect(draft).toEqual({ ...initialWatcherContext(), lastEventAt: REQUESTED, ...facts });
  });

  it('handles every type of event', () => {
    expect([...new Set(kept.map(([type]) => type))]).toEqual([...watcherEventTypes]);
  });
});
