import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SwapLog } from '../../src/events/saved-swap.ts';
import { openSqliteLog } from '../../src/log/sqlite/index.ts';
import type { EventLog } from '../../src/ports/event-log.ts';
import { type Commit, noted, rawCommits, sameCommits } from './commits.ts';
import { benchSwap } from './data.ts';
import { assertSame, median, type Row } from './measure.ts';

const WRITERS = 128;
const SWAPS_EACH = 4;

type Run = Readonly<Record<'ours' | 'bare' | 'same', number>>;

/**
 * The records of stored swaps by many writers at once, each waiting for its own record, vs bare rows of their data in the same commits, and vs
 * all that the log writes of them.
 */
export async function* appendRows(rounds: number): AsyncGenerator<Row> {
  const runs: Run[] = [];
  for (let round = -1; round < rounds; round++) {
    const folder = mkdtempSync(join(tmpdir(), 'swapfold-bench-'));
    try {
      const run = await appended(folder);
      if (round >= 0) runs.push(run);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  const row = (what: string, of: 'bare' | 'same'): Row => ({
    name: `live: durable append, ${WRITERS} writers, vs group commits of ${what}`,
    unit: 'records/s',
    ours: median(runs.map((run) => run.ours)),
    reference: median(runs.map((run) => run[of])),
    // Of each run by itself: what else this machine does at a time slows all of its parts.
    ratio: median(runs.map((run) => run.ours / run[of])),
  });
  yield row('bare rows', 'bare');
  yield row('the same rows, indexes and seals', 'same');
}

async function appended(folder: string): Promise<Run> {
  const commits: Commit[] = [];
  const log = await openSqliteLog({ path: join(folder, 'log.db') });
  const noting = noted(log, commits);
  const swaps = Array.from({ length: WRITERS }, (_, writer) =>
    Array.from({ length: SWAPS_EACH }, (_, index) => benchSwap(writer * SWAPS_EACH + index)),
  );
  const started = performance.now();
  const counts = await Promise.all(swaps.map((own) => write(noting, own)));
  const seconds = (performance.now() - started) / 1000;
  await log.close();
  const records = counts.reduce((sum, count) => sum + count, 0);
  const written = commits.reduce((sum, { batches }) => sum + batches.length, 0);
  assertSame(written, records, 'records and what was committed');
  const same = sameCommits({ log: join(folder, 'log.db'), copy: join(folder, 'same.db') }, commits);
  return { ours: records / seconds, bare: records / rawCommits(join(folder, 'raw.db'), commits), same: records / same };
}

async function write(log: EventLog, swaps: readonly SwapLog[]): Promise<number> {
  let count = 0;
  for (const { uuid, events } of swaps) {
    for (const [expected, { at, type, data }] of events.entries()) {
      await log.append({ stream: `taker-swap/${uuid}`, expected, records: [{ at, type, version: 1, data }] });
      count++;
    }
  }
  return count;
}
