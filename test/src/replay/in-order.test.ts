import { describe, expect, it } from 'vitest';
import { NO_JOURNAL } from '../../../machines/journal/context.ts';
import type { JournalRecord } from '../../../src/events/journal.ts';
import type { SwapLog } from '../../../src/events/saved-swap.ts';
import type { Millis } from '../../../src/primitives/time.ts';
import { cutAfter } from '../../../src/replay/cut-log.ts';
import { judgedBy, pushInOrder } from '../../../src/replay/in-order.ts';
import { replaySwap } from '../../../src/replay/swaps.ts';
import { traceSwap } from '../../../src/replay/trace.ts';
import { buildSwap } from '../../../src/testing/logs/swap-builder.ts';

const AT = 1_700_000_000_000 as Millis;
const PATH = ['Started', 'NegotiateFailed', 'Finished'] as const;

const own = (before: number, kind: string): JournalRecord => ({
  before,
  at: AT,
  type: 'DeadlineReached',
  data: { kind, clock: 'host' },
});

function logWith(records: readonly JournalRecord[], path: readonly string[] = PATH): SwapLog {
  return { ...buildSwap({ role: 'taker', path }), journal: { importedAt: null, records } };
}

/** What a session is handed, and in between where `after` is told. */
function handed(log: Pick<SwapLog, 'events' | 'journal'>): readonly string[] {
  const seen: string[] = [];
  pushInOrder(
    {
      push: ({ type }) => seen.push(type),
      pushOwn: ({ data }) => seen.push((data as { readonly kind: string }).kind),
    },
    log,
    ({ type }, seq) => seen.push(`after ${seq} ${type}`),
  );
  return seen;
}

describe('the records of a log, in its order', () => {
  it('come event by event, each with what precedes the next one', () => {
    expect(handed(logWith([own(0, 'a'), own(1, 'b'), own(1, 'c'), own(3, 'd')]))).toEqual([
      ...['a', 'Started', 'b', 'c', 'after 0 Started', 'NegotiateFailed', 'after 1 NegotiateFailed'],
      ...['Finished', 'd', 'after 2 Finished'],
    ]);
  });

  it('are all shown, even those that claim to follow missing events', () => {
    expect(handed(logWith([own(9, 'late')])).slice(-3)).toEqual(['Finished', 'late', 'after 2 Finished']);
    expect(handed({ events: [], journal: { importedAt: null, records: [own(0, 'a'), own(4, 'b')] } })).toEqual([
      'a',
      'b',
    ]);
  });

  it('of a log without a journal are its events', () => {
    const { events } = buildSwap({ role: 'taker', path: PATH });
    expect(handed({ events }).filter((one) => !one.startsWith('after'))).toEqual(PATH);
  });
});

describe('a log that ends after an event', () => {
  const log = logWith([own(0, 'a'), own(1, 'b'), own(2, 'c'), own(3, 'd')]);
  const kinds = (seq: number) => cutAfter(log, seq).journal?.records.map(({ before }) => before);

  it('keeps what precedes the next one, and everything after the last one', () => {
    expect([kinds(0), kinds(1), kinds(2)]).toEqual([
      [0, 1],
      [0, 1, 2],
      [0, 1, 2, 3],
    ]);
    expect(cutAfter(log, 1).events.map(({ type }) => type)).toEqual(['Started', 'NegotiateFailed']);
  });

  it('keeps the anomalies of its events, and those of the whole log', () => {
    const anomaly = (seq: number | null) => ({ seq, code: 'SEQ_GAP', severity: 'fault', message: '' }) as const;
    const cut = cutAfter({ ...log, anomalies: [anomaly(0), anomaly(2), anomaly(null)] }, 1);
    expect(cut.anomalies.map(({ seq }) => seq)).toEqual([0, null]);
  });
});

describe('a journal that no engine wrote', () => {
  const broken: JournalRecord = { before: 1, at: AT, type: 'TransactionPrepared', data: null };

  it('counts for nothing, from its first break on', () => {
    const told = { ...logWith([own(1, 'b'), broken, own(2, 'c')]) };
    const { journal: _, ...public_ } = told;
    expect(replaySwap(told)).toEqual(replaySwap(public_));
    expect(traceSwap(told).map(({ journal }) => journal)).toEqual([null, null, null]);
  });

  it('is ignored if a verdict cannot be given by it', () => {
    const journal = traceSwap(logWith([own(1, 'b')])).at(-1)?.journal ?? NO_JOURNAL;
    const judge = ({ kept }: { readonly kept: boolean }) => {
      if (kept) throw new TypeError('not such as an engine writes');
      return 'by the public events';
    };
    expect(judgedBy(journal, judge)).toBe('by the public events');
    expect(judgedBy(null, ({ kept }) => kept)).toBe(false);
    expect(judgedBy(journal, ({ kept }) => kept)).toBe(true);
  });
});

it('each step of a trace has a journal of its own', () => {
  const steps = traceSwap(logWith([own(0, 'a'), own(1, 'b'), own(3, 'd')]));
  expect(steps.map(({ journal }) => journal?.deadlines)).toEqual([
    ['a', 'b'],
    ['a', 'b'],
    ['a', 'b', 'd'],
  ]);
});
