import { LogError } from '../log-error.ts';
import { connect, isBusy, sqliteReason } from './connection.ts';

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
    const connection = connect(`${file}-lock`);
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

function locked(file: string): LogError {
  return new LogError('LOG_LOCKED', 'The log is open elsewhere: one writer at a time.', {
    facts: { file },
    next: 'Stop the other process, or close the log that this one has open. A process that died holds no lock.',
    retry: 'operator',
  });
}

/** The file cannot be opened for a reason that lies outside of it. */
export function openFailed(file: string, cause: unknown): LogError {
  const { code } = cause as { readonly code?: unknown };
  const reason = typeof code === 'string' && code.startsWith('E') ? code : sqliteReason(cause);
  return new LogError('LOG_OPEN_FAILED', 'The log cannot be opened.', {
    facts: { file, reason },
    next: 'Check that the folder exists, that this user may write to it, and that the disk has space.',
    retry: 'operator',
    cause,
  });
}
