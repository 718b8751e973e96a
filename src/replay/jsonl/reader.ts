import type { StoredEvent } from '../../events/decode-event.ts';
import { headOfLines } from '../../events/jsonl.ts';
import type { SwapLog } from '../../events/saved-swap.ts';
import { type LineError, MAX_LINE_BYTES } from './errors.ts';
import { createLineBlocks, plainMemory } from './line-blocks.ts';
import { createRecordReader } from './records.ts';
import { createStreamTable, MAX_OPEN_STREAMS, type OpenStream } from './streams.ts';

export type JsonlReaderOptions = {
  /** Called once for each stream, as soon as it is complete. */
  readonly onLog: (log: SwapLog) => void;
  /** Called for each line that cannot be read. */
  readonly onError: (error: LineError) => void;
  /** Unfinished streams kept for lines that may follow. @defaultValue 10 000 */
  readonly maxOpenStreams?: number;
  /** Longest line accepted, in bytes. @defaultValue 64 MiB */
  readonly maxLineBytes?: number;
};

export type JsonlReader = {
  /** Takes the next bytes of the file, of any length; they are not kept. */
  readonly push: (chunk: Uint8Array) => void;
  /** The file has ended: what is open comes out. */
  readonly end: () => void;
};

type Assembly = { readonly events: StoredEvent[]; imported: { readonly data: unknown } | undefined };

/**
 * Reads a file of our own log format in one pass, in memory bounded by the open streams.
 *
 * A finished stream comes out when a line of another stream comes; an unfinished one stays open, since files may
 * interleave streams, and comes out at the end, or when more than `maxOpenStreams` are open and it was touched longest
 * ago. Missing and repeated sequence numbers become the anomalies SEQ_GAP and SEQ_REPEATED. A line that cannot be read
 * is reported, becomes the anomaly RECORD_UNREADABLE of its stream where that is known, and hides no other line; an
 * incomplete last line is reported as TORN_LINE.
 */
export function createJsonlReader({
  onLog,
  onError,
  maxOpenStreams = MAX_OPEN_STREAMS,
  maxLineBytes = MAX_LINE_BYTES,
}: JsonlReaderOptions): JsonlReader {
  const table = createStreamTable<Assembly>({
    maxOpenStreams,
    open: () => ({ events: [], imported: undefined }),
    close: (stream) => onLog(logOf(stream)),
    setAside: () => undefined,
  });
  const records = createRecordReader({
    table,
    maxLineBytes,
    onError,
    onEvent: ({ body }, event) => body.events.push(event),
    onImported: ({ body }, data) => {
      body.imported ??= { data };
    },
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
    },
  };
}

function logOf({ role, uuid, body, anomalies }: OpenStream<Assembly>): SwapLog {
  return { role, uuid, events: body.events, ...headOfLines(body.imported?.data, { role, uuid }), anomalies };
}
