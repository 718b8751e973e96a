import { existsSync } from 'node:fs';
import { LogError } from '../log-error.ts';
import { connect, isBusy, sqliteCode, sqliteReason } from './connection.ts';
import { makePrivate } from './files.ts';

export type FileLock = { readonly release: () => void };

/**
 * Takes the lock of a log, which one process holds at a time: an exclusive lock of the operating system on the empty file
 * `<log>-lock` beside it. It ends with its process, however that dies, so that none is ever left over. The file stays.
 *
 * The lock is not on the log itself, because under POSIX a process loses its locks on a file whenever it closes any handle
 * to that file, such as that of a copy.
 *
 * @throws LogError LOG_LOCKED while somebody else holds it, LOG_OPEN_FAILED when the file cannot be made.
 */
export function lockFile(file: string): FileLock {
  try {
    const name = `${file}-lock`;
    makePrivate(name);
    const connection = connect(name);
    // Without a journal, nothing is ever written to the file or beside it.
    connection.exec('PRAGMA journal_mode = MEMORY');
    connection.exec('BEGIN EXCLUSIVE');
    return {
      release: () => {
        connection.exec('ROLLBACK');
        connection.close();
      },
    };
  } catch (error) {
    if (isBusy(error)) throw locked(file);
    throw openFailed(file, error);
  }
}

/** Whether a process has the log open for writing. Makes nothing. */
export function isLocked(file: string): boolean {
  if (!existsSync(`${file}-lock`)) return false;
  try {
    lockFile(file).release();
    return false;
  } catch (error) {
    return error instanceof LogError && error.code === 'LOG_LOCKED';
  }
}

function locked(file: string): LogError {
  return new LogError('LOG_LOCKED', 'The log is open elsewhere: one writer at a time.', {
    facts: { file },
    next: 'Stop the other process, or close the log that this one has open. A process that died holds no lock.',
    retry: 'operator',
  });
}

/** What SQLite or the system threw, as a reason that lies outside of the file; any other error is a fault, and given back. */
export function openFailed(file: string, cause: unknown): unknown {
  const reason = outsideReason(cause);
  if (reason === undefined) return cause;
  return new LogError('LOG_OPEN_FAILED', 'The log cannot be opened.', {
    facts: { file, reason },
    next: 'Check that the folder exists, that this user may write to it, and that the disk has space.',
    retry: 'operator',
    cause,
  });
}

function outsideReason(cause: unknown): string | undefined {
  const { code, syscall } = cause as { readonly code?: unknown; readonly syscall?: unknown };
  if (typeof syscall === 'string') return String(code);
  return sqliteCode(cause) === undefined ? undefined : sqliteReason(cause);
}
