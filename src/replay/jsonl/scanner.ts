import type { MachineEvent } from '../../../machines/definition.ts';
import { IMPORTED, type JournalRecord } from '../../events/journal.ts';
import type { Millis } from '../../primitives/time.ts';
import type { FoldedSwap, PaymentEnd } from '../payment-ends.ts';
import { type ReplaySession, startReplay } from '../session.ts';
import { concludeReplay, type ReplayedSwap, swapMachines } from '../swaps.ts';
import { type CanonicalScanner, giveBackCanonicalScanner, takeCanonicalScanner } from './canonical-line.ts';
import { type LineError, MAX_LINE_BYTES } from './errors.ts';
import type { LazyPayload } from './lazy.ts';
import { createLineBlocks, type LineBlocks } from './line-blocks.ts';
import { createRecordReader, type RecordReader } from './records.ts';
import type { SkippedStream } from './skipped.ts';
import {
  createStreamTable,
  isComplete,
  MAX_OPEN_STREAMS,
  noteEvent,
  noteSeq,
  type OpenStream,
  type StreamTable,
} from './streams.ts';

/** How a stream came out of its file. */
export type StreamFacts = {
  /** `taker-swap/<uuid>` or `maker-swap/<uuid>`. */
  readonly stream: string;
  /** No more lines of the stream are expected: it has ended, and holds no records of the engine, which may follow the end. */
  readonly finished: boolean;
  /** Sequence number of the first line read. */
  readonly first: number;
  /** What `endOf` found; absent where it was not asked. */
  readonly end?: PaymentEnd | null;
};

export type JsonlReplayerOptions = {
  /** Called once for each stream, as soon as it is complete. */
  readonly onSwap: (swap: ReplayedSwap, facts: StreamFacts) => void;
  /** Called for each line that cannot be read. */
  readonly onError: (error: LineError) => void;
  /** Called at the end for each stream that is no swap. @defaultValue nobody is told */
  readonly onSkipped?: (stream: SkippedStream) => void;
  /** Unfinished streams kept for lines that may follow. @defaultValue 10 000 */
  readonly maxOpenStreams?: number;
  /** Longest line accepted, in bytes. @defaultValue 64 MiB */
  readonly maxLineBytes?: number;
  /** How far the swap proves its end, with the facts. @defaultValue unchecked, because this means decoding transactions */
  readonly endOf?: (swap: FoldedSwap) => PaymentEnd | null;
  /** Number of the first line. @defaultValue 1 */
  readonly firstLine?: number;
  /** A scanner for this replay alone, until its end. @defaultValue the quickest that the platform offers */
  readonly scanner?: CanonicalScanner;
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

/**
 * Replays a file of our own log format in one pass: what `createJsonlReader` and `replaySwap` find out, several times
 * faster.
 *
 * Lines in the form that the log writer makes are checked byte by byte and folded without being parsed; all others go
 * through the parser, with the same result. Seals are checked to be hashes, not computed again.
 */
export function createJsonlReplayer(options: JsonlReplayerOptions): JsonlReplayer {
  const replay = new Replay(options);
  return {
    push: replay.blocks.push,
    room: replay.blocks.room,
    filled: replay.blocks.filled,
    end: () => replay.end(),
    counts: () => replay.counts,
  };
}

type Body = {
  readonly session: ReplaySession<unknown, MachineEvent>;
  lazy: LazyPayload[];
  /** Records of this engine; made with the first of them, since most logs come from elsewhere. */
  journal: JournalRecord[] | null;
};

class Replay {
  readonly blocks: LineBlocks;
  readonly counts = { lines: 0, events: 0, parsed: 0 };
  private readonly scanner: CanonicalScanner;
  private readonly table: StreamTable<Body>;
  private readonly records: RecordReader;
  private readonly maxLineBytes: number;
  private readonly before: number;
  private readonly onSkipped: ((stream: SkippedStream) => void) | undefined;

  constructor({
    onSwap,
    onError,
    onSkipped,
    maxOpenStreams = MAX_OPEN_STREAMS,
    maxLineBytes = MAX_LINE_BYTES,
    firstLine = 1,
    endOf,
    scanner = takeCanonicalScanner(),
  }: JsonlReplayerOptions) {
    this.scanner = scanner;
    this.maxLineBytes = maxLineBytes;
    this.before = firstLine - 1;
    this.onSkipped = onSkipped;
    const table = createStreamTable<Body>({
      maxOpenStreams,
      open: (role) => ({ session: startReplay(swapMachines[role]), lazy: [], journal: null }),
      close(stream) {
        const swap = conclude(stream);
        const facts = factsOf(stream);
        onSwap(swap, endOf === undefined ? facts : { ...facts, end: endOf(foldedOf(stream, swap)) });
      },
      setAside: detach,
    });
    this.table = table;
    this.records = createRecordReader<Body>({
      table,
      maxLineBytes,
      onError,
      onImported: () => undefined,
      onJournal: ({ body }, record) => {
        body.session.pushOwn(record);
        body.journal ??= [];
        body.journal.push(record);
      },
      onEvent: ({ body }, event) => {
        this.counts.events++;
        body.session.push(event);
      },
    });
    this.blocks = createLineBlocks(
      scanner.memory,
      {
        block: (start, end) => this.takeBlock(start, end),
        rest: (start, end) => this.takeRest(start, end),
        tooLong: () => this.records.tooLong(this.nextLine()),
      },
      { maxLineBytes },
    );
  }

  end(): void {
    this.blocks.end();
    this.table.end();
    if (this.onSkipped !== undefined) for (const stream of this.records.skipped()) this.onSkipped(stream);
    giveBackCanonicalScanner(this.scanner);
  }

  private nextLine(): number {
    this.counts.lines++;
    return this.before + this.counts.lines;
  }

  private takeBlock(start: number, end: number): void {
    const { scanner, maxLineBytes, counts } = this;
    for (let at = start; at < end; ) {
      const next = scanner.scan(at, end);
      if (next >= 0 && next - at - 1 <= maxLineBytes) {
        counts.lines++;
        this.accept(at);
        at = next;
      } else {
        at = this.parse(at);
      }
    }
    const active = this.table.active();
    if (active !== undefined) detach(active);
  }

  /** Takes the line at `start`, which the scanner found canonical. */
  private accept(start: number): void {
    const { scanner, table } = this;
    const { line } = scanner;
    let stream = table.active();
    if (stream === undefined || !line.sameStream) {
      const { key, uuid } = scanner.note(start);
      stream = table.enter({ key, uuid, role: line.role, seq: line.seq });
    }
    noteSeq(stream, line.seq);
    if (line.type === IMPORTED) return;
    this.counts.events++;
    noteEvent(stream, line.type, line.data);
    if (line.lazy !== undefined) stream.body.lazy.push(line.lazy);
    stream.body.session.push({ type: line.type, at: line.at as Millis, data: line.data });
  }

  /** Hands the line at `start` to the parser, and answers where the next one starts. */
  private parse(start: number): number {
    const { bytes } = this.scanner.memory;
    const end = bytes.indexOf(10, start);
    this.counts.parsed++;
    this.records.line(bytes.subarray(start, end), this.nextLine());
    const active = this.table.active();
    if (active !== undefined) this.scanner.noteKey(active.key);
    return end + 1;
  }

  private takeRest(start: number, end: number): void {
    this.counts.parsed++;
    this.records.rest(this.scanner.memory.bytes.subarray(start, end), this.nextLine());
  }
}

/** What the replay keeps must outlive the bytes that it came from. */
function detach({ body }: OpenStream<Body>): void {
  for (const lazy of body.lazy) lazy.detach();
  body.lazy = [];
}

function conclude({ role, uuid, anomalies, body: { session } }: OpenStream<Body>): ReplayedSwap {
  // Member by member: a spread makes an object whose shape the engine knows from nowhere, and costs a quarter of the whole replay.
  const { state, context, journal } = session.position();
  const end = { state, context, journal, types: session.types, anomalies: session.anomalies };
  return concludeReplay({ role, uuid, anomalies }, end);
}

function foldedOf(
  { body: { session, journal } }: OpenStream<Body>,
  { role, outcome, funds }: ReplayedSwap,
): FoldedSwap {
  return { role, outcome, funds, context: session.position().context, records: journal };
}

function factsOf(stream: OpenStream<Body>): StreamFacts {
  return { stream: stream.key, finished: isComplete(stream), first: stream.first };
}
