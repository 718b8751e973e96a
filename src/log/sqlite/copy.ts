import { existsSync, renameSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setImmediate as pause } from 'node:timers/promises';
import { FileError } from '../file-error.ts';
import { LogDamagedError, LogError } from '../log-error.ts';
import { type Connection, connect, isDamage } from './connection.ts';
import { makePrivate, realFile, removeFile, syncFile, syncFolder, useWal } from './files.ts';
import { openFailed } from './lock.ts';
import { createSchema } from './schema.ts';
import { mergeWal, takeSnapshot } from './snapshot.ts';
import { inspectWal } from './wal.ts';

export type CopyReport = {
  /** Number of records in the copy. */
  readonly records: number;
  /** Position of the last entry in the copy. */
  readonly end: number;
  /** Size of the copy. */
  readonly bytes: number;
  /** Size of the copied log, with its write-ahead log. */
  readonly sourceBytes: number;
};

/** Rows that are copied at once: some milliseconds. */
const ROWS_AT_ONCE = 500;

export type CopyOptions = {
  /** Leave everything beside the log unchanged: copy it through a second copy in the folder for temporary files. */
  readonly reading: boolean;
};

/**
 * Copies a log in use, as of one moment, into dense pages. Other work continues between the rows. The copy gets its
 * name once it is complete and durable, and is an independent log: the other log's write-ahead log is not part of it.
 *
 * @throws FileError FILE_EXISTS; LogDamagedError when SQLite cannot read the log; LogError LOG_OPEN_FAILED.
 */
export async function copyLog(file: string, to: string, { reading }: CopyOptions): Promise<CopyReport> {
  if (existsSync(to)) {
    throw new FileError('FILE_EXISTS', 'The file already exists and was not changed.', {
      file: to,
      next: 'Choose another name for the copy.',
    });
  }
  let partial: string | undefined;
  try {
    const target = realFile(to);
    partial = `${target}.partial`;
    removeFile(partial);
    const copied = reading ? await copySnapshot(file, { partial, target }) : await copyRows(file, { partial, target });
    useWal(partial);
    syncFile(partial);
    renameSync(partial, target);
    syncFolder(target);
    return { ...copied, bytes: statSync(target).size };
  } catch (error) {
    if (partial !== undefined) removeFile(partial);
    if (error instanceof LogError) throw error;
    if (!isDamage(error)) throw openFailed(to, error);
    throw new LogDamagedError('The log cannot be copied: SQLite cannot read all of it.', {
      facts: { file },
      next: 'Close the log and open it again: this checks it and salvages what can be read.',
      cause: error,
    });
  }
}

type Names = { readonly partial: string; readonly target: string };

/** For a log that is only read. */
async function copySnapshot(file: string, names: Names): Promise<Omit<CopyReport, 'bytes'>> {
  const snapshot = await takeSnapshot(file, tmpdir());
  try {
    mergeWal(snapshot.file, inspectWal(snapshot.file));
    return await copyRows(snapshot.file, names);
  } finally {
    snapshot.dispose();
  }
}

async function copyRows(file: string, { partial, target }: Names): Promise<Omit<CopyReport, 'bytes'>> {
  makePrivate(partial);
  const empty = connect(partial);
  createSchema(empty, { home: target });
  empty.close();
  const connection = connect(file);
  try {
    connection.exec(`ATTACH '${partial.replaceAll("'", "''")}' AS copy`);
    connection.exec('PRAGMA copy.journal_mode = OFF');
    connection.exec('PRAGMA copy.synchronous = OFF');
    connection.exec('BEGIN');
    connection.exec("UPDATE copy.meta SET value = (SELECT value FROM main.meta WHERE name = 'end') WHERE name = 'end'");
    connection.exec('INSERT INTO copy.quarantine SELECT * FROM main.quarantine');
    await copyTable(connection, 'records', 'position');
    await copyTable(connection, 'streams', 'id');
    await copyTable(connection, 'tips', 'id');
    const pages = connection.value("SELECT page_count FROM pragma_page_count('main')") as number;
    const pageSize = connection.value("SELECT page_size FROM pragma_page_size('main')") as number;
    const records = connection.value('SELECT count(*) FROM copy.records') as number;
    const end = Number(connection.value('SELECT max(position) FROM copy.records') ?? 0);
    connection.exec('COMMIT');
    connection.exec('DETACH copy');
    return { records, end, sourceBytes: pages * pageSize };
  } finally {
    // An open transaction would keep the write-ahead log from being emptied.
    if (connection.inTransaction()) connection.exec('ROLLBACK');
    connection.close();
  }
}

async function copyTable(connection: Connection, table: string, key: string): Promise<void> {
  const last = connection.prepare(`SELECT max(${key}) FROM copy.${table}`);
  const copy = connection.prepare(
    `INSERT INTO copy.${table} SELECT * FROM main.${table} WHERE ${key} > ? ORDER BY ${key} LIMIT ${ROWS_AT_ONCE}`,
  );
  for (let after = 0; ; ) {
    copy.run([after]);
    const reached = Number(last.get()?.[0] ?? 0);
    if (reached === after) return;
    after = reached;
    await pause();
  }
}
