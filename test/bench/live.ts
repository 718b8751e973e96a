import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openSqliteLog } from '../../src/log/sqlite/index.ts';
import type { EventLog } from '../../src/ports/event-log.ts';
import { createPair, requestOf, SHALLOW, type Side } from '../support/swap-pair.ts';
import { appendRows } from './append.ts';
import { bareCommits, type Commit, noted, rowsOf } from './commits.ts';
import { cpuOf, type Floor, floorOf, floorRows } from './live-floor.ts';
import { assertSame, median, type Row, type SuiteOptions } from './measure.ts';

const SIDES: readonly Side[] = ['maker', 'taker'];
const SIZES = [10, 100, 1_000, 10_000];
/** Most minutes of the virtual clock that a swap without trouble takes. */
const MOST_MINUTES = 60;

setFlagsFromString('--expose_gc');
const collect = runInNewContext('gc') as () => void;

function heapBytes(): number {
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function uuidOf(index: number): string {
  return `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`;
}

/** Seconds that both sides of so many swaps take from the first request to the last end. */
async function liveSwaps(count: number, logOf?: (side: Side) => EventLog): Promise<number> {
  const pair = createPair({
    chain: 'ledger',
    ...(logOf === undefined ? {} : { options: (side: Side) => ({ log: logOf(side) }) }),
  });
  const { maker, taker } = pair.nodes;
  const started = performance.now();
  for (let index = 0; index < count; index++) {
    for (const { side, runtime } of [maker, taker])
      await runtime.startSwap(requestOf(side, { ...SHALLOW, uuid: uuidOf(index) }));
  }
  const ended = await pair.until(
    () => maker.runtime.sizes().runners + taker.runtime.sizes().runners === 0,
    MOST_MINUTES,
  );
  const seconds = (performance.now() - started) / 1000;
  assertSame(ended, true, 'every swap comes to its end');
  for (const { side } of [maker, taker]) {
    const status = await pair.nodes[side].runtime.status(uuidOf(count - 1));
    assertSame(status?.outcome, 'completed', 'the last swap is completed');
  }
  return seconds;
}

/** Bytes that one live swap of one side holds beside its log and the chains: what is freed when all have ended. */
async function memoryOf(count: number): Promise<number> {
  const pair = createPair({ chain: 'ledger' });
  const { maker, taker } = pair.nodes;
  for (let index = 0; index < count; index++) {
    for (const { side, runtime } of [maker, taker])
      await runtime.startSwap(requestOf(side, { ...SHALLOW, uuid: uuidOf(index) }));
  }
  let peak = 0;
  await pair.until(() => {
    const running = maker.runtime.sizes().runners + taker.runtime.sizes().runners;
    if (running === 2 * count) peak = Math.max(peak, heapBytes());
    return running === 0;
  }, MOST_MINUTES);
  return (peak - heapBytes()) / (2 * count);
}

type Durable = { readonly ours: number; readonly reference: number; readonly floor: Floor };

/** Seconds by the clock of the live swaps and of their bare commits, and what both cost beside the least of each part. */
async function durable(count: number, folder: string): Promise<Durable> {
  const commits: Commit[] = [];
  const logs = new Map<Side, EventLog>();
  for (const side of SIDES) logs.set(side, await openSqliteLog({ path: join(folder, `${side}.db`) }));
  let ours = 0;
  const live = await cpuOf(async () => {
    ours = await liveSwaps(count, (side) => noted(logs.get(side) as EventLog, commits));
  });
  for (const log of logs.values()) await log.close();
  const write = bareCommits(join(folder, 'raw.db'), rowsOf(commits));
  const begun = performance.now();
  const bare = await cpuOf(write);
  const reference = (performance.now() - begun) / 1000;
  const least = await floorOf(commits, { folder, count });
  return { ours, reference, floor: { live: live / count, bare: bare / count, ...least } };
}

/** Live swaps with durable commits, their memory, and their cost as there are more of them at once. */
export async function* liveSuite({ rounds, swaps = 10_000 }: SuiteOptions): AsyncGenerator<Row> {
  yield* appendRows(rounds);
  const count = Math.min(1_000, swaps);
  const runs: Durable[] = [];
  for (let round = 0; round < rounds; round++) {
    const folder = mkdtempSync(join(tmpdir(), 'swapfold-bench-'));
    try {
      runs.push(await durable(count, folder));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  const ours = median(runs.map((run) => run.ours));
  const reference = median(runs.map((run) => run.reference));
  yield {
    name: `live: ${count} swaps, both sides, durable, vs the bare commits`,
    unit: 'swaps/s',
    ours: count / ours,
    reference: count / reference,
    ratio: reference / ours,
  };
  yield* floorRows(runs.map(({ floor }) => floor));
  await liveSwaps(100);
  let smallest: number | undefined;
  for (const size of SIZES.filter((each) => each <= swaps)) {
    const samples: number[] = [];
    for (let round = 0; round < (size >= 10_000 ? 1 : rounds); round++) samples.push(await liveSwaps(size));
    const cost = (median(samples) / size) * 1e6;
    smallest ??= cost;
    const name = `live: ${size.toLocaleString('en-GB')} swaps at once, memory log`;
    yield { name, unit: 'µs/swap', ours: cost, reference: smallest, ratio: cost / smallest };
  }
  const few = await memoryOf(Math.min(1_000, swaps));
  const many = await memoryOf(Math.min(10_000, swaps));
  yield {
    name: 'live: memory of a live swap, 10,000 vs 1,000 at once',
    unit: 'bytes',
    ours: many,
    reference: few,
    ratio: many / few,
  };
}
