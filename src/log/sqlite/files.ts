import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { LogError } from '../log-error.ts';
import { connect } from './connection.ts';
import { keyOf } from './handles.ts';
import { notesAt } from './notes.ts';
import { createSchema } from './schema.ts';

/** The file behind links. A file that does not exist yet keeps its name. */
export function realFile(path: string): string {
  const file = resolve(path);
  return existsSync(file) ? realpathSync(file) : join(realpathSync(dirname(file)), basename(file));
}

/**
 * The one name of a log, beside which its lock and its write-ahead log lie: if the system knows a file by several names,
 * as by hard links, the one under which it was last opened.
 *
 * @throws LogError LOG_OPEN_FAILED for writing to a file with several names, none of which is noted.
 */
export function ownPath(path: string, { writing }: { readonly writing: boolean }): string {
  const file = realFile(path);
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return file;
  const home = notesAt(file).home;
  if (home === file) return file;
  if (home !== undefined && keyOf(home) === keyOf(file)) return realFile(home);
  if (writing && found.nlink > 1 + keptNames(file)) throw severalNames(file, found.nlink);
  return file;
}

/** Names of a damaged log, under which it is kept while its replacement is not yet done. */
function keptNames(file: string): number {
  const start = `${basename(file)}${KEPT}`;
  const folder = dirname(file);
  return readdirSync(folder).filter((name) => name.startsWith(start) && keyOf(join(folder, name)) === keyOf(file))
    .length;
}

function severalNames(file: string, names: number): LogError {
  return new LogError('LOG_OPEN_FAILED', 'The log has several names, and it is unknown which one is its own.', {
    facts: { file, names },
    next:
      'Keep one of the names and remove the others (hard links): through another name, a second process could ' +
      'write to the log.',
    retry: 'operator',
  });
}

const OWNER_ONLY = 0o600;

/** Creates an empty file for its owner alone, since records may hold secrets. SQLite’s files beside it get the same rights. */
export function makePrivate(file: string): void {
  closeSync(openSync(file, 'a', OWNER_ONLY));
}

/** Creates an empty log, complete from the moment at which its name exists. An existing file with that name stays as it is. */
export function createLogFile(file: string): void {
  const made = freeName(`${file}.new`);
  makePrivate(made);
  const connection = connect(made);
  createSchema(connection, { home: file });
  connection.close();
  useWal(made);
  giveName(made, file);
}

const MODE_AT = 18;
const WAL_MODE = Buffer.from([2, 2]);

/** Notes in a complete file, with nothing beside it, that it has a write-ahead log. SQLite would do so through a journal. */
export function useWal(file: string): void {
  const handle = openSync(file, 'r+');
  try {
    writeSync(handle, WAL_MODE, 0, WAL_MODE.length, MODE_AT);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Gives a complete file its final name, unless that is in use. */
function giveName(made: string, file: string): void {
  try {
    linkSync(made, file);
    rmSync(made);
  } catch {
    // The name is in use, or the file system has no hard links.
    if (existsSync(file)) rmSync(made);
    else renameSync(made, file);
  }
  syncFolder(file);
}

const KEPT = '.damaged-';

/** An unused name for a damaged log that will be replaced. */
export function keptName(file: string, label: string): string {
  return freeName(`${file}${KEPT}${label}`);
}

/**
 * Replaces the damaged log by a salvaged one, and keeps it under another name with its write-ahead log. A crash at
 * any point leaves either the damaged files, or the new log beside the old write-ahead log, which the new log knows about.
 */
export function replaceDamaged(file: string, salvaged: string, kept: string): void {
  for (const suffix of ['', '-wal']) if (existsSync(file + suffix)) keep(file + suffix, kept + suffix);
  if (existsSync(file)) chmodSync(salvaged, statSync(file).mode);
  syncFile(salvaged);
  renameSync(salvaged, file);
  syncFolder(file);
  settleLeftover(file, kept);
}

/** Moves away the write-ahead log of a replaced log, and makes sure that it is kept. */
export function settleLeftover(file: string, kept: string): void {
  const wal = `${file}-wal`;
  if (existsSync(wal) && !existsSync(`${kept}-wal`)) renameSync(wal, `${kept}-wal`);
  for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true });
  syncFolder(file);
}

/** Replaces a log that has no other files beside it by a file with the same records. */
export function replaceWhole(file: string, made: string): void {
  chmodSync(made, statSync(file).mode);
  syncFile(made);
  renameSync(made, file);
  syncFolder(file);
}

/** Removes a database file and what SQLite leaves beside it. */
export function removeFile(file: string): void {
  for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(file + suffix, { force: true });
}

export function syncFile(file: string): void {
  const handle = openSync(file, 'r+');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Makes a rename in the folder of a file durable, if the system supports it. */
export function syncFolder(file: string): void {
  try {
    const handle = openSync(dirname(file), 'r');
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch {
    // Windows opens no folders; its renames are journalled.
  }
}

/** Tells whether files are still the same: removed and replaced ones are not. */
export function watchIdentity(files: readonly string[]): () => string | undefined {
  const identityOf = (file: string): string => {
    const found = statSync(file, { bigint: true, throwIfNoEntry: false });
    return found === undefined ? 'gone' : `${found.dev}:${found.ino}`;
  };
  const before = files.map(identityOf);
  return () => files.find((file, index) => identityOf(file) !== before[index]);
}

function keep(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    // A file system without hard links.
    copyFileSync(from, to);
    syncFile(to);
  }
}

export function freeName(wanted: string): string {
  let name = wanted;
  for (let count = 2; existsSync(name); count++) name = `${wanted}-${count}`;
  return name;
}
