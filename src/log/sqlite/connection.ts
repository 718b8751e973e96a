import { pathToFileURL } from 'node:url';
import Database from 'libsql';

/** Never a boolean: the binding ends the process on one. */
export type Parameter = string | number | Uint8Array | null;

export type Statement = {
  readonly run: (parameters?: readonly Parameter[]) => void;
  /** The same, and returns the count of changed rows. */
  readonly change: (parameters: readonly Parameter[]) => number;
  /** The columns of the first row. */
  readonly get: (parameters?: readonly Parameter[]) => readonly unknown[] | undefined;
  readonly all: (parameters?: readonly Parameter[]) => readonly (readonly unknown[])[];
};

/**
 * A connection to one file.
 *
 * - Text is read as bytes (`CAST(… AS BLOB)`) everywhere: the binding ends the process on text that is not UTF-8, and
 *   damage makes such text.
 * - No statement is left half read: it would hold its snapshot and keep the write-ahead log from being emptied.
 *   So rows are read in pages, never with an iterator.
 * - The binding releases the file when its statements are collected as garbage, not on `close`. Whatever must be free
 *   at once, such as a lock, uses a connection without statements.
 */
export type Connection = {
  readonly exec: (sql: string) => void;
  readonly prepare: (sql: string) => Statement;
  /** Value of the first column of the first row. */
  readonly value: (sql: string) => unknown;
  readonly inTransaction: () => boolean;
  readonly close: () => void;
};

export type ConnectOptions = {
  /**
   * Reads only this file, without locks, and creates nothing beside it: nobody may change it meanwhile, and a write-ahead
   * log is ignored. @defaultValue false
   */
  readonly immutable?: boolean;
  /** Changes nothing in the file, and takes a reader’s locks. @defaultValue false */
  readonly readOnly?: boolean;
  /** How long to wait for another program’s lock. @defaultValue 0 */
  readonly timeoutMs?: number;
};

/** Opens or makes a file. */
export function connect(file: string, options: ConnectOptions = {}): Connection {
  const { immutable = false, readOnly = false, timeoutMs = 0 } = options;
  const query = immutable ? '?mode=ro&immutable=1' : '?mode=ro';
  const name = immutable || readOnly ? `${pathToFileURL(file).href}${query}` : file;
  const database = new Database(name, { timeout: timeoutMs });
  const prepare = (sql: string): Statement => {
    const statement = database.prepare(sql);
    if (statement.reader) statement.raw(true);
    return {
      run: (parameters = []) => {
        statement.run(parameters);
      },
      change: (parameters) => statement.run(parameters).changes,
      get: (parameters = []) => statement.get(parameters) as readonly unknown[] | undefined,
      all: (parameters = []) => statement.all(parameters) as readonly (readonly unknown[])[],
    };
  };
  return {
    exec: (sql) => {
      database.exec(sql);
    },
    prepare,
    value: (sql) => prepare(sql).get()?.[0],
    inTransaction: () => database.inTransaction,
    close: () => {
      database.close();
    },
  };
}

const PERMISSION = 3;
const BUSY = 5;
const LOCKED = 6;
const NO_MEMORY = 7;
const READ_ONLY = 8;
const INTERRUPTED = 9;
const IO_ERROR = 10;
const FULL = 13;
const CANNOT_OPEN = 14;
const IO_ERROR_SHORT_READ = 522;
const IO_ERROR_WRITE = 778;
const SURROUNDINGS = new Set([
  PERMISSION,
  BUSY,
  LOCKED,
  NO_MEMORY,
  READ_ONLY,
  INTERRUPTED,
  IO_ERROR,
  FULL,
  CANNOT_OPEN,
]);

/** SQLite's result code, extended if available; undefined for any other error. */
export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const { rawCode } = error as { readonly rawCode?: unknown };
  if (typeof rawCode === 'number') return rawCode;
  const opening = /^ConnectionFailed\(.*: (\d+)"\)$/s.exec(error.message);
  return opening === null ? undefined : Number(opening[1]);
}

/** Whether SQLite failed because of the contents of the file, not because of the disk, the memory, rights or a lock. */
export function isDamage(error: unknown): boolean {
  const code = sqliteCode(error);
  return code !== undefined && (code === IO_ERROR_SHORT_READ || !SURROUNDINGS.has(code & 0xff));
}

export function isBusy(error: unknown): boolean {
  const code = (sqliteCode(error) ?? 0) & 0xff;
  return code === BUSY || code === LOCKED;
}

/** Whether a write failed before anything depended on it: the disk or a quota is full, or the file may not grow. */
export function isFull(error: unknown): boolean {
  const code = sqliteCode(error) ?? 0;
  return (code & 0xff) === FULL || code === IO_ERROR_WRITE;
}

/** Why SQLite failed, as a fact of an error: its code without its text, which may quote the file. */
export function sqliteReason(error: unknown): string {
  const { code } = error as { readonly code?: unknown };
  if (typeof code === 'string' && code !== '') return code;
  const number = sqliteCode(error);
  return number === undefined ? 'an error that SQLite does not name' : `SQLite result ${number}`;
}

/** Text of a column that was read as bytes. */
export function textOf(value: unknown): string | undefined {
  return Buffer.isBuffer(value) ? value.toString('utf8') : undefined;
}
