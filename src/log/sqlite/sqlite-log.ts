// Not the global one, which a host's tests may fake.
import { setImmediate } from 'node:timers';
import type {
  AppendBatch,
  EventLog,
  LogEntry,
  QuarantinedStream,
  ScannedRecord,
  StreamQuery,
  StreamSummary,
  SubscribeOptions,
  Subscription,
} from '../../ports/event-log.ts';
import type { Envelope } from '../../primitives/envelope.ts';
import { checkPlace, checkQuery } from '../check-batch.ts';
import { logClosed, readOnly } from '../log-error.ts';
import { createSubscriptions } from '../subscriptions.ts';
import type { Connection } from './connection.ts';
import { type CopyReport, copyLog } from './copy.ts';
import { encodeBatch } from './encode.ts';
import { findStreams } from './find.ts';
import { createGroupCommit } from './group-commit.ts';
import { createHeads } from './heads.ts';
import type { FileLock } from './lock.ts';
import { endSession } from './marks.ts';
import type { OpeningReport } from './opening.ts';
import { createQueue } from './queue.ts';
import { createPageReader, createStreamReader } from './read.ts';
import { reading } from './reading.ts';
import { type LabelsOf, reindexStreams } from './reindex.ts';
import { tipsById } from './rows.ts';
import { scanRecords } from './scan.ts';
import type { QuarantinedHead } from './verify.ts';

/** An event log in one SQLite file. */
export interface SqliteLog extends EventLog {
  readonly file: string;
  readonly opening: OpeningReport;
  append(batch: AppendBatch): Promise<readonly Envelope[]>;
  read(stream: string, from?: number): Promise<readonly Envelope[]>;
  find(query: StreamQuery): Promise<readonly StreamSummary[]>;
  scan(types: readonly string[], onRecord: (record: ScannedRecord) => void): Promise<void>;
  /**
   * The hash of the last record of each stream, in hex. It stands for all of them, since each hash covers the one before.
   * Excludes quarantined streams.
   */
  tips(): Promise<ReadonlyMap<string, string>>;
  /** Position of the last durable entry; 0 if there is none. */
  end(): number;
  /** Copies the current log while it continues. @throws FileError FILE_EXISTS; LogError LOG_OPEN_FAILED; LogDamagedError */
  backup(path: string): Promise<CopyReport>;
  /** The same as {@link SqliteLog.backup}: a copy has dense pages. Its report says how much smaller it is. */
  compactTo(path: string): Promise<CopyReport>;
  /** Rebuilds all labels from the records while the log continues. @returns the count of streams that changed. */
  reindex(labelsOf: LabelsOf): Promise<number>;
  close(): Promise<void>;
}

export type SqliteLogParts = {
  readonly file: string;
  readonly connection: Connection;
  /** Null for a reader, which changes nothing. */
  readonly lock: FileLock | null;
  readonly quarantined: readonly QuarantinedHead[];
  readonly opening: OpeningReport;
  readonly onSubscriberError: (error: unknown) => void;
};

/** Creates the log over a file that was checked and is locked. */
export function createSqliteLog(parts: SqliteLogParts): SqliteLog {
  const { file, connection, opening } = parts;
  const { quarantined, group, read, tips, subscriptions, queue } = engineOf(parts);
  const underWay = createTracker();
  let closing: Promise<void> | undefined;
  const isOpen = (): boolean => closing === undefined;
  const isApart = (stream: string): boolean => quarantined.has(stream);
  const assertOpen = (): void => {
    if (!isOpen()) throw logClosed();
  };
  const assertWritable = (): void => {
    assertOpen();
    if (parts.lock === null) throw readOnly(file);
  };
  const copy = async (path: string): Promise<CopyReport> => {
    assertOpen();
    return underWay.track(copyLog(file, path, { reading: parts.lock === null }));
  };
  return {
    file,
    opening,
    async append(batch) {
      assertWritable();
      return queue.append(encodeBatch(batch));
    },
    async read(stream, from = 0) {
      assertOpen();
      checkPlace(stream, from);
      return read(stream, from);
    },
    async find(query) {
      assertOpen();
      checkQuery(query);
      return reading(file, () => findStreams(connection, query, quarantined));
    },
    async scan(types, onRecord) {
      assertOpen();
      await underWay.track(scanRecords({ file, connection, isOpen, isApart }, types, onRecord));
    },
    tips: async () => tips(isOpen),
    subscribe(options: SubscribeOptions, onEntry: (entry: LogEntry) => unknown): Subscription {
      assertOpen();
      return subscriptions.subscribe(options, onEntry);
    },
    quarantined: () => listOf(quarantined.values()),
    end: group.end,
    backup: copy,
    compactTo: copy,
    async reindex(labelsOf) {
      assertWritable();
      const all = { connection, labelsOf, read: (stream: string) => read(stream, 0) };
      return underWay.track(reindexStreams({ ...all, relabel: group.relabel, isOpen, isApart }));
    },
    close() {
      const idle = () => Promise.all([queue.idle(), underWay.settled()]);
      closing ??= close(parts, { idle, stop: subscriptions.close });
      return closing;
    },
  };
}

function tipsOf(connection: Connection, hidden: ReadonlyMap<string, unknown>): ReadonlyMap<string, string> {
  const after = tipsById(connection);
  const tips = new Map<string, string>();
  for (let page = after(-1); page.length > 0; page = after(page.at(-1)?.[0] ?? 0)) {
    for (const [, name, hash] of page) if (!hidden.has(name)) tips.set(name, hash);
  }
  return tips;
}

/** The parts that write, read and deliver. */
function engineOf({ file, connection, quarantined: found, onSubscriberError }: SqliteLogParts) {
  const quarantined = new Map(found.map((apart) => [apart.stream, apart]));
  const heads = createHeads(connection);
  const areEntriesWanted = (): boolean => subscriptions.any();
  const group = createGroupCommit({
    connection,
    file,
    heads,
    end: lastPosition(connection),
    quarantined,
    areEntriesWanted,
  });
  const sources = { connection, headOf: heads.get, quarantined, end: group.end };
  const [streamOf, page] = [createStreamReader(sources), createPageReader(sources)];
  const subscriptions = createSubscriptions({
    end: group.end,
    page: (after, stream) => reading(file, () => page(after, stream)),
    later: (action) => setImmediate(action),
    onError: onSubscriberError,
  });
  const queue = createQueue(group, subscriptions.publish);
  const read = (stream: string, from: number) => reading(file, () => streamOf(stream, from));
  const tips = (isOpen: () => boolean): ReadonlyMap<string, string> => {
    if (!isOpen()) throw logClosed();
    return reading(file, () => tipsOf(connection, quarantined));
  };
  return { quarantined, group, read, tips, subscriptions, queue };
}

/** Remembers what is under way, so that a closing log can wait for it. */
function createTracker() {
  const running = new Set<Promise<unknown>>();
  return {
    track: async <T>(work: Promise<T>): Promise<T> => {
      const settled = work.catch(() => {});
      running.add(settled);
      await settled;
      running.delete(settled);
      return work;
    },
    settled: (): Promise<unknown> => Promise.all(running),
  };
}

function listOf(quarantined: Iterable<QuarantinedHead>): readonly QuarantinedStream[] {
  const inOrder = [...quarantined].toSorted((left, right) => left.id - right.id);
  return inOrder.map(({ stream, seq, why }) => ({ stream, seq, why }));
}

function lastPosition(connection: Connection): number {
  const held = Number(connection.value('SELECT max(position) FROM records') ?? 0);
  const noted = Number(connection.value("SELECT CAST(value AS INTEGER) FROM meta WHERE name = 'end'"));
  return Math.max(held, noted);
}

type Ending = { readonly idle: () => Promise<unknown>; readonly stop: () => void };

async function close({ connection, lock }: SqliteLogParts, { idle, stop }: Ending): Promise<void> {
  await idle();
  stop();
  if (lock === null) {
    connection.close();
    return;
  }
  try {
    endSession(connection);
  } catch {
    // The write-ahead log stays beside the file, durable; the next opening reads it.
  }
  connection.close();
  lock.release();
}
