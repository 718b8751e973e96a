import { existsSync } from 'node:fs';
import { LogError } from '../log-error.ts';
import { connect, isBusy, sqliteCode, sqliteReason } from './connection.ts';
import { makePrivate } from './files.ts';

export type FileLock = { readonly release: () => void };

/** How long a check of a lock may delay a writer that takes it. */
const WAIT_FOR_LOOKS_MS = 200;

/**
 * Takes the lock of a log, which one process holds at a time: an exclusive lock of the operating system on the empty
 * file `<log>-lock` beside it. It ends with its process, however that dies, so no lock is ever left over. The file
 * stays.
 *
 * The lock is not on the log itself: under POSIX a process loses its locks on a file whenever it closes any handle
 * to that file, such as that of a copy.
 *
 * @param file the log under its own name, to which all its other names lead.
 * @throws LogError LOG_LOCKED while somebody else holds it, LOG_OPEN_FAILED when the file cannot be created.
 */
export function lockFile(file: string): FileLock {
  try {
    const name = `${file}-lock`;
    makePrivate(name);
    const connection = connect(name, { timeoutMs: WAIT_FOR_LOOKS_MS });
    // Without a journal, nothing is ever written to the file or next to it.
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

/** Whether a process has the log open for writing, as far as this user can see. Creates and changes nothing. */
export function isLocked(file: string): boolean {
  const name = `${file}-lock`;
  if (!existsSync(name)) return false;
  try {
    const connection = connect(name, { readOnly: true });
    try {
      // Takes the shared lock for a moment, through `exec`, which leaves no statement that would keep the file open.
      connection.exec('SELECT 1 FROM sqlite_schema');
    } finally {
      connection.close();
    }
    return false;
  } catch (error) {
    return isBusy(error);
  }
}

export function locked(file: string): LogError {
  return new LogError('LOG_LOCKED', 'The log is open elsewhere: one writer at a time.', {
    facts: { file },
    next: 'Stop the other process, or close the log in this one. A dead process holds no lock.',
    retry: 'operator',
  });
}

/** An error of SQLite or the system, as a cause outside the file; any other error is a bug and is returned. */
export function openFailed(file: string, cause: unknown): unknown {
  const reason = outsideReason(cause);
  if (reason === undefined) return cause;
  return new LogError('LOG_OPEN_FAILED', 'The log cannot be opened.', {
    facts: { file, reason },
    next: 'Check that the folder exists, that this user may write to it, and that the disk has free space.',
    retry: 'operator',
    cause,
  });
}

/** The same for a read-only log. */
export function readFailed(file: string, cause: unknown): unknown {
  const failed = openFailed(file, cause);
  if (!(failed instanceof LogError)) return failed;
  return new LogError('LOG_OPEN_FAILED', 'The log cannot be opened.', {
    facts: failed.facts,
    next:
      'Check that this user may read it, and that the folder for temporary files has room for a copy (set TMPDIR ' +
      'to use another).',
    retry: 'operator',
    cause,
  });
}

function outsideReason(cause: unknown): string | undefined {
  const { code, syscall } = cause as { readonly code?: unknown; readonly syscall?: unknown };
  if (typeof syscall === 'string') return String(code);
  return sqliteCode(cause) === undefined ? undefined : sqliteReason(cause);
}
