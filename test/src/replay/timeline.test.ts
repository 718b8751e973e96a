import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { moneyTimeline, type TimelineRow } from '../../../src/replay/timeline.ts';
import { swapLog } from '../../../src/testing/arbitraries.ts';
import { buildSwap, buildSwapPair, successPath } from '../../../src/testing/swap-builder.ts';

const TAKER = successPath('taker', { era: 'current', watchers: false });

function brief(row: TimelineRow): string {
  const leg = ({ status, movableBy }: TimelineRow['makerPayment']) => `${status}[${movableBy.join(' ')}]`;
  const name = row.kind === 'event' ? row.event : `-- ${row.deadline}`;
  return `${Math.floor(row.offset / 1000)} ${name} ${leg(row.makerPayment)} ${leg(row.takerPayment)}`;
}

describe('the money timeline', () => {
  it('shows who can move what, with the deadlines in their places', () => {
    const path = [
      ...TAKER.slice(0, TAKER.indexOf('TakerPaymentSent') + 1),
      'TakerPaymentWaitForSpendFailed',
      'TakerPaymentWaitRefundStarted',
    ];
    expect(moneyTimeline(buildSwap({ role: 'taker', path, seed: 'timeline' })).rows.map(brief)).toMatchInlineSnapshot(`
      [
        "0 Started none[] none[]",
        "10 Negotiated none[] none[]",
        "20 TakerFeeSent none[] none[]",
        "61 TakerPaymentInstructionsReceived none[] none[]",
        "62 MakerPaymentReceived uncertain[] none[]",
        "62 MakerPaymentWaitConfirmStarted uncertain[] none[]",
        "183 MakerPaymentValidatedAndConfirmed locked[] none[]",
        "359 TakerPaymentSent locked[] locked[maker]",
        "2599 -- takerFee locked[] locked[maker]",
        "3119 -- makerPaymentWait locked[] locked[maker]",
        "7799 -- takerPaymentLock locked[] locked[maker taker]",
        "7814 TakerPaymentWaitForSpendFailed locked[] locked[maker taker]",
        "7814 TakerPaymentWaitRefundStarted locked[] locked[maker taker]",
        "15599 -- makerPaymentLock locked[maker] locked[maker taker]",
      ]
    `);
  });

  it('ends with the last event once nothing is locked any more', () => {
    const { taker } = buildSwapPair({ seed: 'timeline' });
    expect(moneyTimeline(taker).rows.at(-1)).toMatchObject({ kind: 'event', event: 'Finished' });
  });

  it('has one row for each event in the order of the log, and no deadline twice', () => {
    fc.assert(
      fc.property(swapLog('taker'), swapLog('maker'), (taker, maker) => {
        for (const log of [taker, maker]) {
          const { rows } = moneyTimeline(log);
          const events = rows.flatMap((row) => (row.kind === 'event' ? [row.event] : []));
          const deadlines = rows.flatMap((row) => (row.kind === 'deadline' ? [row.deadline] : []));
          expect(events).toEqual(log.events.map(({ type }) => type));
          expect(new Set(deadlines).size).toBe(deadlines.length);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('keeps a deadline before the first event that is later', () => {
    fc.assert(
      fc.property(swapLog('taker'), (log) => {
        const { rows } = moneyTimeline(log);
        rows.forEach((row, index) => {
          if (row.kind === 'event') return;
          for (const earlier of rows.slice(0, index)) expect(earlier.at).toBeLessThanOrEqual(row.at);
        });
      }),
      { numRuns: 40 },
    );
  });
});
