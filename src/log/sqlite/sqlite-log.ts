import type {
  AppendBatch,
  EventLog,
  LogEntry,
  QuarantinedStream,
  StreamQuery,
  StreamSummary,
  SubscribeOptions,
  Subscription,
} from '../../ports/event-log.ts';
import type { Envelope } from '../../primitives/envelope.ts';
import { logClosed } from '../log-error.ts';
import { createSubscriptions } from '../subscriptions.ts';
import type { Connection } from './connection.ts';
import { type CopyReport, copyLog } from './copy.ts';
import { encodeBatch } from './encode.ts';
import { findStreams } from './find.ts';
import { createGroupCommit } from './group-commit.ts';
import { createHeads } from './heads.ts';
import type { FileLock } from './lock.ts';
import type { OpeningReport } from './opening.ts';
import { createQueue } from './queue.ts';
import { createReader } from './read.ts';
import { type LabelsOf, reindexStreams } from './reindex.ts';
import type { QuarantinedHead } from './verify.ts';

/** An event log in one SQLite file. */
export interface SqliteLog extends EventLog {
  readonly file: string;
  readonly opening: OpeningReport;
  append(batch: AppendBatch): Promise<readonly Envelope[]>;
  read(stream: string, from?: number): Promise<readonly Envelope[]>;
  find(query: StreamQuery): Promise<readonly StreamSummary[]>;
  /** Position of the last durable entry; 0 while there is none. */
  end(): number;
  /** Copies the log as it is now, while it goes on. @throws FileError FILE_EXISTS; LogError LOG_OPEN_FAILED; LogDamagedError */
  backup(path: string): Promise<CopyReport>;
  /** The same as {@link SqliteLog.backup}: a copy has dense pages. Its report tells how much smaller it is. */
  compactTo(path: string): Promise<CopyReport>;
  /** Makes all labels anew from the records, while the log goes on. @returns the count of streams that changed. */
  reindex(labelsOf: LabelsOf): Promise<number>;
  close(): Promise<void>;
}

export type SqliteLogParts = {
  readonly file: string;
  readonly connection: Connection;
  readonly lock: FileLock;
  readonly quarantined: readonly QuarantinedHead[];
  readonly opening: OpeningReport;
  readonly onSubscriberError: (error: unknown) => void;
};

/** Puts the log together over a file that was checked and is locked. */
export function createSqliteLog(parts: SqliteLogParts): SqliteLog {
  const { file, connection, lock, opening, onSubscriberError } = parts;
  const quarantined = new Map(parts.quarantined.map((found) => [found.stream, found]));
  const heads = createHeads(connection);
  const log = createGroupCommit({ connection, file, heads, end: lastPosition(connection), quarantined });
  const reader = createReader({ connection, headOf: heads.get, quarantined, end: log.end });
  const subscriptions = createSubscriptions({
    end: log.end,
    page: reader.page,
    later: setImmediate,
    onError: onSubscriberError,
  });
  const queue = createQueue(log, subscriptions.publish);
  let closing: Promise<void> | undefined;
  const isOpen = (): boolean => closing === undefined;
  const assertOpen = (): void => {
    if (!isOpen()) throw logClosed();
  };
  const underWay = new Set<Promise<unknown>>();
  const tracked = async <T>(work: Promise<T>): Promise<T> => {
    const settled = work.catch(() => {});
    underWay.add(settled);
    await settled;
    underWay.delete(settled);
    return work;
  };
  const copy = async (path: string): Promise<CopyReport> => {
    assertOpen();
    return tracked(copyLog(file, path));
  };

  return {
    file,
    opening,
    async append(batch) {
      assertOpen();
      return queue.append(encodeBatch(batch));
    },
    async read(stream, from = 0) {
      assertOpen();
      return reader.stream(stream, from);
    },
    async find(query) {
      assertOpen();
      return findStreams(connection, query, quarantined);
    },
    subscribe(options: SubscribeOptions, onEntry: (entry: LogEntry) => unknown): Subscription {
      assertOpen();
      return subscriptions.subscribe(options, onEntry);
    },
    quarantined: (): readonly QuarantinedStream[] =>
      [...quarantined.values()]
        .toSorted((left, right) => left.id - right.id)
        .map(({ stream, seq, why }) => ({ stream, seq, why })),
    end: log.end,
    backup: copy,
    compactTo: copy,
    async reindex(labelsOf) {
      assertOpen();
      const isApart = (stream: string) => quarantined.has(stream);
      const read = (stream: string) => reader.stream(stream, 0);
      return tracked(reindexStreams({ connection, labelsOf, read, relabel: log.relabel, isOpen, isApart }));
    },
    close() {
      closing ??= close({
        connection,
        lock,
        idle: () => Promise.all([queue.idle(), ...underWay]),
        stop: subscriptions.close,
      });
      return closing;
    },
  };
}

function lastPosition(connection: Connection): number {
  const held = Number(connection.value('SELECT max(position) FROM records') ?? 0);
  const noted = Number(connection.value("SELECT CAST(value AS INTEGER) FROM meta WHERE name = 'end'"));
  return Math.max(held, noted);
}

type CloseParts = Pick<SqliteLogParts, 'connection' | 'lock'> & {
  readonly idle: () => Promise<unknown>;
  readonly stop: () => void;
};

async function close({ connection, lock, idle, stop }: CloseParts): Promise<void> {
  await idle();
  stop();
  try {
    // So that the file alone is the whole log.
    connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // The write-ahead log stays beside the file, durable, and is read at the next opening.
  }
  connection.close();
  lock.release();
}
