import { existsSync } from 'node:fs';
import { FileError } from '../../file-error.ts';
import { LogDamagedError } from '../../log-error.ts';
import { type Connection, connect, textOf } from '../connection.ts';
import { makePrivate, ownPath, realFile, removeFile, syncFile, useWal } from '../files.ts';
import { lockFile } from '../lock.ts';
import { firstMark, parseMark } from '../mark.ts';
import { createSchema, type Origin } from '../schema.ts';
import { gatherEvidence } from './evidence.ts';
import { openPages } from './pages.ts';
import { type Rebuilt, rebuild } from './rebuild.ts';

export type SalvageReport = Omit<Rebuilt, 'quarantined'> & {
  /** Streams that are not proven to be complete, in the order of their first records. */
  readonly quarantined: readonly { readonly stream: string; readonly seq: number; readonly why: string }[];
};

/**
 * Reads what it can of a damaged log, page by page and without trusting its structure, and writes a new one. It leaves
 * the damaged file and its write-ahead log unchanged. It needs room for two copies of the log besides the new one.
 *
 * {@link openSqliteLog} does the same by itself. This is for copies, and for looking before anything is replaced.
 *
 * @throws LogError LOG_LOCKED while the log is open; FileError FILE_EXISTS; LogDamagedError if nothing can be read.
 *
 * @example
 * ```ts
 * import { mkdtemp, rm } from 'node:fs/promises';
 * import { tmpdir } from 'node:os';
 * import { millisOf } from 'swapfold';
 * import { openSqliteLog, salvageSqliteLog } from 'swapfold/log/sqlite';
 *
 * const folder = await mkdtemp(`${tmpdir()}/log-`);
 * const log = await openSqliteLog({ path: `${folder}/swaps.db` });
 * const record = { at: millisOf(1734560398123), type: 'Finished', version: 1, data: null };
 * await log.append({ stream: 'taker-swap/3447b727', expected: 0, records: [record] });
 * await log.close();
 * const report = await salvageSqliteLog({ path: `${folder}/swaps.db`, to: `${folder}/copy.db` });
 * `${report.records} kept, ${report.lost} lost`; // → '1 kept, 0 lost'
 * await rm(folder, { recursive: true });
 * ```
 */
export async function salvageSqliteLog({
  path,
  to,
}: {
  readonly path: string;
  /** The file to write; it must not exist. */
  readonly to: string;
}): Promise<SalvageReport> {
  if (existsSync(to)) {
    throw new FileError('FILE_EXISTS', 'The file already exists and was not changed.', {
      file: to,
      next: 'Choose another name for the salvaged log.',
    });
  }
  const file = ownPath(path, { writing: true });
  const lock = lockFile(file);
  try {
    const target = realFile(to);
    return await salvageInto(file, target, { home: target });
  } finally {
    lock.release();
  }
}

/**
 * Salvages into a file that gets its name only when it is complete. The caller holds the lock of the log. The file that
 * replaces the damaged log is that log, and has its identity; any other is a new log.
 */
export async function salvageInto(file: string, target: string, origin: Origin): Promise<SalvageReport> {
  const scratch = `${target}-evidence`;
  const pages = openPages(file);
  try {
    removeFile(target);
    removeFile(scratch);
    for (const made of [target, scratch]) makePrivate(made);
    const evidence = await gatherEvidence(pages, scratch);
    // Both as this package writes them: it never takes over another program's file.
    const proof = "SELECT count(*) FROM notes WHERE name IN ('format', 'end') AND value GLOB '[0-9]*'";
    const known = evidence.value(proof) === 2;
    const rows =
      (evidence.value('SELECT count(*) FROM found') as number) +
      (evidence.value('SELECT count(*) FROM names') as number);
    if (!known && rows === 0) throw nothingLeft(file);
    const connection = connect(target);
    connection.exec('PRAGMA journal_mode = OFF');
    connection.exec('PRAGMA synchronous = OFF');
    createSchema(connection, {
      ...origin,
      mark: firstMark(origin.replaces === undefined ? undefined : idIn(evidence)),
    });
    connection.exec('BEGIN');
    evidence.exec('BEGIN');
    const rebuilt = await rebuild(evidence, connection, pages.cut);
    connection.exec('COMMIT');
    evidence.exec('COMMIT');
    connection.close();
    evidence.close();
    useWal(target);
    syncFile(target);
    const quarantined = rebuilt.quarantined.map(({ stream, seq, why }) => ({ stream, seq, why }));
    return { ...rebuilt, quarantined };
  } catch (error) {
    removeFile(target);
    throw error;
  } finally {
    pages.close();
    removeFile(scratch);
  }
}

/** The identity of the damaged log; undefined if it is lost, or the log had none yet. */
function idIn(evidence: Connection): string | undefined {
  const row = evidence.value("SELECT CAST(value AS BLOB) FROM notes WHERE name = 'mark'");
  return parseMark(textOf(row) ?? '')?.log;
}

function nothingLeft(file: string): LogDamagedError {
  return new LogDamagedError('The file holds no readable record of a log.', {
    facts: { file },
    next: 'Restore it from a backup. If it was never a log, or should start empty, remove it or name another file.',
  });
}
