import type {
  AppendBatch,
  EventLog,
  LogEntry,
  QuarantinedStream,
  StreamLabels,
  StreamQuery,
  StreamSummary,
} from '../../ports/event-log.ts';
import type { Envelope } from '../../primitives/envelope.ts';
import { checkBatch, checkPlace, checkQuery } from '../check-batch.ts';
import { answersQuery, mergeLabels } from '../labels.ts';
import { LogConflictError, logClosed } from '../log-error.ts';
import { createSubscriptions, throwUncaught } from '../subscriptions.ts';
import { lazyEnvelope, type SealedStream } from './lazy-envelope.ts';

export type MemoryLogOptions = {
  /** Told what a subscriber threw; its subscription is closed. @defaultValue the error is an uncaught one */
  readonly onSubscriberError?: (error: unknown) => void;
};

/** A log that answers at once: no method returns a promise. */
export interface MemoryLog extends EventLog {
  append(batch: AppendBatch): readonly Envelope[];
  read(stream: string, from?: number): readonly Envelope[];
  find(query: StreamQuery): readonly StreamSummary[];
  quarantined(): readonly QuarantinedStream[];
  close(): void;
  /** Position of the last entry; 0 while there is none. */
  end(): number;
}

type MemoryStream = SealedStream & { labels: StreamLabels };

/** Entries that are handed to a late subscriber in one go. */
const PAGE_ENTRIES = 256;

/**
 * A log in memory, the reference of the port. Nothing in it outlives the process, so "durable" means "appended".
 *
 * Records are kept as they were given, not copied: the caller must not change appended data afterwards. The seal of a record is
 * computed when its `hash` is first read, since a simulation appends millions that nobody looks at.
 *
 * @example
 * ```ts
 * import { millisOf } from 'swapfold';
 * import { createMemoryLog } from 'swapfold/log/memory';
 *
 * const log = createMemoryLog();
 * const stream = 'taker-swap/3447b727-fe93-4357-8e5a-8cf2699b7e86';
 * const record = { at: millisOf(1734560398123), type: 'Finished', version: 1, data: null };
 * log.append({ stream, expected: 0, records: [record], labels: { makerCoin: 'DOC' } });
 * log.read(stream).map(({ seq, type }) => `${seq} ${type}`); // → ['0 Finished']
 * log.find({ coin: 'MARTY' }); // → []
 * log.find({ coin: 'DOC' }).map(({ length }) => length); // → [1]
 * ```
 */
export function createMemoryLog({ onSubscriberError = throwUncaught }: MemoryLogOptions = {}): MemoryLog {
  const streams = new Map<string, MemoryStream>();
  const all: Envelope[] = [];
  let open = true;
  const subscriptions = createSubscriptions({
    end: () => all.length,
    page: (after, stream) => pageOf(all, after, stream),
    later: (action) => queueMicrotask(action),
    onError: onSubscriberError,
  });
  const assertOpen = (): void => {
    if (!open) throw logClosed();
  };
  return {
    append(batch) {
      assertOpen();
      checkBatch(batch);
      const stream = streamFor(streams, batch);
      const seq = stream.records.length;
      const position = all.length;
      for (const record of batch.records) {
        const envelope = lazyEnvelope(stream, record);
        stream.records.push(envelope);
        all.push(envelope);
      }
      if (batch.labels !== undefined) stream.labels = mergeLabels(stream.labels, batch.labels);
      if (subscriptions.any()) subscriptions.publish(entriesFrom(all, position));
      return stream.records.slice(seq);
    },
    read(stream, from = 0) {
      assertOpen();
      checkPlace(stream, from);
      return streams.get(stream)?.records.slice(from) ?? [];
    },
    find(query) {
      assertOpen();
      checkQuery(query);
      return findIn(streams.values(), query);
    },
    subscribe(options, onEntry) {
      assertOpen();
      return subscriptions.subscribe(options, onEntry);
    },
    quarantined: () => [],
    close() {
      open = false;
      subscriptions.close();
    },
    end: () => all.length,
  };
}

/** The stream of a batch, made when it is new. @throws LogConflictError */
function streamFor(streams: Map<string, MemoryStream>, { stream: name, expected }: AppendBatch): MemoryStream {
  const known = streams.get(name);
  const actual = known?.records.length ?? 0;
  if (actual !== expected) throw new LogConflictError({ stream: name, expected, actual });
  if (known !== undefined) return known;
  const made = { name, records: [], hashes: [], labels: {} };
  streams.set(name, made);
  return made;
}

function entriesFrom(all: readonly Envelope[], position: number): LogEntry[] {
  return all.slice(position).map((envelope, index) => ({ position: position + index + 1, envelope }));
}

function pageOf(all: readonly Envelope[], after: number, stream: string | undefined) {
  const entries: LogEntry[] = [];
  let position = after;
  while (position < all.length && entries.length < PAGE_ENTRIES) {
    const envelope = all[position] as Envelope;
    position++;
    if (stream === undefined || envelope.stream === stream) entries.push({ position, envelope });
  }
  return { entries, upTo: position };
}

function findIn(streams: Iterable<MemoryStream>, query: StreamQuery): readonly StreamSummary[] {
  const { eventType, limit = Number.POSITIVE_INFINITY } = query;
  const found: StreamSummary[] = [];
  for (const { name, records, labels } of streams) {
    if (found.length >= limit) break;
    const firstAt = (records[0] as Envelope).at;
    const lastAt = (records.at(-1) as Envelope).at;
    const summary = { stream: name, length: records.length, firstAt, lastAt, labels };
    if (!answersQuery(summary, query)) continue;
    if (eventType !== undefined && !records.some(({ type }) => type === eventType)) continue;
    found.push(summary);
  }
  return found;
}
