import { type FileHandle, open } from 'node:fs/promises';
import { type LineError, MAX_LINE_BYTES } from '../../replay/jsonl/errors.ts';
import { joinRanges, type RangeEntry } from '../../replay/jsonl/join.ts';
import { type ByteRange, findStreamStart, splitAtStreams } from '../../replay/jsonl/ranges.ts';
import { createJsonlReplayer, type LineCounts, type StreamFacts } from '../../replay/jsonl/scanner.ts';
import type { SkippedStream } from '../../replay/jsonl/skipped.ts';
import { MAX_OPEN_STREAMS } from '../../replay/jsonl/streams.ts';
import { foldedEnd } from '../../replay/payment-ends.ts';
import type { ReplayedSwap } from '../../replay/swaps.ts';
import { asFileError } from '../file-error.ts';
import { type RangeRunner, startRangeThreads } from './range-threads.ts';
import { readRange } from './read-range.ts';
import { readBatch } from './swap-batch.ts';
import type { ThreadOptions } from './thread-options.ts';

export type ReplayFileOptions = {
  /** Threads to replay on; 1 uses the calling one. @defaultValue 1 */
  readonly workers?: number;
  /** Whether the facts of each swap say how far its log bears out its end, for which transactions have to be read. @defaultValue false */
  readonly ends?: boolean;
  /** Called for each stream: finished ones in the order of the file, those left unfinished after all others. */
  readonly onSwap: (swap: ReplayedSwap, facts: StreamFacts) => void;
  /** Called for each line that cannot be read. */
  readonly onError: (error: LineError) => void;
  /** Called at the end for each stream that is not a swap. @defaultValue nobody is told */
  readonly onSkipped?: (stream: SkippedStream) => void;
  /** Called from time to time with the bytes done so far. */
  readonly onProgress?: (progress: { readonly bytes: number; readonly size: number }) => void;
  /** Unfinished streams kept for lines that may follow. @defaultValue 10 000 */
  readonly maxOpenStreams?: number;
  /** Longest line accepted, in bytes. @defaultValue 64 MiB */
  readonly maxLineBytes?: number;
  /** Bytes read at a time. @defaultValue 1 MiB */
  readonly chunkBytes?: number;
  /** Bytes that a thread replays before it reports. @defaultValue 16 MiB */
  readonly rangeBytes?: number;
  /** Starts the threads. @defaultValue worker threads of this package */
  readonly startThreads?: (options: ThreadOptions) => RangeRunner;
};

export type ReplayFileResult = LineCounts & {
  readonly bytes: number;
  readonly swaps: number;
  readonly errors: number;
  /** Threads that were used to the end: 1 where the file's streams go on from range to range. */
  readonly workers: number;
};

const CHUNK_BYTES = 1024 * 1024;
const RANGE_BYTES = 16 * 1024 * 1024;
/** Bytes first looked at for the start of a stream near the place where a range should begin. */
const PROBE_BYTES = 64 * 1024;

type Given = Required<Omit<ReplayFileOptions, 'onProgress' | 'onSkipped'>> & {
  readonly onSkipped: (stream: SkippedStream) => void;
  readonly path: string;
  readonly file: FileHandle;
  readonly size: number;
  readonly onProgress: (bytes: number) => void;
};

/**
 * Replays a file of our own log format in constant memory, on one thread or several, with the same result in the same
 * order.
 *
 * @throws FileError where the file cannot be read; what the callbacks throw.
 *
 * @example
 * ```ts
 * import { mkdtemp, rm, writeFile } from 'node:fs/promises';
 * import { tmpdir } from 'node:os';
 * import { jsonlText } from 'swapfold/events';
 * import { replayJsonlFile } from 'swapfold/log/files';
 * import { buildSwapPair } from 'swapfold/testing';
 *
 * const folder = await mkdtemp(`${tmpdir()}/swaps-`);
 * const { taker, maker } = buildSwapPair();
 * await writeFile(`${folder}/log.jsonl`, jsonlText(taker) + jsonlText(maker).slice(0, -20));
 * const told: string[] = [];
 * await replayJsonlFile(`${folder}/log.jsonl`, {
 *   onSwap: ({ role, outcome }) => told.push(`${role} ${outcome}`),
 *   onError: ({ line, error }) => told.push(`line ${line} ${error.code}`),
 * });
 * told; // → ['taker completed', 'line 26 TORN_LINE', 'maker completed']
 * await rm(folder, { recursive: true });
 * ```
 */
export async function replayJsonlFile(path: string, options: ReplayFileOptions): Promise<ReplayFileResult> {
  const callbacks = watched(options);
  try {
    return await replayOpened(path, { ...options, ...callbacks.watched });
  } catch (error) {
    throw callbacks.threw(error) ? error : asFileError(error, path);
  }
}

/** Distinguishes errors of the callbacks, which are the caller's, from errors of reading. */
function watched({ onSwap, onError, onSkipped, onProgress }: ReplayFileOptions) {
  const thrown = new Set<unknown>();
  const watch =
    <T extends readonly unknown[]>(callback: (...given: T) => void) =>
    (...given: T): void => {
      try {
        callback(...given);
      } catch (error) {
        thrown.add(error);
        throw error;
      }
    };
  return {
    threw: (error: unknown): boolean => thrown.has(error),
    watched: {
      onSwap: watch(onSwap),
      onError: watch(onError),
      ...(onSkipped === undefined ? {} : { onSkipped: watch(onSkipped) }),
      ...(onProgress === undefined ? {} : { onProgress: watch(onProgress) }),
    },
  };
}

async function replayOpened(path: string, options: ReplayFileOptions): Promise<ReplayFileResult> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const given: Given = {
      workers: 1,
      ends: false,
      maxOpenStreams: MAX_OPEN_STREAMS,
      maxLineBytes: MAX_LINE_BYTES,
      chunkBytes: CHUNK_BYTES,
      rangeBytes: RANGE_BYTES,
      startThreads: startRangeThreads,
      ...options,
      onProgress: (bytes) => options.onProgress?.({ bytes, size }),
      onSkipped: (stream) => options.onSkipped?.(stream),
      ...{ path, file, size },
    };
    if (given.workers < 2) return await replayWhole(given);
    const ranges = await planRanges(given);
    return ranges.length < 2 ? await replayWhole(given) : await replayRanges(given, ranges);
  } finally {
    await file.close().catch(() => {});
  }
}

/** Replays from the first byte to the last on this thread. What was handed on before is not handed on again. */
async function replayWhole(given: Given, done = { swaps: 0, errors: 0 }): Promise<ReplayFileResult> {
  const { file, size, chunkBytes, maxOpenStreams, maxLineBytes, onSwap, onError, onSkipped, onProgress } = given;
  let swaps = 0;
  let errors = 0;
  let bytes = 0;
  const replayer = createJsonlReplayer({
    maxOpenStreams,
    maxLineBytes,
    ...endsOf(given),
    onSwap: (swap, facts) => {
      if (swaps++ >= done.swaps) onSwap(swap, facts);
    },
    onError: (error) => {
      if (errors++ >= done.errors) onError(error);
    },
    onSkipped,
  });
  await readRange({ file, range: { start: 0, end: size }, chunkBytes }, (chunk) => {
    replayer.push(chunk);
    bytes += chunk.length;
    onProgress(bytes);
  });
  replayer.end();
  return { ...replayer.counts(), bytes, swaps, errors, workers: 1 };
}

function endsOf({ ends }: Given): { readonly endOf?: typeof foldedEnd } {
  return ends ? { endOf: foldedEnd } : {};
}

async function planRanges({ file, size, rangeBytes }: Given): Promise<readonly ByteRange[]> {
  const starts = new Map<number, number | undefined>();
  for (let nominal = rangeBytes; nominal < size; nominal += rangeBytes) {
    starts.set(nominal, await streamStartAfter(file, nominal, Math.min(nominal + rangeBytes, size)));
  }
  return splitAtStreams({ size, rangeBytes }, (position) => starts.get(position));
}

async function streamStartAfter(file: FileHandle, position: number, until: number): Promise<number | undefined> {
  for (let length = PROBE_BYTES; ; length *= 4) {
    const wanted = Math.min(length, until - position);
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(wanted), 0, wanted, position);
    const start = findStreamStart(buffer.subarray(0, bytesRead));
    if (start !== undefined) return position + start;
    if (wanted < length) return undefined;
  }
}

async function replayRanges(given: Given, ranges: readonly ByteRange[]): Promise<ReplayFileResult> {
  const { path, size, workers, maxLineBytes, ends, startThreads } = given;
  const join = joinRanges(given);
  const counts = { lines: 0, events: 0, parsed: 0 };
  const threads = startThreads({ path, workers, maxLineBytes, ends });
  try {
    for await (const { range, report } of threads.run(ranges)) {
      if (report.skipped > 0) {
        await threads.stop();
        return await replayWhole(given, join.handedOn());
      }
      const firstLine = counts.lines + 1;
      const entries = report.errors > 0 ? await replayAlone(given, { range, firstLine }) : readBatch(report.batch);
      if (!join.take({ entries, firstLine })) {
        await threads.stop();
        return await replayWhole(given, join.handedOn());
      }
      counts.lines += report.lines;
      counts.events += report.events;
      counts.parsed += report.parsed;
      given.onProgress(range.end);
    }
    join.end();
    return { ...counts, ...join.handedOn(), bytes: size, workers };
  } finally {
    await threads.stop();
  }
}

/** Replays one range on this thread: a line that cannot be read is named by its number in the file. */
async function replayAlone(
  given: Given,
  { range, firstLine }: { readonly range: ByteRange; readonly firstLine: number },
): Promise<readonly RangeEntry[]> {
  const { file, chunkBytes, maxLineBytes } = given;
  const entries: RangeEntry[] = [];
  const replayer = createJsonlReplayer({
    maxOpenStreams: 0,
    ...{ maxLineBytes, firstLine, ...endsOf(given) },
    onSwap: (swap, facts) => entries.push({ swap, facts }),
    onError: (error) => entries.push({ error }),
  });
  await readRange({ file, range, chunkBytes }, replayer.push);
  replayer.end();
  return entries;
}
