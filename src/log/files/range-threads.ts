import { Worker } from 'node:worker_threads';
import type { ByteRange } from '../../replay/jsonl/ranges.ts';
import type { RangeReport, ReplayTask } from './replay-worker.ts';
import type { ThreadOptions } from './thread-options.ts';

/** Threads that replay ranges of one file. */
export type RangeRunner = {
  /** Reports in the order of the ranges, which are worked on ahead of the reader only as far as memory allows. */
  readonly run: (
    ranges: readonly ByteRange[],
  ) => AsyncIterable<{ readonly range: ByteRange; readonly report: RangeReport }>;
  readonly stop: () => Promise<void>;
};

/** Young generation of a thread: with the default of 16 MB, threads stop one another to collect garbage. */
const YOUNG_GENERATION_MB = 64;
/** Ranges that each thread has in hand, so that it need not wait for the next one. */
const IN_HAND = 2;
/** Ranges for each thread that may be worked on or wait for one before them, which bounds the memory. */
const AHEAD = 4;

/** Worker threads of this package's build. */
export function startRangeThreads({ path, workers, maxLineBytes, ends }: ThreadOptions): RangeRunner {
  const task: ReplayTask = { path, maxLineBytes, ends };
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const body = new URL(`./replay-worker.${extension}`, import.meta.url);
  const threads = Array.from(
    { length: workers },
    () =>
      new Worker(body, {
        workerData: task,
        resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
        // Not those of the process: `node --input-type=module -e` could start no thread otherwise.
        execArgv: [],
      }),
  );
  return {
    run: (ranges) => runInOrder(threads, ranges),
    stop: async () => {
      await Promise.all(threads.map((thread) => thread.terminate()));
    },
  };
}

async function* runInOrder(threads: readonly Worker[], ranges: readonly ByteRange[]) {
  const slots = ranges.map(() => slot<RangeReport>());
  const inHand = new Map<Worker, number[]>(threads.map((thread) => [thread, []]));
  let next = 0;
  let handedOn = 0;

  const assign = (): void => {
    for (let round = 1; round <= IN_HAND; round++) {
      for (const [thread, hand] of inHand) {
        if (hand.length >= round || next >= ranges.length || next >= handedOn + AHEAD * threads.length) continue;
        hand.push(next);
        thread.postMessage(ranges[next]);
        next++;
      }
    }
  };
  for (const thread of threads) {
    thread.on('message', (report: RangeReport) => {
      const done = inHand.get(thread)?.shift();
      if (done !== undefined) slots[done]?.resolve(report);
      assign();
    });
    const fail = (error: unknown) => {
      for (const { reject } of slots) reject(error);
    };
    thread.on('error', fail);
    thread.on('exit', () => fail(new Error('a replay thread ended before its work was done')));
  }
  assign();
  for (const [index, range] of ranges.entries()) {
    const report = await (slots[index] as Seat<RangeReport>).promise;
    handedOn = index + 1;
    assign();
    yield { range, report };
  }
}

type Seat<T> = {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
};

function slot<T>(): Seat<T> {
  let settle!: Pick<Seat<T>, 'resolve' | 'reject'>;
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject };
  });
  // Ranges behind a failed one are waited for by nobody.
  promise.catch(() => undefined);
  return { promise, ...settle };
}
