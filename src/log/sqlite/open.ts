import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { LogDamagedError, LogError } from '../log-error.ts';
import { throwUncaught } from '../subscriptions.ts';
import { walDigest } from './belonging.ts';
import { type Connection, connect, isDamage } from './connection.ts';
import {
  createLogFile,
  freeName,
  keptName,
  ownPath,
  realFile,
  replaceDamaged,
  settleLeftover,
  useWal,
} from './files.ts';
import { giveMark } from './give-mark.ts';
import { noteOpening } from './handles.ts';
import { type Inspection, inspectLog, lookAt, refuseForeign } from './inspect.ts';
import { isLocked, locked, lockFile, openFailed, readFailed } from './lock.ts';
import { type Mark, sameMark } from './mark.ts';
import { beginSession } from './marks.ts';
import { headerOf, notesAt } from './notes.ts';
import type { LogRecovery } from './opening.ts';
import { salvageInto } from './salvage/salvage.ts';
import { markOf } from './schema.ts';
import { createSqliteLog, type SqliteLog } from './sqlite-log.ts';
import { forgetIndex } from './wal-index.ts';

export type OpenSqliteLogOptions = {
  /**
   * The file; it is created if it does not exist, but its folder is not. Two more files exist next to it while it is
   * open.
   */
  readonly path: string;
  /**
   * What to do with a file that is damaged as a whole, not only in single streams: `salvage` replaces it by a new file that
   * holds all that can be read, keeps the damaged one under another name, and reports it; `refuse` throws and changes nothing.
   *
   * @defaultValue 'salvage'
   */
  readonly onDamage?: 'salvage' | 'refuse';
  /**
   * Reads the log as it is now, whether or not a process has it open: it takes no lock, creates or changes nothing next
   * to the log, and does not see later appends. It reads a copy in the folder for temporary files, which needs room for
   * it; the copy has no name while it is read. It refuses a damaged file.
   *
   * @defaultValue false
   */
  readonly readOnly?: boolean;
  /** Receives what a subscriber threw; its subscription is closed. @defaultValue the error is an uncaught one */
  readonly onSubscriberError?: (error: unknown) => void;
  /** The time in milliseconds, for the name of a damaged file. @defaultValue the system's clock */
  readonly now?: () => number;
};

/** How long a write waits for another program that has the file open. */
const WAIT_FOR_OTHERS_MS = 1000;
/** Pages of the write-ahead log after which it is moved into the file: 16 MB. */
const CHECKPOINT_PAGES = 4000;
const CACHE_KIB = 16_384;

const PRAGMAS = [
  'journal_mode = WAL',
  'synchronous = FULL',
  // Where a plain flush may stop in the disk's own memory, as on macOS.
  'fullfsync = ON',
  `wal_autocheckpoint = ${CHECKPOINT_PAGES}`,
  `cache_size = -${CACHE_KIB}`,
  // Zeroes freed space, so that a salvage never takes an old row for a live one.
  'secure_delete = ON',
  'trusted_schema = OFF',
];

/**
 * Opens an event log in one SQLite file, after checking all of it: some six seconds for a million records.
 *
 * @throws LogError LOG_LOCKED while it is open elsewhere, by whatever name; LOG_FOREIGN for the file of another program,
 * LOG_WAL_FOREIGN if the write-ahead log of another log lies beside it, LOG_VERSION for the file of a later release,
 * LOG_OPEN_FAILED for a missing folder, missing rights, a full disk, or a missing file that is opened only for reading;
 * LogDamagedError if the file is damaged and nothing in it can be read, or `onDamage` is `refuse`.
 *
 * @example
 * ```ts
 * import { mkdtemp, rm } from 'node:fs/promises';
 * import { tmpdir } from 'node:os';
 * import { millisOf } from 'swapfold';
 * import { openSqliteLog } from 'swapfold/log/sqlite';
 *
 * const folder = await mkdtemp(`${tmpdir()}/log-`);
 * const log = await openSqliteLog({ path: `${folder}/swaps.db` });
 * const record = { at: millisOf(1734560398123), type: 'Finished', version: 1, data: null };
 * await log.append({ stream: 'taker-swap/3447b727', expected: 0, records: [record] });
 * (await log.read('taker-swap/3447b727')).map(({ type }) => type); // → ['Finished']
 * openSqliteLog({ path: `${folder}/swaps.db` }); // throws LOG_LOCKED
 * await log.close();
 * await rm(folder, { recursive: true });
 * ```
 */
export async function openSqliteLog(options: OpenSqliteLogOptions): Promise<SqliteLog> {
  if (options.readOnly === true) return openForReading(options);
  const { path, onDamage = 'salvage', onSubscriberError = throwUncaught, now = Date.now } = options;
  const file = outside(path, () => {
    refuseForeign(realFile(path));
    return ownPath(path, { writing: true });
  });
  const lock = lockFile(file);
  try {
    // The last holder of the lock may have renamed the file.
    if (outside(file, () => ownPath(path, { writing: true })) !== file) throw locked(path);
    if (!existsSync(file)) refuseUnfinished(file);
    outside(file, () => {
      if (!existsSync(file) && !existsSync(`${file}-wal`)) createLogFile(file);
    });
    const first = await inspectLog(file);
    if (first.damage !== undefined) refuseUnfinished(file);
    const recovery =
      first.damage === undefined ? undefined : await recover(file, { damage: first.damage, onDamage, now });
    const found = recovery === undefined ? first : await inspectAgain(file);
    const { connection, forget } = await outsideLater(file, () => connectForWriting(file, found));
    const release = (): void => {
      forget();
      lock.release();
    };
    return createSqliteLog({
      file,
      connection,
      lock: { release },
      quarantined: found.quarantined,
      onSubscriberError,
      opening: { recovery, tail: first.tail },
    });
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function openForReading({ path, onSubscriberError = throwUncaught }: OpenSqliteLogOptions): Promise<SqliteLog> {
  const file = outside(path, () => ownPath(path, { writing: false }), readFailed);
  if (!existsSync(file) && !existsSync(`${file}-wal`)) {
    throw new LogError('LOG_OPEN_FAILED', 'There is no log of this name.', {
      facts: { file, reason: 'ENOENT' },
      next: 'Check the path. This command does not create a log; a node or swapfold import does.',
      retry: 'operator',
    });
  }
  const { connection, close, ...found } = await lookAt(file, {
    folder: tmpdir(),
    always: true,
    written: isLocked(file),
  });
  if (connection === undefined) {
    throw new LogDamagedError('The log is damaged.', {
      facts: { file, damage: found.damage },
      next:
        'Open it for writing to salvage what can be read (the damaged file is kept), or restore a backup. The file ' +
        'was not changed.',
    });
  }
  return createSqliteLog({
    file,
    connection: { ...connection, close },
    lock: null,
    quarantined: found.quarantined,
    onSubscriberError,
    opening: { recovery: undefined, tail: found.tail },
  });
}

type Opened = { readonly connection: Connection; readonly forget: () => void };

/** Opens the inspected log, and notes that it is open. */
async function connectForWriting(file: string, found: Inspection): Promise<Opened> {
  const { unmarked, leftover } = found;
  if (leftover) settleLeftover(file, notesAt(file).replaced?.kept ?? keptName(file, 'earlier'));
  if (unmarked) await giveMark(file);
  if (headerOf(file)?.mode === 'plain') useWal(file);
  forgetIndex(file);
  const forget = noteOpening(file);
  let connection: Connection | undefined;
  try {
    connection = connect(file, { timeoutMs: WAIT_FOR_OTHERS_MS });
    for (const pragma of PRAGMAS) connection.exec(`PRAGMA ${pragma}`);
    checkMark(file, { found, seen: markOf(connection) });
    beginSession(connection, file);
    return { connection, forget };
  } catch (error) {
    connection?.close();
    forget();
    throw error;
  }
}

/** The mark tells transactions apart: SQLite must see the log as it was inspected. */
function checkMark(
  file: string,
  { found, seen }: { readonly found: Inspection; readonly seen: Mark | undefined },
): void {
  if (seen !== undefined && (found.unmarked || (found.mark !== undefined && sameMark(seen, found.mark)))) return;
  throw new LogDamagedError('SQLite does not read the log in the state in which it was found; nothing was written.', {
    facts: { file, found: found.mark?.serial, read: seen?.serial },
    next: 'Make sure that no other program has the file open, then open it again.',
  });
}

type RecoverOptions = Required<Pick<OpenSqliteLogOptions, 'onDamage' | 'now'>> & { readonly damage: string };

async function recover(file: string, { damage, onDamage, now }: RecoverOptions): Promise<LogRecovery> {
  if (onDamage === 'refuse') {
    throw new LogDamagedError('The log is damaged.', {
      facts: { file, damage },
      next: 'Open it with onDamage "salvage", or restore a backup. The file was not changed.',
    });
  }
  try {
    const salvaged = freeName(`${file}.salvaging`);
    const label = new Date(now()).toISOString().replaceAll(/[-:]|\.\d+/g, '');
    const kept = keptName(file, label);
    const report = await salvageInto(file, salvaged, { home: file, replaces: { wal: walDigest(file), kept } });
    replaceDamaged(file, salvaged, kept);
    return { ...report, damage, kept };
  } catch (error) {
    throw error instanceof LogError ? error : openFailed(file, error);
  }
}

async function inspectAgain(file: string): Promise<Inspection> {
  const found = await inspectLog(file);
  if (found.damage === undefined) return found;
  throw new LogDamagedError('The log is damaged, and so is the salvaged copy.', {
    facts: { file, damage: found.damage },
    next: 'Check the disk, then restore a backup. The damaged file is kept next to it.',
  });
}

/** If an earlier release was stopped in the middle of a replacement, its result waits under this name. */
function refuseUnfinished(file: string): void {
  const salvaged = `${file}.salvaged`;
  if (!existsSync(salvaged)) return;
  throw new LogError(
    'LOG_OPEN_FAILED',
    'The log is missing or damaged, and a salvaged copy waits under another name.',
    {
      facts: { file, salvaged },
      next:
        'Look at the copy with swapfold status. If it is as it should be, move the damaged file elsewhere and give ' +
        'the copy its name.',
      retry: 'operator',
    },
  );
}

/** Runs what fails only for reasons outside the file. */
function outside<T>(file: string, action: () => T, failed = openFailed): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof LogError || isDamage(error)) throw error;
    throw failed(file, error);
  }
}

async function outsideLater<T>(file: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof LogError || isDamage(error)) throw error;
    throw openFailed(file, error);
  }
}
