import { parseEnvelopeLine, streamOf } from '../../events/jsonl.ts';
import type { Envelope } from '../../primitives/envelope.ts';
import { MAX_LINE_BYTES } from '../../replay/jsonl/errors.ts';
import { createLineBlocks, plainMemory } from '../../replay/jsonl/line-blocks.ts';
import { createJsonlReader } from '../../replay/jsonl/reader.ts';
import type { OpenFile } from './open-file.ts';
import type { ReadSwap } from './read-swap.ts';

export type ReadRecordsOptions = {
  /** Give each swap its records with their hashes as well, at twice the cost. @defaultValue false */
  readonly records?: boolean;
};

/** Reads the swaps of a file of event records, in memory bounded by the swaps that are open at a time. */
export async function* readRecords(
  { file, bytes }: OpenFile,
  { records = false }: ReadRecordsOptions = {},
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
  });
  const drain = function* () {
    const swaps = ready;
    ready = [];
    yield* swaps;
  };
  try {
    for await (const chunk of bytes) {
      keeper?.push(chunk);
      reader.push(chunk);
      yield* drain();
    }
  } catch (error) {
    // What came before the damage is whole, and is given out before the damage is told.
    reader.end();
    yield* drain();
    throw error;
  }
  keeper?.end();
  reader.end();
  yield* drain();
}

/** Keeps the records of the streams under reading. Lines that cannot be read are the reader's business. */
function createRecordKeeper() {
  const streams = new Map<string, Envelope[]>();
  const memory = plainMemory();
  const keep = (start: number, end: number): void => {
    for (const text of Buffer.from(memory.bytes.subarray(start, end)).toString('utf8').split('\n')) {
      if (text.trim() === '') continue;
      let envelope: Envelope;
      try {
        ({ envelope } = parseEnvelopeLine(text, 0));
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
