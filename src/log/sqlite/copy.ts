import { existsSync, renameSync, statSync } from 'node:fs';
import { setImmediate as pause } from 'node:timers/promises';
import { FileError } from '../files/file-error.ts';
import { LogDamagedError } from '../log-error.ts';
import { type Connection, connect, isDamage } from './connection.ts';
import { makePrivate, realFile, removeFile, syncFile, syncFolder } from './files.ts';
import { openFailed } from './lock.ts';
import { createSchema } from './schema.ts';

export type CopyReport = {
  /** Count of records in the copy. */
  readonly records: number;
  /** Position of the last entry in the copy. */
  readonly end: number;
  /** Size of the copy. */
  readonly bytes: number;
  /** Size of the log that was copied, with what is still in its write-ahead log. */
  readonly sourceBytes: number;
};

/** Rows that are copied in one go: some milliseconds. */
const ROWS_AT_ONCE = 500;

/**
 * Copies a log while it is in use, as it was at one moment, into dense pages. Other work goes on between the rows. The copy
 * gets its name when it is whole and durable.
 *
 * @throws FileError FILE_EXISTS; LogDamagedError when SQLite cannot read the log; LogError LOG_OPEN_FAILED.
 */
export async function copyLog(file: string, to: string): Promise<CopyReport> {
  if (existsSync(to)) {
    throw new FileError('FILE_EXISTS', 'The file exists already and was left as it is.', {
      file: to,
      next: 'Choose another name for the copy.',
    });
  }
  let partial: string | undefined;
  try {
    const target = realFile(to);
    partial = `${target}.partial`;
    removeFile(partial);
    const copied = await copyRows(file, partial);
    syncFile(partial);
    renameSync(partial, target);
    syncFolder(target);
    return { ...copied, bytes: statSync(target).size };
  } catch (error) {
    if (partial !== undefined) removeFile(partial);
    if (!isDamage(error)) throw openFailed(to, error);
    throw new LogDamagedError('The log cannot be copied: SQLite cannot read all of it.', {
      facts: { file },
      next: 'Close the log and open it again: that checks it, and salvages what can be read.',
      cause: error,
    });
  }
}

async function copyRows(file: string, to: string): Promise<Omit<CopyReport, 'bytes'>> {
  makePrivate(to);
  const empty = connect(to);
  createSchema(empty);
  empty.close();
  const connection = connect(file);
  try {
    connection.exec(`ATTACH '${to.replaceAll("'", "''")}' AS copy`);
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
    // A transaction that stayed open would keep the write-ahead log from being emptied.
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
