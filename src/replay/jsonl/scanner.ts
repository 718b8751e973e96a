import type { MachineEvent } from '../../../machines/definition.ts';
import { IMPORTED } from '../../events/jsonl.ts';
import type { Millis } from '../../primitives/time.ts';
import { type ReplaySession, startReplay } from '../session.ts';
import { concludeReplay, type ReplayedSwap, swapMachines } from '../swaps.ts';
import { createCanonicalScanner } from './canonical-line.ts';
import { type LineError, MAX_LINE_BYTES } from './errors.ts';
import type { LazyPayload } from './lazy.ts';
import { createLineBlocks } from './line-blocks.ts';
import { createRecordReader } from './records.ts';
import { createStreamTable, MAX_OPEN_STREAMS, noteEvent, noteSeq, type OpenStream } from './streams.ts';
import { giveBackScanMemory, type ScanMemory, takeScanMemory } from './wasm-hex.ts';

/** How a stream came out of its file. */
export type StreamFacts = {
  /** `taker-swap/<uuid>` or `maker-swap/<uuid>`. */
  readonly stream: string;
  /** The event that ends a swap was read; else lines of the stream might have followed. */
  readonly finished: boolean;
  /** Sequence number of the first line read. */
  readonly first: number;
};

export type JsonlReplayerOptions = {
  /** Called once for each stream, as soon as it is complete. */
  readonly onSwap: (swap: ReplayedSwap, facts: StreamFacts) => void;
  /** Called for each line that cannot be read. */
  readonly onError: (error: LineError) => void;
  /** Unfinished streams kept for lines that may follow. @defaultValue 10 000 */
  readonly maxOpenStreams?: number;
  /** Longest line accepted, in bytes. @defaultValue 64 MiB */
  readonly maxLineBytes?: number;
  /** Number of the first line. @defaultValue 1 */
  readonly firstLine?: number;
  /** Memory for the replay alone, until its end. @defaultValue the quickest that the platform offers */
  readonly memory?: ScanMemory;
};

/** Lines read so far, and how many of them the parser had to read because they are not in canonical form. */
export type LineCounts = { readonly lines: number; readonly events: number; readonly parsed: number };

export type JsonlReplayer = {
  /** Takes the next bytes of the file, of any length; they are not kept. */
  readonly push: (chunk: Uint8Array) => void;
  /** Room for the next bytes of the file, for a reader that can put them there; then `filled` is told how many came. */
  readonly room: (length: number) => Uint8Array;
  readonly filled: (length: number) => void;
  /** The file has ended: what is open comes out. */
  readonly end: () => void;
  readonly counts: () => LineCounts;
};

type Replay = { readonly session: ReplaySession<unknown, MachineEvent>; lazy: LazyPayload[] };

/**
 * Replays a file of our own log format in one pass: what `createJsonlReader` and `replaySwap` find out, an order of
 * magnitude faster.
 *
 * Lines in the form that the log writer makes are checked byte by byte and folded without being parsed; all others go
 * through the parser, with the same result. Seals are checked to be hashes, not computed again.
 */
export function createJsonlReplayer({
  onSwap,
  onError,
  maxOpenStreams = MAX_OPEN_STREAMS,
  maxLineBytes = MAX_LINE_BYTES,
  firstLine = 1,
  memory = takeScanMemory(),
}: JsonlReplayerOptions): JsonlReplayer {
  const scanner = createCanonicalScanner(memory);
  let lines = firstLine - 1;
  let events = 0;
  let parsed = 0;

  const table = createStreamTable<Replay>({
    maxOpenStreams,
    open: (role) => ({ session: startReplay(swapMachines[role]), lazy: [] }),
    close: (stream) => onSwap(conclude(stream), factsOf(stream)),
    setAside: detach,
  });
  const records = createRecordReader({
    table,
    maxLineBytes,
    onError,
    onImported: () => undefined,
    onEvent: ({ body }, event) => {
      events++;
      body.session.push(event);
    },
  });

  const parse = (start: number, end: number): void => {
    parsed++;
    records.line(memory.bytes.subarray(start, end), lines);
    const active = table.active();
    if (active !== undefined) scanner.noteKey(active.key);
  };

  const { line } = scanner;
  const accept = (start: number): void => {
    let stream = table.active();
    if (stream === undefined || !line.sameStream) {
      const { key, uuid } = scanner.note(start);
      stream = table.enter({ key, uuid, role: line.role, seq: line.seq });
    }
    noteSeq(stream, line.seq);
    if (line.type === IMPORTED) return;
    events++;
    noteEvent(stream, line.type, line.data);
    if (line.lazy !== undefined) stream.body.lazy.push(line.lazy);
    stream.body.session.push({ type: line.type, at: line.at as Millis, data: line.data });
  };

  const blocks = createLineBlocks(
    memory,
    {
      block(start, end) {
        for (let at = start; at < end; ) {
          lines++;
          const next = scanner.scan(at, end);
          if (next >= 0 && next - at - 1 <= maxLineBytes) {
            accept(at);
            at = next;
          } else {
            const lineFeed = memory.bytes.indexOf(10, at);
            parse(at, lineFeed);
            at = lineFeed + 1;
          }
        }
        const active = table.active();
        if (active !== undefined) detach(active);
      },
      rest(start, end) {
        lines++;
        parsed++;
        records.rest(memory.bytes.subarray(start, end), lines);
      },
      tooLong() {
        lines++;
        records.tooLong(lines);
      },
    },
    { maxLineBytes },
  );

  return {
    push: blocks.push,
    room: blocks.room,
    filled: blocks.filled,
    end() {
      blocks.end();
      table.end();
      giveBackScanMemory(memory);
    },
    counts: () => ({ lines: lines - firstLine + 1, events, parsed }),
  };
}

/** What the replay holds must outlive the bytes that it was read from. */
function detach({ body }: OpenStream<Replay>): void {
  for (const lazy of body.lazy) lazy.detach();
  body.lazy = [];
}

function conclude({ role, uuid, anomalies, body: { session } }: OpenStream<Replay>): ReplayedSwap {
  const { state, context } = session.position();
  const end = { state, context, types: session.types, anomalies: session.anomalies };
  return concludeReplay({ role, uuid, anomalies }, end);
}

function factsOf({ key, finished, first }: OpenStream<Replay>): StreamFacts {
  return { stream: key, finished, first };
}
