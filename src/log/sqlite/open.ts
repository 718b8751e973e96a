import { existsSync } from 'node:fs';
import { LogDamagedError, LogError } from '../log-error.ts';
import { throwUncaught } from '../subscriptions.ts';
import { type Connection, connect, isDamage } from './connection.ts';
import { createLogFile, finishReplacement, realFile, replaceDamaged } from './files.ts';
import { type Inspection, inspectLog, inspectSnapshot, tailOf } from './inspect.ts';
import { isLocked, lockFile, openFailed } from './lock.ts';
import type { Recovery } from './opening.ts';
import { salvageInto } from './salvage/salvage.ts';
import { createSqliteLog, type SqliteLog } from './sqlite-log.ts';

export type OpenSqliteLogOptions = {
  /** The file; it is made when it does not exist, its folder is not. Two more files stand beside it while it is open. */
  readonly path: string;
  /**
   * What to do with a file that is damaged as such, not only in single streams: `salvage` puts a new file in its place that
   * holds all that can be read, keeps the damaged one under another name, and reports it; `refuse` throws and changes nothing.
   *
   * @defaultValue 'salvage'
   */
  readonly onDamage?: 'salvage' | 'refuse';
  /**
   * Reads the log as it is at this moment, beside a process that has it open or without one: no lock is taken, nothing is made
   * or changed, later appends are not seen. Damage of the file as such is refused.
   *
   * @defaultValue false
   */
  readonly readOnly?: boolean;
  /** Told what a subscriber threw; its subscription is closed. @defaultValue the error is an uncaught one */
  readonly onSubscriberError?: (error: unknown) => void;
  /** The time in milliseconds, for the name of a damaged file that is kept. @defaultValue the system's clock */
  readonly now?: () => number;
};

/** How long a write waits for another program that has the file open. */
const WAIT_FOR_OTHERS_MS = 1000;
/** Pages of the write-ahead log after which it is brought into the file: 16 MB. */
const CHECKPOINT_PAGES = 4000;
const CACHE_KIB = 16_384;

const PRAGMAS = [
  'journal_mode = WAL',
  'synchronous = FULL',
  // Where a plain flush may stop in the disk's own memory, as on macOS.
  'fullfsync = ON',
  `wal_autocheckpoint = ${CHECKPOINT_PAGES}`,
  `cache_size = -${CACHE_KIB}`,
  // Freed space is zeroed, so that a salvage never takes an old row for a live one.
  'secure_delete = ON',
  'trusted_schema = OFF',
];

/**
 * Opens an event log in one SQLite file, after checking all of it: some six seconds for a million records.
 *
 * @throws LogError LOG_LOCKED while it is open elsewhere, LOG_VERSION for the file of a later release, LOG_OPEN_FAILED for a
 * missing folder, missing rights or a full disk, or a missing file that is only to be read; LogDamagedError when the file is damaged and nothing in it can be read, or
 * `onDamage` is `refuse`.
 */
export async function openSqliteLog(options: OpenSqliteLogOptions): Promise<SqliteLog> {
  if (options.readOnly === true) return openForReading(options);
  const { path, onDamage = 'salvage', onSubscriberError = throwUncaught, now = Date.now } = options;
  const file = outside(path, () => realFile(path));
  const lock = lockFile(file);
  try {
    outside(file, () => {
      finishReplacement(file);
      if (!existsSync(file) && !existsSync(`${file}-wal`)) createLogFile(file);
    });
    const first = await inspectLog(file);
    const recovery =
      first.damage === undefined ? undefined : await recover(file, { damage: first.damage, onDamage, now });
    const { quarantined } = recovery === undefined ? first : await inspectAgain(file);
    const connection = outside(file, () => connectForWriting(file));
    return createSqliteLog({
      file,
      connection,
      lock,
      quarantined,
      onSubscriberError,
      opening: { recovery, tail: first.tail },
    });
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function openForReading({ path, onSubscriberError = throwUncaught }: OpenSqliteLogOptions): Promise<SqliteLog> {
  const file = outside(path, () => realFile(path));
  if (!existsSync(file)) {
    throw new LogError('LOG_OPEN_FAILED', 'There is no log of this name.', {
      facts: { file, reason: 'ENOENT' },
      next: 'Check the path. Reading makes no log: a node does, or swapfold import.',
      retry: 'operator',
    });
  }
  const isWritten = isLocked(file);
  // Before SQLite opens the file, which makes an index anew that tells what is missing.
  const tail = isWritten ? 'whole' : tailOf(file);
  const connection = outside(file, () => connect(file, { readOnly: true, timeoutMs: WAIT_FOR_OTHERS_MS }));
  try {
    const { damage, quarantined } = await inspectSnapshot(connection, file);
    if (damage !== undefined) {
      throw new LogDamagedError('The log is damaged.', {
        facts: { file, damage },
        next: 'Open it for writing, which salvages what can be read, or restore a backup. The file was not touched.',
      });
    }
    const opening = { recovery: undefined, tail } as const;
    return createSqliteLog({ file, connection, lock: null, quarantined, onSubscriberError, opening });
  } catch (error) {
    connection.close();
    throw error;
  }
}

function connectForWriting(file: string): Connection {
  const connection = connect(file, { timeoutMs: WAIT_FOR_OTHERS_MS });
  for (const pragma of PRAGMAS) connection.exec(`PRAGMA ${pragma}`);
  return connection;
}

type RecoverOptions = Required<Pick<OpenSqliteLogOptions, 'onDamage' | 'now'>> & { readonly damage: string };

async function recover(file: string, { damage, onDamage, now }: RecoverOptions): Promise<Recovery> {
  if (onDamage === 'refuse') {
    throw new LogDamagedError('The log is damaged.', {
      facts: { file, damage },
      next: 'Open it with onDamage "salvage", or restore a backup. The file was not touched.',
    });
  }
  const salvaged = `${file}.salvaging`;
  try {
    const report = await salvageInto(file, salvaged);
    const label = new Date(now()).toISOString().replaceAll(/[-:]|\.\d+/g, '');
    return { ...report, damage, kept: replaceDamaged(file, salvaged, label) };
  } catch (error) {
    throw error instanceof LogError ? error : openFailed(file, error);
  }
}

async function inspectAgain(file: string): Promise<Inspection> {
  const found = await inspectLog(file);
  if (found.damage === undefined) return found;
  throw new LogDamagedError('The log is damaged, and so is what was salvaged of it.', {
    facts: { file, damage: found.damage },
    next: 'Check the disk, then restore a backup. The damaged file is kept beside it.',
  });
}

/** Runs what fails only for reasons that lie outside of the file. */
function outside<T>(file: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof LogError || isDamage(error)) throw error;
    throw openFailed(file, error);
  }
}
