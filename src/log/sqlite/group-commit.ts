import type { LogEntry } from '../../ports/event-log.ts';
import type { Envelope } from '../../primitives/envelope.ts';
import { mergeLabels } from '../labels.ts';
import { LogConflictError, LogError, streamDamaged } from '../log-error.ts';
import { type Connection, isBusy, isFull, sqliteReason } from './connection.ts';
import type { EncodedBatch, EncodedRecord } from './encode.ts';
import { watchIdentity } from './files.ts';
import { type Heads, newHead } from './heads.ts';
import { createInserts, type HeadChange, type NewRow } from './inserts.ts';
import { createMarks, MarkLost } from './marks.ts';
import { recordSum, type StreamHead, sealOf } from './seal.ts';
import type { QuarantinedHead } from './verify.ts';

export type Pending = {
  readonly batch: EncodedBatch;
  readonly resolve: (envelopes: readonly Envelope[]) => void;
  readonly reject: (error: Error) => void;
};

export type GroupCommit = {
  /** Writes all batches in one transaction, answers each, then delivers the durable entries to whoever wants them. */
  readonly commit: (group: readonly Pending[]) => readonly LogEntry[];
  /** Position of the last durable entry. */
  readonly end: () => number;
  /** Writes labels at once. @throws LogError LOG_WRITE_FAILED */
  readonly relabel: (changes: readonly HeadChange[]) => void;
};

export type GroupCommitOptions = {
  readonly connection: Connection;
  readonly file: string;
  readonly heads: Heads;
  readonly end: number;
  /** Streams that must not be written, by name. */
  readonly quarantined: ReadonlyMap<string, QuarantinedHead>;
  /** False saves building entries without a subscriber. */
  readonly areEntriesWanted: () => boolean;
};

/** What a group will have written when its transaction is committed. */
type Draft = {
  readonly rows: NewRow[];
  /** Undefined without subscribers. */
  readonly entries: LogEntry[] | undefined;
  readonly heads: Map<string, HeadChange>;
  readonly answers: (() => void)[];
  end: number;
};

/**
 * The writing side of the log.
 *
 * - G1: a batch is answered with its envelopes only after COMMIT returned, which waits for the disk (`synchronous = FULL`).
 * - G2: only a conflicting batch is refused; the others of its group are written.
 * - G3: a failed transaction is rolled back, and all batches of its group are refused, including conflicts: what they
 *   conflicted with may not have been written.
 * - G4: after a failure other than a full disk or another program's lock, nothing more is written until the log is
 *   opened again, because the disk's content is unknown.
 */
export function createGroupCommit(options: GroupCommitOptions): GroupCommit {
  const { connection, file, heads, quarantined, areEntriesWanted } = options;
  const transaction = createTransaction(connection);
  let end = options.end;
  let broken: LogError | undefined;
  const replaced = watchIdentity([file, `${file}-wal`, `${file}-lock`]);

  /** Notes a failure, and what must be read again because of it. */
  const failed = (cause: unknown, streams: Iterable<string>): LogError => {
    heads.forget(streams);
    const failure = writeFailed(file, cause);
    if (!isFull(cause) && !isBusy(cause)) broken = failure;
    return failure;
  };
  const refuseAll = (group: readonly Pending[], error: LogError): readonly LogEntry[] => {
    for (const { reject } of group) reject(error);
    return [];
  };
  return {
    end: () => end,
    commit(group) {
      // Writes to a removed file are lost, and without its lock there may be a second writer.
      const gone = broken === undefined ? replaced() : undefined;
      if (gone !== undefined) broken = fileReplaced(file, gone);
      if (broken !== undefined) return refuseAll(group, broken);
      let draft: Draft;
      try {
        draft = draftOf(group, { heads, quarantined, end, entries: areEntriesWanted() ? [] : undefined });
        if (draft.rows.length > 0) transaction(draft.rows, [...draft.heads.values()]);
      } catch (error) {
        const streams = group.map(({ batch }) => batch.stream);
        return refuseAll(group, failed(error, streams));
      }
      for (const { after } of draft.heads.values()) heads.set(after);
      end = draft.end;
      for (const answer of draft.answers) answer();
      return draft.entries ?? [];
    },
    relabel(changes) {
      if (broken !== undefined) throw broken;
      if (changes.length === 0) return;
      try {
        transaction([], changes);
      } catch (error) {
        const streams = changes.map(({ after }) => after.name);
        throw failed(error, streams);
      }
      for (const { after } of changes) heads.set(after);
    },
  };
}

/** Writes rows in one transaction, with the mark of the log; rolls back when anything in it fails. */
function createTransaction(connection: Connection) {
  const inserts = createInserts(connection);
  const marks = createMarks(connection);
  const begin = connection.prepare('BEGIN IMMEDIATE');
  const commit = connection.prepare('COMMIT');
  return (rows: readonly NewRow[], changes: readonly HeadChange[]): void => {
    begin.run();
    try {
      inserts.records(rows);
      inserts.heads(changes);
      marks.write();
      commit.run();
      marks.settle();
    } catch (error) {
      rollBack(connection);
      throw error;
    }
  };
}

type DraftOptions = Pick<GroupCommitOptions, 'heads' | 'quarantined' | 'end'> & Pick<Draft, 'entries'>;

function draftOf(group: readonly Pending[], { heads, quarantined, end, entries }: DraftOptions): Draft {
  const draft: Draft = { rows: [], entries, heads: new Map(), answers: [], end };
  for (const { batch, resolve, reject } of group) {
    const { stream, expected } = batch;
    const apart = quarantined.get(stream);
    const drafted = draft.heads.get(stream);
    const head = drafted?.after ?? heads.get(stream);
    const actual = head?.length ?? 0;
    if (apart !== undefined) draft.answers.push(() => reject(streamDamaged(apart)));
    else if (actual !== expected) {
      draft.answers.push(() => reject(new LogConflictError({ stream, expected, actual })));
    } else {
      const { after, envelopes } = draftBatch(draft, batch, head);
      draft.heads.set(stream, { before: drafted === undefined ? head : drafted.before, after });
      draft.answers.push(() => resolve(envelopes));
    }
  }
  return draft;
}

function draftBatch(draft: Draft, { stream, records, labels }: EncodedBatch, head: StreamHead | undefined) {
  const first = (records[0] as EncodedRecord).given;
  const before = head ?? newHead(stream, draft.end + 1, first.at);
  const envelopes: Envelope[] = [];
  let { hash } = before;
  for (const { given, data, extra } of records) {
    const { at, type, version } = given;
    const seq = before.length + envelopes.length;
    const position = ++draft.end;
    hash = sealOf(hash, { stream, seq, at, type, version, data, extra });
    const name = seq === 0 ? stream : null;
    const sum = recordSum(position, hash, name);
    draft.rows.push({ position, stream: before.id, seq, at, type, version, data, extra, name, hash, sum });
    const value = given.data ?? null;
    const envelope: Envelope =
      given.extra === undefined
        ? { stream, seq, at, type, version, data: value, hash }
        : { stream, seq, at, type, version, data: value, extra: given.extra, hash };
    envelopes.push(envelope);
    draft.entries?.push({ position, envelope });
  }
  const last = records.at(-1) as EncodedRecord;
  const merged = mergeLabels(before.labels, labels);
  const after = { ...before, length: before.length + records.length, hash, lastAt: last.given.at, labels: merged };
  return { after, envelopes };
}

function rollBack(connection: Connection): void {
  try {
    if (connection.inTransaction()) connection.exec('ROLLBACK');
  } catch {
    // SQLite has already rolled back; report the error that led here.
  }
}

function fileReplaced(file: string, gone: string): LogError {
  return new LogError(
    'LOG_WRITE_FAILED',
    'A file of the log was removed or replaced while it was open; nothing was written.',
    {
      facts: { file, gone },
      next: 'Stop this process, put the file back or restore a backup, then open the log again.',
      retry: 'operator',
    },
  );
}

function writeFailed(file: string, cause: unknown): LogError {
  if (cause instanceof MarkLost) {
    return new LogError('LOG_WRITE_FAILED', 'Another process has written to the log; nothing was written.', {
      facts: { file },
      next: 'Stop one of the two, then open the log again. Make sure that nothing removes its lock file.',
      retry: 'operator',
    });
  }
  const full = isFull(cause);
  return new LogError('LOG_WRITE_FAILED', 'The records could not be written; none of them is in the log.', {
    facts: { file, reason: sqliteReason(cause) },
    next: full
      ? 'Free disk space and append again.'
      : 'Check the disk, then close the log and open it again, which checks the whole log.',
    retry: full || isBusy(cause) ? 'later' : 'operator',
    cause,
  });
}
