import { describe, expect, it } from 'vitest';
import { watcherDefinition } from '../../../machines/watcher/definition.ts';
import { watcherChart } from '../../../machines/watcher/machine.ts';
import { fittingStopReasons, type WatchOutcome, watchOutcome } from '../../../machines/watcher/verdict.ts';
import type { StopReason, WatcherEvent, WatcherEventType } from '../../../src/events/watcher.ts';
import { watcherPayloads } from '../../../src/events/watcher.ts';
import { millisOf } from '../../../src/primitives/time.ts';
import { compile } from '../../../src/replay/compile.ts';
import { fold } from '../../../src/replay/fold.ts';
import { simplePaths } from '../../../src/testing/drawn/paths.ts';
import { brokenInvariants, eventOf, initialSnapshot, REQUESTED, take } from './support.ts';

const machine = compile(watcherDefinition);

/** Every way to the end, with the reason for which it may end there and how the watch stands then. */
const ENDINGS: Readonly<Record<string, Readonly<Partial<Record<StopReason, WatchOutcome>>>>> = {
  'TakerFeeValidated > TakerPaymentValidated > TakerPaymentSpendFound > MakerPaymentSpentByTaker': {
    MakerPaymentSpentByTaker: 'not-needed',
  },
  'TakerFeeValidated > TakerPaymentValidated > TakerPaymentSpendFound > MakerPaymentSpent > MakerPaymentSpentByTaker': {
    MakerPaymentSpentByTaker: 'not-needed',
  },
  'TakerFeeValidated > TakerPaymentValidated > TakerPaymentSpendFound > MakerPaymentSpent': {
    MakerPaymentSpent: 'claimed',
    MakerPaymentSpendFailed: 'failed',
    Expired: 'failed',
  },
  'TakerFeeValidated > TakerPaymentValidated > TakerPaymentSpendFound': {
    MakerPaymentCouldNotBeFound: 'failed',
    MakerPaymentSpendFailed: 'failed',
    Expired: 'failed',
  },
  'TakerFeeValidated > TakerPaymentValidated > TakerPaymentRefundedByTaker': {
    TakerPaymentRefundedByTaker: 'not-needed',
  },
  'TakerFeeValidated > TakerPaymentValidated > TakerPaymentRefunded > TakerPaymentSpendFound > MakerPaymentSpentByTaker':
    { MakerPaymentSpentByTaker: 'not-needed' },
  'TakerFeeValidated > TakerPaymentValidated > TakerPaymentRefunded > TakerPaymentSpendFound > MakerPaymentSpent > MakerPaymentSpentByTaker':
    { MakerPaymentSpentByTaker: 'not-needed' },
  'TakerFeeValidated > TakerPaymentValidated > TakerPaymentRefunded > TakerPaymentSpendFound > MakerPaymentSpent': {
    MakerPaymentSpent: 'claimed',
    MakerPaymentSpendFailed: 'failed',
    Expired: 'failed',
  },
  'TakerFeeValidated > TakerPaymentValidated > TakerPaymentRefunded > TakerPaymentSpendFound': {
    MakerPaymentCouldNotBeFound: 'failed',
    MakerPaymentSpendFailed: 'failed',
    Expired: 'failed',
  },
  'TakerFeeValidated > TakerPaymentValidated > TakerPaymentRefunded > TakerPaymentRefundedByTaker': {
    TakerPaymentRefundedByTaker: 'not-needed',
  },
  'TakerFeeValidated > TakerPaymentValidated > TakerPaymentRefunded': {
    TakerPaymentRefunded: 'refunded',
    UnableToExtractSecret: 'failed',
    Expired: 'failed',
  },
  'TakerFeeValidated > TakerPaymentValidated': {
    UnableToExtractSecret: 'failed',
    TakerPaymentRefundFailed: 'failed',
    Expired: 'failed',
  },
  TakerFeeValidated: { InvalidTakerPayment: 'refused', TakerPaymentNotConfirmed: 'refused', Expired: 'failed' },
  '': { InvalidTakerFee: 'refused', Expired: 'failed' },
};

const paths = [...simplePaths(watcherChart)];
const bodyOf = (events: readonly string[]) => events.slice(1, -1).join(' > ');

describe('watcher: every path to the end', () => {
  it('the table of endings has every way through the chart, and every reason that fits', () => {
    const found = paths.map(({ events, states }) => [bodyOf(events), [...fittingStopReasons(states.at(-2) ?? '')]]);
    const known = Object.entries(ENDINGS).map(([body, reasons]) => [body, Object.keys(reasons)]);
    expect(found).toEqual(known);
  });

  for (const { events: types, states, name } of paths) {
    for (const [reason, outcome] of Object.entries(ENDINGS[bodyOf(types)] ?? {})) {
      it(`${name} (${reason}): ${outcome}`, () => {
        const events = types.map((type, index) =>
          eventOf(type as WatcherEventType, REQUESTED + index * 1000, reason as StopReason),
        );
        let snapshot = initialSnapshot();
        for (const [index, event] of events.entries()) {
          expect(snapshot.can(event)).toBe(true);
          snapshot = take(snapshot, event);
          const { value, context } = snapshot;
          expect(value).toBe(states[index + 1]);
          expect(brokenInvariants(value, context), `after ${event.type}`).toEqual([]);
          expect(fold(machine, events.slice(0, index + 1))).toEqual({ state: value, context });
          const last = index === events.length - 1;
          expect(watchOutcome(context)).toBe(last ? outcome : 'watching');
          expect(watcherDefinition.sentence(event, context)).toMatch(/^(The|This) .+\.$/);
        }
        const stored = JSON.parse(JSON.stringify(events)) as WatcherEvent[];
        const again = stored.map(({ type, at, data }) => {
          return { type, at: millisOf(at), data: watcherPayloads[type].parse(data) } as WatcherEvent;
        });
        expect(fold(machine, again)).toEqual({ state: 'stopped', context: snapshot.context });
      });
    }
  }
});
