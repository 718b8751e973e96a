import { type ErrorFacts, type Retry, SwapfoldError } from '../primitives/error.ts';

/** Codes for what an event log refuses or cannot do, the same for every adapter. */
export type LogCode =
  | 'LOG_CONFLICT'
  | 'LOG_LOCKED'
  | 'LOG_DAMAGED'
  | 'LOG_CLOSED'
  | 'LOG_READ_ONLY'
  | 'LOG_WRITE_FAILED'
  | 'LOG_READ_FAILED'
  | 'LOG_VERSION'
  | 'LOG_FOREIGN'
  | 'LOG_WAL_FOREIGN'
  | 'LOG_CUT'
  | 'LOG_OPEN_FAILED'
  | 'LOG_RECORD_INVALID'
  | 'LOG_CURSOR_AHEAD';

export type LogErrorOptions = {
  readonly facts?: ErrorFacts;
  readonly next: string;
  readonly retry?: Retry;
  readonly cause?: unknown;
};

/**
 * A refusal or failure of an event log, distinguished by `code`.
 *
 * @example
 * ```ts
 * import { createMemoryLog, LogError } from 'swapfold/log/memory';
 *
 * const log = createMemoryLog();
 * log.close();
 * try {
 *   log.find({ coin: 'DOC' });
 * } catch (error) {
 *   error instanceof LogError && error.code; // → 'LOG_CLOSED'
 * }
 * ```
 */
export class LogError extends SwapfoldError {
  declare readonly code: LogCode;

  constructor(code: LogCode, message: string, { facts = {}, next, retry = 'never', cause }: LogErrorOptions) {
    super(message, { code, facts, next, retry, ...(cause === undefined ? {} : { cause }) });
  }
}

/**
 * The stream holds a different number of records than the writer expected. Nothing was written.
 *
 * @example
 * ```ts
 * import { millisOf } from 'swapfold';
 * import { createMemoryLog, LogConflictError } from 'swapfold/log/memory';
 *
 * const log = createMemoryLog();
 * const stream = 'taker-swap/3447b727-fe93-4357-8e5a-8cf2699b7e86';
 * const records = [{ at: millisOf(1734560398123), type: 'Finished', version: 1, data: null }];
 * try {
 *   log.append({ stream, expected: 2, records });
 * } catch (error) {
 *   error instanceof LogConflictError && error.actual; // → 0
 * }
 * ```
 */
export class LogConflictError extends LogError {
  readonly stream: string;
  /** The number of records that the writer named. */
  readonly expected: number;
  /** The number of records that the stream holds. */
  readonly actual: number;

  constructor({
    stream,
    expected,
    actual,
  }: {
    readonly stream: string;
    readonly expected: number;
    readonly actual: number;
  }) {
    super('LOG_CONFLICT', 'The stream holds a different number of records than the writer expected.', {
      facts: { stream, expected, actual },
      next: 'Read the stream again and decide again: another writer appended to it, or this append had already arrived.',
      retry: 'later',
    });
    this.stream = stream;
    this.expected = expected;
    this.actual = actual;
  }
}

/**
 * A stream, or the log as a whole, whose records do not verify.
 *
 * @example
 * ```ts
 * import { mkdtemp, rm, writeFile } from 'node:fs/promises';
 * import { tmpdir } from 'node:os';
 * import { LogDamagedError, openSqliteLog } from 'swapfold/log/sqlite';
 *
 * const folder = await mkdtemp(`${tmpdir()}/log-`);
 * await writeFile(`${folder}/swaps.db`, 'SQLite format 3\0'.padEnd(4096, 'x'));
 * const opened = openSqliteLog({ path: `${folder}/swaps.db`, onDamage: 'refuse' });
 * const error = await opened.catch((thrown: unknown) => thrown);
 * error instanceof LogDamagedError && error.retry; // → 'operator'
 * await rm(folder, { recursive: true });
 * ```
 */
export class LogDamagedError extends LogError {
  /** Absent if the log as a whole cannot be used. */
  readonly stream: string | undefined;

  constructor(
    message: string,
    options: {
      readonly stream?: string;
      readonly facts?: ErrorFacts;
      readonly next: string;
      readonly cause?: unknown;
    },
  ) {
    const { stream, facts, next, cause } = options;
    super('LOG_DAMAGED', message, { facts: { stream, ...facts }, next, retry: 'operator', cause });
    this.stream = stream;
  }
}

/** The log was opened for reading. */
export function readOnly(file: string): LogError {
  return new LogError('LOG_READ_ONLY', 'The log was opened for reading.', {
    facts: { file },
    next: 'Open it without readOnly, in the only process that writes.',
  });
}

/** The refusal to read from or write to a quarantined stream. */
export function streamDamaged({
  stream,
  seq,
  why,
}: {
  readonly stream: string;
  readonly seq: number;
  readonly why: string;
}): LogDamagedError {
  return new LogDamagedError('The stream is damaged and quarantined; other streams are not affected.', {
    stream,
    facts: { seq, why },
    next: 'Restore the log from a backup, or settle by hand what the stream stands for: its records cannot be trusted.',
  });
}

/** Says that records may be missing at the end of a readable log: nothing that it wants done can be relied on. */
export function logCut(file: string, tail: 'incomplete' | 'lost'): LogError {
  const message =
    tail === 'lost'
      ? 'Records at the end of the log are missing, or nothing shows that they are not.'
      : 'The last append to the log is incomplete. If a crash caused this, no caller was told of the append; if ' +
        'damage did, the append counts.';
  return new LogError('LOG_CUT', message, {
    facts: { file, tail },
    next: 'Look at both chains first: what the log shows is true but may be out of date.',
    retry: 'operator',
  });
}

export function logClosed(): LogError {
  return new LogError('LOG_CLOSED', 'The log is closed.', { next: 'Open it again; nothing was written.' });
}
