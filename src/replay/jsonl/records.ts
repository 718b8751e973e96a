import type { StoredEvent } from '../../events/decode-event.ts';
import { IMPORTED, type JournalRecord } from '../../events/journal.ts';
import { eventOfLine, type JsonlLine, journalOfLine, type OtherLine, parseRecordLine } from '../../events/jsonl.ts';
import { asSwapfoldError } from '../../events/wrappers.ts';
import type { Millis } from '../../primitives/time.ts';
import { type LineError, notUtf8, tooLong, torn } from './errors.ts';
import { createSkippedStreams, type SkippedStream } from './skipped.ts';
import { noteEvent, noteSeq, noteUnreadable, type OpenStream, type StreamTable } from './streams.ts';

/** Reads the lines of a file, one by one, with the parser. */
export type RecordReader = {
  /** One line without its line feed. */
  readonly line: (bytes: Uint8Array, line: number) => void;
  /** What stands after the last line feed. */
  readonly rest: (bytes: Uint8Array, line: number) => void;
  readonly tooLong: (line: number) => void;
  /** The streams so far that are not swaps. */
  readonly skipped: () => readonly SkippedStream[];
};

export type RecordReaderOptions<T> = {
  readonly table: StreamTable<T>;
  readonly maxLineBytes: number;
  readonly onEvent: (stream: OpenStream<T>, event: StoredEvent) => void;
  readonly onImported: (stream: OpenStream<T>, imported: { readonly at: Millis; readonly data: unknown }) => void;
  readonly onJournal: (stream: OpenStream<T>, record: JournalRecord) => void;
  readonly onError: (error: LineError) => void;
};

const STREAM_AT_FRONT = /^\s*\{\s*"stream"\s*:\s*"((?:taker|maker)-swap\/[0-9a-f-]{36})"/;

/** Reads lines by parsing each as JSON: every spelling that the format allows, at the parser's speed. */
export function createRecordReader<T>(options: RecordReaderOptions<T>): RecordReader {
  const { maxLineBytes, onError } = options;
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const skipped = createSkippedStreams();

  const read = (bytes: Uint8Array, { line, last }: { line: number; last: boolean }): void => {
    if (bytes.length > maxLineBytes) {
      onError({ line, stream: null, seq: null, error: tooLong(line, maxLineBytes) });
      return;
    }
    let text: string;
    try {
      text = decoder.decode(bytes);
    } catch {
      const error = last ? torn(line, notUtf8(line)) : notUtf8(line);
      onError({ line, stream: null, seq: null, error });
      return;
    }
    if (text.trim() === '') return;
    let parsed: JsonlLine | OtherLine;
    try {
      parsed = parseRecordLine(text, line);
    } catch (fault) {
      const incomplete = last && fault instanceof SyntaxError;
      unreadable(options, text, { line, error: incomplete ? torn(line, fault) : asSwapfoldError(fault) });
      return;
    }
    if (parsed.role !== null) {
      accept(options, parsed, line);
      return;
    }
    const broken = skipped.take(parsed.envelope, line);
    if (broken !== undefined) onError(broken);
  };

  return {
    line: (bytes, line) => read(bytes, { line, last: false }),
    rest: (bytes, line) => read(bytes, { line, last: true }),
    tooLong: (line) => onError({ line, stream: null, seq: null, error: tooLong(line, maxLineBytes) }),
    skipped: skipped.all,
  };
}

function unreadable<T>(
  { table, onError }: RecordReaderOptions<T>,
  text: string,
  { line, error }: Pick<LineError, 'line' | 'error'>,
): void {
  const key = STREAM_AT_FRONT.exec(text)?.[1] ?? null;
  const stream = table.active();
  // A record that its writer did not finish does not belong to the log: the stream is whole without it.
  if (stream !== undefined && stream.key === key && error.code !== 'TORN_LINE') {
    noteUnreadable(stream, { seq: null, why: error.shortMessage });
  }
  onError({ line, stream: key, seq: null, error });
}

function accept<T>(
  { table, onEvent, onImported, onJournal, onError }: RecordReaderOptions<T>,
  parsed: JsonlLine,
  line: number,
): void {
  const { envelope, role, uuid } = parsed;
  const { stream: key, seq, at, type, data } = envelope;
  const stream = table.enter({ key, role, uuid, seq });
  noteSeq(stream, seq);
  if (type === IMPORTED) {
    onImported(stream, { at, data });
    return;
  }
  const own = journalOfLine(parsed, stream.events);
  if (own !== undefined) {
    stream.journal = true;
    onJournal(stream, own);
    return;
  }
  let event: StoredEvent | undefined;
  try {
    event = eventOfLine(parsed, stream.events, stream.anomalies);
  } catch (fault) {
    const error = asSwapfoldError(fault);
    noteUnreadable(stream, { seq, why: error.shortMessage });
    onError({ line, stream: key, seq, error });
    return;
  }
  if (event === undefined) return;
  noteEvent(stream, event.type, event.data);
  onEvent(stream, event);
}
