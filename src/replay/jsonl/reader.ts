import type { StoredEvent } from '../../events/decode-event.ts';
import type { JournalRecord } from '../../events/journal.ts';
import { headOfLines } from '../../events/jsonl.ts';
import type { SwapLog } from '../../events/saved-swap.ts';
import type { Millis } from '../../primitives/time.ts';
import { type LineError, MAX_LINE_BYTES } from './errors.ts';
import { createLineBlocks, plainMemory } from './line-blocks.ts';
import { createRecordReader } from './records.ts';
import type { SkippedStream } from './skipped.ts';
import { createStreamTable, MAX_OPEN_STREAMS, type OpenStream } from './streams.ts';

export type JsonlReaderOptions = {
  /** Called once for each stream, as soon as it is complete. */
  readonly onLog: (log: SwapLog) => void;
  /** Called for each line that cannot be read. */
  readonly onError: (error: LineError) => void;
  /** Called at the end for each stream that is not a swap. @defaultValue not called */
  readonly onSkipped?: (stream: SkippedStream) => void;
  /** Unfinished streams kept for lines that may follow. @defaultValue 10 000 */
  readonly maxOpenStreams?: number;
  /** Longest line accepted, in bytes. @defaultValue 64 MiB */
  readonly maxLineBytes?: number;
};

export type JsonlReader = {
  /** Takes the next bytes of the file, of any length; they are not kept. */
  readonly push: (chunk: Uint8Array) => void;
  /** The file has ended: returns what is open. */
  readonly end: () => void;
};

type Assembly = {
  readonly events: StoredEvent[];
  readonly journal: JournalRecord[];
  imported: { readonly at: Millis; readonly data: unknown } | undefined;
};

/**
 * Reads a file of our own log format in one pass, in memory bounded by the open streams.
 *
 * A finished stream comes out when a line of another stream comes. An unfinished one stays open, since files may interleave streams, and so does one
 * with records of the engine, which may follow its end; it comes out at the end, or when more than `maxOpenStreams` are open and it was touched
 * longest ago. A stream that is not a swap is checked against its hashes and otherwise skipped. Missing and repeated sequence numbers become the
 * anomalies SEQ_GAP and SEQ_REPEATED. A line that cannot be read is reported, becomes the anomaly RECORD_UNREADABLE of its stream where that is
 * known, and hides no other line; an incomplete last line is reported as TORN_LINE.
 *
 * @example
 * ```ts
 * import { jsonlText } from 'swapfold/events';
 * import { createJsonlReader } from 'swapfold/replay';
 * import { buildSwap } from 'swapfold/testing';
 *
 * const text = jsonlText(buildSwap({ role: 'taker', path: ['Started', 'StartFailed', 'Finished'] }));
 * const found: string[] = [];
 * const reader = createJsonlReader({
 *   onLog: ({ events }) => found.push(...events.map(({ type }) => type)),
 *   onError: ({ error, line }) => found.push(`line ${line}: ${error.code}`),
 * });
 * reader.push(new TextEncoder().encode(text.slice(0, -20)));
 * reader.end();
 * found; // → ['line 4: TORN_LINE', 'Started', 'StartFailed']
 * ```
 */
export function createJsonlReader({
  onLog,
  onError,
  onSkipped,
  maxOpenStreams = MAX_OPEN_STREAMS,
  maxLineBytes = MAX_LINE_BYTES,
}: JsonlReaderOptions): JsonlReader {
  const table = createStreamTable<Assembly>({
    maxOpenStreams,
    open: () => ({ events: [], journal: [], imported: undefined }),
    close: (stream) => onLog(logOf(stream)),
    setAside: () => undefined,
  });
  const records = createRecordReader({
    table,
    maxLineBytes,
    onError,
    onEvent: ({ body }, event) => body.events.push(event),
    onImported: ({ body }, imported) => {
      body.imported ??= imported;
    },
    onJournal: ({ body }, record) => body.journal.push(record),
  });
  const memory = plainMemory();
  let line = 0;
  const blocks = createLineBlocks(
    memory,
    {
      block(start, end) {
        const { bytes } = memory;
        for (let at = start; at < end; ) {
          const lineFeed = bytes.indexOf(10, at);
          line++;
          records.line(bytes.subarray(at, lineFeed), line);
          at = lineFeed + 1;
        }
      },
      rest: (start, end) => records.rest(memory.bytes.subarray(start, end), line + 1),
      tooLong: () => {
        line++;
        records.tooLong(line);
      },
    },
    { maxLineBytes },
  );
  return {
    push: blocks.push,
    end() {
      blocks.end();
      table.end();
      if (onSkipped !== undefined) for (const stream of records.skipped()) onSkipped(stream);
    },
  };
}

function logOf({ role, uuid, body, anomalies }: OpenStream<Assembly>): SwapLog {
  const { events, journal, imported } = body;
  const request = journal.find(({ type }) => type === 'SwapRequested')?.data;
  const log = { role, uuid, events, ...headOfLines(imported?.data, { role, uuid, request }), anomalies };
  if (journal.length === 0) return log;
  return { ...log, journal: { importedAt: imported?.at ?? null, records: journal } };
}
