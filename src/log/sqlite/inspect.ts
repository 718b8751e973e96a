import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { LogError } from '../log-error.ts';
import { belongingOf, journalForeign, notedState, walForeign } from './belonging.ts';
import { type Connection, connect, isDamage } from './connection.ts';
import { readBytes, sizeOf } from './handles.ts';
import { openFailed, readFailed } from './lock.ts';
import type { Mark } from './mark.ts';
import { headerOf } from './notes.ts';
import type { TailState } from './opening.ts';
import { checkSchema, foreignTables, isUnmarked, markOf } from './schema.ts';
import { mergeWal, type Snapshot, takeSnapshot } from './snapshot.ts';
import { type Findings, verifyRecords } from './verify.ts';
import { inspectWal, NO_WAL, type WalReport } from './wal.ts';

export type Inspection = Findings & {
  readonly tail: TailState;
  /** The log has the layout of an earlier release, without a mark. */
  readonly unmarked: boolean;
  /** The mark of its last transaction. */
  readonly mark: Mark | undefined;
  /** Its write-ahead log is that of a damaged log that it replaced. */
  readonly leftover: boolean;
};

/** An inspected log, which stays as it was then until it is closed. */
export type LookedAt = Inspection & {
  /** Absent if the log is damaged. */
  readonly connection: Connection | undefined;
  readonly close: () => void;
};

export type LookOptions = {
  /** Folder for a copy to inspect. @defaultValue that of the log, unless it has no room for all of it */
  readonly folder?: string;
  /** Also copy what could be read in place, as for a log that somebody else may write to. @defaultValue false */
  readonly always?: boolean;
  /** Somebody is writing to it: what is incomplete at its end is still being written. @defaultValue false */
  readonly written?: boolean;
};

/**
 * Inspects all of a log without changing it: the write-ahead log and its owner, the definitions, every page by SQLite's own
 * check, and every record by its hash. Readers and writers get the same report, because it is the same inspection: SQLite
 * gets one file with all that is proven to be durable, and never the log itself if a write-ahead log lies beside it.
 *
 * @throws LogError LOG_FOREIGN, LOG_WAL_FOREIGN, LOG_VERSION; LOG_OPEN_FAILED for reasons outside the file.
 */
export async function lookAt(file: string, options: LookOptions = {}): Promise<LookedAt> {
  try {
    refuseForeign(file);
    if (options.always !== true && (sizeOf(`${file}-wal`) ?? 0) === 0)
      return await look(file, { named: file, options });
    const snapshot = await takeSnapshot(file, options.folder ?? dirname(file));
    try {
      return await look(snapshot.file, { named: file, options, snapshot });
    } catch (error) {
      snapshot.dispose();
      throw error;
    }
  } catch (error) {
    if (error instanceof LogError) throw error;
    throw (options.always === true ? readFailed : openFailed)(file, error);
  }
}

/** As {@link lookAt}, and releases the log again. */
export async function inspectLog(file: string): Promise<Inspection> {
  const { connection, close, ...found } = await lookAt(file);
  close();
  return found;
}

type Look = { readonly named: string; readonly options: LookOptions; readonly snapshot?: Snapshot };

async function look(file: string, { named, options, snapshot }: Look): Promise<LookedAt> {
  const lying = inspectWal(file);
  const belonging = belongingOf(file, lying);
  if (belonging === 'foreign') throw walForeign(named);
  const leftover = belonging === 'leftover';
  const wal = leftover ? NO_WAL : lying;
  const tail = leftover ? 'whole' : tailIn(file, { wal, written: options.written === true });
  const dispose = (): void => snapshot?.dispose();
  const damaged = (damage: string): LookedAt => {
    dispose();
    return {
      damage,
      quarantined: [],
      tail,
      unmarked: false,
      mark: undefined,
      leftover,
      connection: undefined,
      close: () => {},
    };
  };
  const outer = outerDamage(file, wal);
  if (outer !== undefined) return damaged(outer);
  let connection: Connection | undefined;
  try {
    if (snapshot !== undefined) mergeWal(file, wal);
    const header = headerDamage(file, wal);
    if (header !== undefined) return damaged(header);
    connection = connect(file, { immutable: true });
    // What is open stays readable without its name; if it does not, the name goes with the connection.
    if (process.platform !== 'win32') dispose();
    const damage = checkLayout(connection, named);
    const found = damage === undefined ? await verifyRecords(connection) : { damage, quarantined: [] };
    if (found.damage !== undefined) {
      connection.close();
      return damaged(found.damage);
    }
    const opened = connection;
    const close = (): void => {
      opened.close();
      dispose();
    };
    return { ...found, tail, unmarked: isUnmarked(opened), mark: markOf(opened), leftover, connection: opened, close };
  } catch (error) {
    connection?.close();
    if (isDamage(error)) return damaged('SQLite cannot read the file');
    throw error;
  }
}

/** What can be seen without SQLite. */
function outerDamage(file: string, wal: WalReport): string | undefined {
  if (wal.state === 'damaged') return 'a transaction in the write-ahead log is damaged';
  if (!existsSync(file)) return 'the file is gone, and its write-ahead log is there';
  return sizeOf(file) === 0 ? 'the file is empty' : undefined;
}

/** What SQLite would not report: it ignores a write-ahead log, or refuses to write, because of two bytes of the header. */
function headerDamage(file: string, { frames }: WalReport): string | undefined {
  const header = headerOf(file);
  if (header?.sqlite !== true) return 'SQLite cannot read the file';
  const plain = header.mode === 'plain' && frames.length === 0;
  return plain || header.mode === 'wal' ? undefined : 'the header does not name this format';
}

/** Refuses anything that is not a log or a part of one, before anything is created beside it. @throws LogError LOG_FOREIGN for a foreign file, LOG_WAL_FOREIGN for a foreign journal. */
export function refuseForeign(file: string): void {
  const header = headerOf(file);
  if (header?.sqlite === true && !header.own) {
    const tables = tablesOf(file);
    // Earlier releases began with an empty file, whose first transaction came later.
    if (tables !== undefined && (tables.length > 0 || (sizeOf(`${file}-wal`) ?? 0) === 0))
      throw foreignFile(file, tables);
  }
  const [first = 0] = readBytes(`${file}-journal`, { length: 1 }) ?? [];
  // For SQLite, a journal that begins with a zero is finished.
  if (header !== undefined && first !== 0) throw journalForeign(file);
}

function tablesOf(file: string): readonly string[] | undefined {
  const connection = connect(file, { immutable: true });
  try {
    return foreignTables(connection);
  } catch (error) {
    if (isDamage(error)) return undefined;
    throw error;
  } finally {
    connection.close();
  }
}

const TABLES_SHOWN = 5;

function foreignFile(file: string, tables: readonly string[]): LogError {
  const shown = tables.slice(0, TABLES_SHOWN).map((name) => name.slice(0, 40));
  const more = tables.length > shown.length ? ` and ${tables.length - shown.length} more` : '';
  const list = tables.length === 0 ? 'none' : `${shown.join(', ')}${more}`;
  // Where the real node keeps its orders and a list of its swaps, without their events.
  const ofNode = tables.includes('my_swaps') || tables.includes('stats_swaps');
  return new LogError(
    'LOG_FOREIGN',
    `This is a SQLite file of another program, not an event log; its tables: ${list}.`,
    {
      facts: { file, tables: list },
      next: ofNode
        ? 'It is the swap list of a Komodo DeFi Framework node. The events are in the JSON files in SWAPS/MY next ' +
          'to it: import those. The file was not changed.'
        : 'Name an event log, or another file for a new one. The file was not changed.',
      retry: 'operator',
    },
  );
}

type Ending = { readonly wal: WalReport; readonly written: boolean };

function tailIn(file: string, { wal: { cut, state, frames }, written }: Ending): TailState {
  const empty = frames.length === 0 && (sizeOf(`${file}-wal`) ?? 0) === 0;
  const noted = empty ? notedState(file) : undefined;
  // A file that says that it is complete knows more than an index that was left beside it.
  if (noted === 'open' || (cut && noted !== 'closed')) return 'lost';
  return state === 'torn' && !written ? 'incomplete' : 'whole';
}

function checkLayout(connection: Connection, file: string): string | undefined {
  const schema = checkSchema(connection);
  if (typeof schema === 'object') throw newerVersion(file, schema.newer);
  if (schema !== undefined) return schema;
  return connection.value('PRAGMA integrity_check(1)') === 'ok' ? undefined : "the file fails SQLite's integrity check";
}

function newerVersion(file: string, version: number): LogError {
  return new LogError('LOG_VERSION', 'A later release wrote this log.', {
    facts: { file, version },
    next: 'Use that release or a later one. The file was not changed.',
    retry: 'operator',
  });
}
