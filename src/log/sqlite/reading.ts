import { LogDamagedError, LogError } from '../log-error.ts';
import { isDamage, sqliteCode, sqliteReason } from './connection.ts';

/** Translates SQLite's errors for a reader. */
export function reading<T>(file: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof LogError || sqliteCode(error) === undefined) throw error;
    if (isDamage(error)) {
      throw new LogDamagedError('The log is damaged: SQLite cannot read it.', {
        facts: { file, reason: sqliteReason(error) },
        next: 'Close the log and open it again: this checks it and salvages what can be read.',
        cause: error,
      });
    }
    throw new LogError('LOG_READ_FAILED', 'The log could not be read.', {
      facts: { file, reason: sqliteReason(error) },
      next: 'Check the disk that holds it. Nothing was changed.',
      retry: 'later',
      cause: error,
    });
  }
}
