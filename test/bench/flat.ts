import { createJsonlReplayer } from '../../src/replay/jsonl/scanner.ts';
import { EVENTS_PER_SWAP, logBlocks } from './data.ts';
import { assertSame, median, type Row, type SuiteOptions } from './measure.ts';

const SIZES = [1_000, 10_000, 100_000, 1_000_000];
/** Below so many swaps a pass takes so short that one alone tells little. */
const SWAPS_PER_ROUND = 20_000;

/** Nanoseconds per event of one pass over so many swaps; making the data is not counted. */
function pass(swaps: number): number {
  let nanoseconds = 0;
  let completed = 0;
  const replayer = createJsonlReplayer({
    onSwap: ({ outcome }) => {
      if (outcome === 'completed') completed++;
    },
    onError: ({ error }) => {
      throw error;
    },
  });
  for (const block of logBlocks(swaps)) {
    const start = performance.now();
    replayer.push(block);
    nanoseconds += (performance.now() - start) * 1e6;
  }
  replayer.end();
  assertSame(completed, swaps, 'swaps written and swaps completed');
  return nanoseconds / (swaps * EVENTS_PER_SWAP);
}

/** The cost of an event, and the memory in use, at growing counts of swaps: both stay as they are at the smallest. */
export async function* flatSuite({ rounds, swaps = Number.POSITIVE_INFINITY }: SuiteOptions): AsyncGenerator<Row> {
  pass(SWAPS_PER_ROUND);
  let smallest: { readonly cost: number; readonly memory: number } | undefined;
  for (const size of SIZES.filter((count) => count <= swaps)) {
    const passes = size >= 1_000_000 ? 1 : rounds * Math.max(1, Math.ceil(SWAPS_PER_ROUND / size));
    const cost = median(Array.from({ length: passes }, () => pass(size)));
    const memory = process.memoryUsage().rss / 1e6;
    smallest ??= { cost, memory };
    const count = size.toLocaleString('en-GB');
    yield {
      name: `flat: ${count} swaps`,
      unit: 'ns/event',
      ours: cost,
      reference: smallest.cost,
      ratio: cost / smallest.cost,
    };
    yield {
      name: `flat: ${count} swaps, memory`,
      ...{ unit: 'MB', ours: memory, reference: smallest.memory, ratio: memory / smallest.memory },
    };
  }
}
