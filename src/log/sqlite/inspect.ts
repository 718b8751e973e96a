import { existsSync, statSync } from 'node:fs';
import { LogError } from '../log-error.ts';
import { type Connection, connect, isDamage } from './connection.ts';
import { openFailed } from './lock.ts';
import type { TailState } from './opening.ts';
import { checkSchema } from './schema.ts';
import { type Findings, verifyRecords } from './verify.ts';
import { inspectWal, noteOpening, type WalReport } from './wal.ts';

export type Inspection = Findings & { readonly tail: TailState };

/**
 * Looks at all of a log without changing it: the write-ahead log, the definitions, every page by SQLite's own check, and
 * every record by its hash.
 *
 * @throws LogError LOG_VERSION for the file of a later release, LOG_OPEN_FAILED for what lies outside of the file.
 */
export async function inspectLog(file: string): Promise<Inspection> {
  const wal = inspectWal(file);
  const tail = tailIn(wal);
  const damaged = (damage: string): Inspection => ({ damage, quarantined: [], tail });
  if (wal.state === 'damaged') return damaged('a transaction in the write-ahead log is damaged');
  if (!existsSync(file)) return damaged('the file is gone, and its write-ahead log is there');
  if (statSync(file).size === 0) return damaged('the file is empty');
  let connection: Connection | undefined;
  noteOpening(file);
  try {
    connection = connect(file, { readOnly: true });
    const damage = checkLayout(connection, file);
    return damage === undefined ? { ...(await verifyRecords(connection)), tail } : damaged(damage);
  } catch (error) {
    if (error instanceof LogError) throw error;
    if (isDamage(error)) return damaged('SQLite cannot read the file');
    throw openFailed(file, error);
  } finally {
    connection?.close();
  }
}

/**
 * Looks at all of a log as it is now, for a reader: the connection keeps that moment until it is closed, whatever the writer
 * does meanwhile.
 *
 * @throws LogError LOG_VERSION, LOG_OPEN_FAILED
 */
export async function inspectSnapshot(connection: Connection, file: string): Promise<Findings> {
  noteOpening(file);
  try {
    connection.exec('BEGIN');
    const damage = checkLayout(connection, file);
    return damage === undefined ? await verifyRecords(connection) : { damage, quarantined: [] };
  } catch (error) {
    if (error instanceof LogError) throw error;
    if (isDamage(error)) return { damage: 'SQLite cannot read the file', quarantined: [] };
    throw openFailed(file, error);
  }
}

/** How a log ends that nobody has open. */
export function tailOf(file: string): TailState {
  return tailIn(inspectWal(file));
}

function tailIn({ cut, state }: WalReport): TailState {
  if (cut) return 'lost';
  return state === 'torn' ? 'incomplete' : 'whole';
}

function checkLayout(connection: Connection, file: string): string | undefined {
  const schema = checkSchema(connection);
  if (typeof schema === 'object') throw newerVersion(file, schema.newer);
  if (schema !== undefined) return schema;
  return connection.value('PRAGMA integrity_check(1)') === 'ok' ? undefined : "the file fails SQLite's integrity check";
}

function newerVersion(file: string, version: number): LogError {
  return new LogError('LOG_VERSION', 'The log was written by a later release.', {
    facts: { file, version },
    next: 'Use that release or a later one. The file was not touched.',
    retry: 'operator',
  });
}
