import { startRangeThreads } from '../../src/log/files/range-threads.ts';
import { type ReplayFileOptions, replayJsonlFile } from '../../src/log/files/replay-file.ts';
import { EVENTS_PER_SWAP, withLogFile } from './data.ts';
import { assertSame, measure, type Row, rateRow, type SuiteOptions } from './measure.ts';
import { type OnState, parseAndFold, parseAndTransition } from './references.ts';

const JSONL_SWAPS = 40_000;
const NAIVE_SWAPS = 2_000;
/** Threads take half a second to start and to warm up, which only a large file outweighs: this one has 8.8 GB. */
const THREAD_SWAPS = 1_000_000;

type FileOptions = Partial<Pick<ReplayFileOptions, 'workers' | 'startThreads'>>;

/** Ours: every line checked in full, folded, and judged. */
async function replay(path: string, onState: OnState, options: FileOptions = {}): Promise<void> {
  const { errors } = await replayJsonlFile(path, {
    ...options,
    onSwap: ({ state, anomalies }, { stream }) => {
      if (anomalies.length > 0) throw new Error(`the data of the benchmark is not legal: ${anomalies[0]?.message}`);
      onState(stream, state);
    },
    onError: ({ error }) => {
      throw error;
    },
  });
  if (errors > 0) throw new Error('the data of the benchmark cannot be read');
}

type Way = (path: string, onState: OnState) => Promise<void>;

async function statesBy(way: Way, path: string): Promise<readonly string[]> {
  const states: string[] = [];
  await way(path, (stream, state) => states.push(`${stream} ${state}`));
  return states;
}

/** The way as a candidate: counts the events of all swaps that it found finished. */
function timed(way: Way, path: string) {
  return async () => {
    let finished = 0;
    await way(path, (_, state) => {
      if (state === 'finished') finished++;
    });
    return finished * EVENTS_PER_SWAP;
  };
}

/** From a file on disk, with full validation, against `JSON.parse` and the table without any. */
export async function* jsonlSuite({ rounds, swaps = JSONL_SWAPS }: SuiteOptions): AsyncGenerator<Row> {
  yield await withLogFile(swaps, async (path) => {
    assertSame(
      await statesBy(replay, path),
      await statesBy(parseAndFold, path),
      'replay and JSON.parse with the table',
    );
    const times = await measure({ ours: timed(replay, path), reference: timed(parseAndFold, path) }, { rounds });
    return rateRow('jsonl: checked replay vs JSON.parse + table', times);
  });
}

/** From a file on disk, against `JSON.parse`, zod and XState's `transition`. */
export async function* naiveSuite({ rounds, swaps = NAIVE_SWAPS }: SuiteOptions): AsyncGenerator<Row> {
  yield await withLogFile(swaps, async (path) => {
    assertSame(await statesBy(replay, path), await statesBy(parseAndTransition, path), 'replay and the chart');
    const ours = async () => {
      let events = 0;
      for (let turn = 0; turn < 10; turn++) events += await timed(replay, path)();
      return events;
    };
    const times = await measure({ ours, reference: timed(parseAndTransition, path) }, { rounds });
    return rateRow('naive: checked replay vs zod + XState transition', times);
  });
}

/** Two worker threads against one, and against the calling thread. */
export async function* workersSuite({ rounds, swaps = THREAD_SWAPS }: SuiteOptions): AsyncGenerator<Row> {
  const rows = await withLogFile(swaps, async (path) => {
    const two: Way = (file, onState) => replay(file, onState, { workers: 2 });
    const one: Way = (file, onState) =>
      replay(file, onState, { workers: 2, startThreads: (options) => startRangeThreads({ ...options, workers: 1 }) });
    assertSame(await statesBy(two, path), await statesBy(replay, path), 'two threads and the calling thread');
    const times = await measure(
      { two: timed(two, path), one: timed(one, path), calling: timed(replay, path) },
      { rounds, warmUp: 0 },
    );
    return [
      rateRow('workers: 2 worker threads vs 1 worker thread', { ours: times.two, reference: times.one }),
      rateRow('workers: 2 worker threads vs the calling thread', { ours: times.two, reference: times.calling }),
    ];
  });
  yield* rows;
}
