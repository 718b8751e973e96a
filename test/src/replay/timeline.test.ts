import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JournalRecord } from '../../../src/events/journal.ts';
import { millisOf } from '../../../src/primitives/time.ts';
import { auditedSwap } from '../../../src/replay/audit/swap-view.ts';
import { cutAfter } from '../../../src/replay/cut-log.ts';
import { paymentEnd } from '../../../src/replay/payment-ends.ts';
import { moneyTimeline, type TimelineRow } from '../../../src/replay/timeline.ts';
import { swapLog } from '../../../src/testing/drawn/logs.ts';
import { buildSwap, buildSwapPair, successPath } from '../../../src/testing/logs/swap-builder.ts';

const TAKER = successPath('taker', { era: 'current', watchers: false });
const MAKER = successPath('maker');

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
      fc.property(swapLog('taker', { consistent: false }), swapLog('maker', { consistent: false }), (taker, maker) => {
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
      fc.property(swapLog('taker', { consistent: false }), (log) => {
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

describe('the deadlines of a swap', () => {
  const L = 7800;
  const start = 1_700_000_000;
  /** Each deadline, in seconds after the start of the swap. */
  const deadlines = (role: 'taker' | 'maker', path: readonly string[]) => {
    const log = buildSwap({ role, path, seed: 'deadlines', startedAt: start, lockDuration: L });
    const [first] = log.events;
    const { started_at: startedAt } = (first as (typeof log.events)[number]).data as { readonly started_at: number };
    return moneyTimeline(log).rows.flatMap((row) =>
      row.kind === 'deadline' ? [[row.deadline, row.at / 1000 - startedAt, row.text]] : [],
    );
  };

  it('are for a taker that has sent its fee those of the maker payment and of both locks', () => {
    const path = TAKER.slice(0, TAKER.indexOf('TakerPaymentSent') + 1);
    const [wait, takerLock, makerLock] = deadlines('taker', path);
    expect(wait).toEqual(['makerPaymentWait', (L * 2) / 5, 'the maker payment must be confirmed by now']);
    expect(takerLock).toEqual(['takerPaymentLock', L, 'the lock of the taker payment ends']);
    expect(makerLock?.[0]).toBe('makerPaymentLock');
    expect(Math.abs((makerLock?.[1] as number) - 2 * L)).toBeLessThanOrEqual(2);
    expect(makerLock?.[2]).toBe('the lock of the maker payment ends');
  });

  it('are for a maker those of its payment, of its claim and of both locks', () => {
    const path = MAKER.slice(0, MAKER.indexOf('MakerPaymentSent') + 1);
    expect(deadlines('maker', path)).toMatchInlineSnapshot(`
      [
        [
          "makerPaymentWait",
          3120,
          "the maker payment must be confirmed by now",
        ],
        [
          "takerPaymentLock",
          7800,
          "the lock of the taker payment ends",
        ],
        [
          "makerPaymentLock",
          15600,
          "the lock of the maker payment ends",
        ],
      ]
    `);
  });

  it('continue after the last event only while a payment is still in the swap', () => {
    expect(deadlines('taker', ['Started', 'Negotiated', 'TakerFeeSent'])).toEqual([]);
    expect(deadlines('taker', TAKER.slice(0, TAKER.indexOf('MakerPaymentReceived') + 1))).toHaveLength(3);
    expect(deadlines('taker', TAKER)).toEqual([]);
  });

  it('are only the own ones if the parties never agreed, and do not exist if the swap never started', () => {
    const path = ['Started', 'MakerPaymentReceived'];
    expect(deadlines('taker', path).map(([kind]) => kind)).toEqual([
      'takerFee',
      'makerPaymentWait',
      'takerPaymentLock',
    ]);
    const log = buildSwap({ role: 'taker', path: ['StartFailed', 'MakerPaymentReceived'], seed: 'deadlines' });
    expect(moneyTimeline(log).rows.map(({ kind }) => kind)).toEqual(['event', 'event']);
  });

  it('are never before the first event, whose funds are unknown', () => {
    const log = buildSwap({ role: 'taker', path: TAKER.slice(0, 5), seed: 'deadlines' });
    const late = log.events.map((event) => ({ ...event, at: event.at + 100_000_000 })) as unknown as typeof log.events;
    expect(moneyTimeline({ ...log, events: late }).rows.every(({ kind }) => kind === 'event')).toBe(true);
  });
});

describe('a row', () => {
  const path = TAKER.slice(0, TAKER.indexOf('TakerPaymentSent') + 1);
  const log = buildSwap({ role: 'taker', path, seed: 'timeline' });
  const { rows, uuid, role } = moneyTimeline(log);

  it('of an event shows its place, its state and the coins', () => {
    expect({ uuid, role }).toEqual({ uuid: log.uuid, role: 'taker' });
    const sent = rows.find((row) => row.kind === 'event' && row.event === 'TakerPaymentSent');
    expect(sent).toMatchObject({
      ...{ seq: path.length - 1, at: log.events.at(-1)?.at, state: 'waitingForSpend', anomalies: [] },
      offset: (log.events.at(-1)?.at ?? 0) - (log.events[0]?.at ?? 0),
      takerPayment: { coin: 'MARTY', amount: '2.4', status: 'locked', by: null, movableBy: ['maker'] },
    });
  });

  it('of a lock that ends says that its owner can move the payment as well', () => {
    const lock = rows.find((row) => row.kind === 'deadline' && row.deadline === 'takerPaymentLock');
    expect(lock?.takerPayment.movableBy).toEqual(['maker', 'taker']);
    expect(lock?.makerPayment.movableBy).toEqual([]);
  });

  it('names what is wrong with its event, and the whole is faulty only if that is a fault', () => {
    const twice = buildSwap({ role: 'taker', path: ['Started', 'Started'], seed: 'timeline' });
    const faulty = moneyTimeline(twice);
    expect(faulty.rows.map((row) => (row.kind === 'event' ? row.anomalies : []))).toEqual([[], ['DUPLICATE_EVENT']]);
    expect(faulty.faults).toBe(true);
    const notice = { seq: null, code: 'SEQ_GAP', message: 'so' } as const;
    const noted = (severity: 'fault' | 'notice') =>
      moneyTimeline({ ...log, anomalies: [{ ...notice, severity }] }).faults;
    expect([moneyTimeline(log).faults, noted('notice'), noted('fault')]).toEqual([false, false, true]);
  });
});

/** A record of the engine that says so of the maker's payment, `before` an event. */
const settled = (before: number): JournalRecord => {
  return { before, at: millisOf(0), type: 'PaymentSettled', data: { payment: 'maker', how: 'claimed' } };
};

it('shows after each event what the log held by then, whatever came again and whenever a payment was settled', () => {
  // Until the claim is out, which nothing but what comes now confirms.
  const path = TAKER.slice(0, TAKER.indexOf('MakerPaymentSpent') + 1);
  const log = buildSwap({ role: 'taker', path, seed: 'again' });
  const again = fc.array(fc.nat({ max: log.events.length - 1 }), { maxLength: 12 });
  fc.assert(
    fc.property(again, fc.option(fc.nat({ max: log.events.length + 12 }), { nil: undefined }), (places, before) => {
      const events = [...log.events, ...places.flatMap((place) => log.events[place] ?? [])];
      const journal = before === undefined ? {} : { journal: { importedAt: null, records: [settled(before)] } };
      const told = { ...log, events, ...journal };
      const view = auditedSwap(told);
      for (const row of moneyTimeline(told).rows) {
        if (row.kind !== 'event') continue;
        const until = { log: cutAfter(told, row.seq), view };
        for (const [owner, leg] of [
          ['maker', row.makerPayment],
          ['taker', row.takerPayment],
        ] as const) {
          expect(leg.shown).toBe(paymentEnd(owner, { status: leg.status, tx: null }, until)?.shown ?? null);
        }
      }
    }),
  );
});
