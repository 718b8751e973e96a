import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import type { SwapLog } from '../../src/events/saved-swap.ts';
import { openSqliteLog } from '../../src/log/sqlite/index.ts';
import { parseMark } from '../../src/log/sqlite/mark.ts';
import { millisOf } from '../../src/primitives/time.ts';
import { bareCommits } from './commits.ts';
import { benchSwap } from './data.ts';
import { assertSame, cpuMillis, median, type Row } from './measure.ts';
import { type RawRecord, rawLog } from './raw-log.ts';
import { bareRows, sameCommits, writtenIn } from './same-commits.ts';

const WRITERS = 128;
const SWAPS_EACH = 4;

/** What some work takes for a record, in microseconds, by the clock and of the processor. */
type Cost = { readonly clock: number; readonly cpu: number };

const REFERENCES = {
  raw: 'a raw group commit of the same bytes',
  same: 'the same rows, indexes and seals, made before',
  bare: 'bare rows of their data, made before',
} as const;

type Run = Readonly<Record<'ours' | keyof typeof REFERENCES, Cost>>;

/**
 * The records of stored swaps by many writers at once, each waiting for its own record. The references write in as many transactions: the least
 * program for the same writers, the very rows that the log wrote, and rows with their data alone.
 */
export async function* appendRows(rounds: number): AsyncGenerator<Row> {
  const runs: Run[] = [];
  for (let round = -2; round < rounds; round++) {
    const folder = mkdtempSync(join(tmpdir(), 'swapfold-bench-'));
    try {
      const run = await appended(folder);
      if (round >= 0) runs.push(run);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  const of = (whose: keyof Run, what: keyof Cost) => median(runs.map((run) => run[whose][what]));
  // Of each run by itself: what else this machine does at a time slows all of its parts.
  const ratio = (whose: keyof Run, what: keyof Cost) => median(runs.map((run) => run.ours[what] / run[whose][what]));
  for (const [whose, name] of Object.entries(REFERENCES) as [keyof typeof REFERENCES, string][]) {
    const row = `live: durable append, ${WRITERS} writers, vs ${name}`;
    const rates = { ours: 1e6 / of('ours', 'clock'), reference: 1e6 / of(whose, 'clock') };
    yield { name: row, unit: 'records/s', ...rates, ratio: 1 / ratio(whose, 'clock') };
    const costs = { ours: of('ours', 'cpu'), reference: of(whose, 'cpu') };
    yield { name: `${row}, CPU`, unit: 'µs each', ...costs, ratio: ratio(whose, 'cpu') };
  }
}

async function appended(folder: string): Promise<Run> {
  const paths = (name: string) => ({ log: join(folder, 'log.db'), path: join(folder, `${name}.db`) });
  const swaps = Array.from({ length: WRITERS }, (_, writer) =>
    Array.from({ length: SWAPS_EACH }, (_, index) => benchSwap(writer * SWAPS_EACH + index)),
  );
  const records = swaps.flat().reduce((sum, { events }) => sum + events.length, 0);
  const cost = async (work: () => unknown): Promise<Cost> => {
    const begun = { clock: performance.now(), cpu: cpuMillis() };
    await work();
    const each = (millis: number) => (1000 * millis) / records;
    return { clock: each(performance.now() - begun.clock), cpu: each(cpuMillis() - begun.cpu) };
  };

  const path = join(folder, 'log.db');
  const log = await openSqliteLog({ path });
  const before = serialOf(path);
  const ours = await cost(() =>
    writing(swaps, ({ stream, seq, at, type, data }) =>
      log.append({ stream, expected: seq, records: [{ at: millisOf(at), type, version: 1, data }] }),
    ),
  );
  const transactions = serialOf(path) - before;
  await log.close();

  const least = rawLog(paths('raw'));
  const raw = await cost(() => writing(swaps, least.append));
  least.close();
  const { commits } = least;
  assertSame(transactions, commits.length, 'transactions of the log and of the least program');
  const written = writtenIn(path);
  assertSame(written.records.length, records, 'records that were appended and what is in the log');
  const same = await cost(sameCommits(paths('same'), { written, commits }));
  const bare = await cost(bareCommits(join(folder, 'bare.db'), bareRows(written, commits)));
  return { ours, raw, same, bare };
}

/** Transactions that a log has seen. */
function serialOf(path: string): number {
  const database = new Database(path, { readonly: true });
  const row = database.prepare("SELECT value FROM meta WHERE name = 'mark'").get() as { readonly value: string };
  database.close();
  return parseMark(row.value)?.serial ?? Number.NaN;
}

/** Each writer appends its swaps one after another, and waits for each of its records. */
async function writing(swaps: readonly (readonly SwapLog[])[], append: (record: RawRecord) => unknown): Promise<void> {
  const write = async (own: readonly SwapLog[]): Promise<void> => {
    for (const { uuid, events } of own) {
      for (const [seq, { at, type, data }] of events.entries()) {
        await append({ stream: `taker-swap/${uuid}`, seq, at, type, data });
      }
    }
  };
  await Promise.all(swaps.map(write));
}
