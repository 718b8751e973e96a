import { parseEnvelopeLine, streamOf } from '../../events/jsonl.ts';
import type { Envelope } from '../../primitives/envelope.ts';
import { MAX_LINE_BYTES } from '../../replay/jsonl/errors.ts';
import { createLineBlocks, plainMemory } from '../../replay/jsonl/line-blocks.ts';
import { createJsonlReader } from '../../replay/jsonl/reader.ts';
import type { SkippedStream } from '../../replay/jsonl/skipped.ts';
import type { OpenFile } from './open-file.ts';
import type { ReadSwap } from './read-swap.ts';

export type ReadRecordsOptions = {
  /** Give each swap its records with their hashes as well, at twice the cost. @defaultValue false */
  readonly records?: boolean;
  /** Called at the end of a file for each of its streams that is not a swap. @defaultValue nobody is told */
  readonly onSkipped?: (stream: SkippedStream) => void;
};

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Reads the swaps of a file of event records, in memory bounded by the swaps that are open at a time. */
export async function* readRecords(
  { file, bytes }: OpenFile,
  { records = false, onSkipped }: ReadRecordsOptions = {},
): AsyncGenerator<ReadSwap> {
  let ready: ReadSwap[] = [];
  const keeper = records ? createRecordKeeper() : undefined;
  const reader = createJsonlReader({
    onLog: (log) => {
      const kept = keeper?.take(streamOf(log));
      ready.push({ file, ok: true, log, ...(kept === undefined ? {} : { records: kept }) });
    },
    onError: ({ line, stream, error }) => {
      ready.push({ file, line, ok: false, uuid: stream?.split('/')[1] ?? null, error });
    },
    ...(onSkipped === undefined ? {} : { onSkipped }),
  });
  // A swap is handed on while its reader takes the line after it, so that line must not be kept before.
  const pushBoth = (piece: Uint8Array): void => {
    reader.push(piece);
    keeper?.push(piece);
  };
  const drain = function* () {
    const swaps = ready;
    ready = [];
    yield* swaps;
  };
  try {
    for await (const chunk of bytes) {
      if (keeper === undefined) reader.push(chunk);
      else for (const piece of piecesOf(chunk)) pushBoth(piece);
      yield* drain();
    }
  } catch (error) {
    // What came before the damage is whole, and comes out before the damage is reported.
    reader.end();
    yield* drain();
    throw error;
  }
  keeper?.end();
  reader.end();
  yield* drain();
}

/** The chunk cut after each line feed. */
function* piecesOf(chunk: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < chunk.length; ) {
    const lineFeed = chunk.indexOf(10, start);
    const end = lineFeed < 0 ? chunk.length : lineFeed + 1;
    yield chunk.subarray(start, end);
    start = end;
  }
}

/** Keeps the records of the streams under reading. Lines that cannot be read are the reader's business. */
function createRecordKeeper() {
  const streams = new Map<string, Envelope[]>();
  const memory = plainMemory();
  const keep = (start: number, end: number): void => {
    for (const line of piecesOf(memory.bytes.subarray(start, end))) {
      let envelope: Envelope;
      try {
        ({ envelope } = parseEnvelopeLine(decoder.decode(line).trimEnd(), 0));
      } catch {
        continue;
      }
      const known = streams.get(envelope.stream);
      if (known === undefined) streams.set(envelope.stream, [envelope]);
      else known.push(envelope);
    }
  };
  const blocks = createLineBlocks(
    memory,
    { block: keep, rest: keep, tooLong: () => {} },
    { maxLineBytes: MAX_LINE_BYTES },
  );
  return {
    push: blocks.push,
    end: blocks.end,
    take(stream: string): readonly Envelope[] {
      const kept = streams.get(stream) ?? [];
      streams.delete(stream);
      return kept;
    },
  };
}
