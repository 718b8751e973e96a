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
 * The one name of a log, beside which its lock and its write-ahead log lie: where the system knows a file by several names,
 * as by hard links, the one under which it was opened last.
 *
 * @throws LogError LOG_OPEN_FAILED for a file with several names of which none is noted, to write to it.
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

/** Makes an empty file for its owner alone, since records may hold secrets. What SQLite puts beside it gets the same rights. */
export function makePrivate(file: string): void {
  closeSync(openSync(file, 'a', OWNER_ONLY));
}

/** Makes an empty log, whole from the moment that its name exists. A file that has the name by then is left as it is. */
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

/** Notes in a whole file, with nothing beside it, that it has a write-ahead log. SQLite would do so by a journal. */
export function useWal(file: string): void {
  const handle = openSync(file, 'r+');
  try {
    writeSync(handle, WAL_MODE, 0, WAL_MODE.length, MODE_AT);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Gives a whole file its name for good, unless that is taken. */
function giveName(made: string, file: string): void {
  try {
    linkSync(made, file);
    rmSync(made);
  } catch {
    // The name is taken, or the file system has no hard links.
    if (existsSync(file)) rmSync(made);
    else renameSync(made, file);
  }
  syncFolder(file);
}

const KEPT = '.damaged-';

/** A name that no file has, for a damaged log that is to be replaced. */
export function keptName(file: string, label: string): string {
  return freeName(`${file}${KEPT}${label}`);
}

/**
 * Puts a salvaged log in the place of the damaged one, which is kept under another name with its write-ahead log. A crash at
 * any point leaves either the damaged files, or the new log beside the old write-ahead log, by which it says that it knows it.
 */
export function replaceDamaged(file: string, salvaged: string, kept: string): void {
  for (const suffix of ['', '-wal']) if (existsSync(file + suffix)) keep(file + suffix, kept + suffix);
  if (existsSync(file)) chmodSync(salvaged, statSync(file).mode);
  syncFile(salvaged);
  renameSync(salvaged, file);
  syncFolder(file);
  settleLeftover(file, kept);
}

/** Takes away the write-ahead log of a log that was replaced, and makes sure that it is kept. */
export function settleLeftover(file: string, kept: string): void {
  const wal = `${file}-wal`;
  if (existsSync(wal) && !existsSync(`${kept}-wal`)) renameSync(wal, `${kept}-wal`);
  for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true });
  syncFolder(file);
}

/** Puts a file with the same records in the place of a log beside which nothing lies. */
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

/** Tells whether files are still those that they were: removed and replaced ones are not. */
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
