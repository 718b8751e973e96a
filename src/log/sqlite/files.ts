import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { connect } from './connection.ts';
import { createSchema } from './schema.ts';

/** The file behind links, so that two names of one log share one lock. A file that does not exist yet keeps its name. */
export function realFile(path: string): string {
  const file = resolve(path);
  return existsSync(file) ? realpathSync(file) : join(realpathSync(dirname(file)), basename(file));
}

const OWNER_ONLY = 0o600;

/** Makes an empty file for its owner alone, since records may hold secrets. What SQLite puts beside it gets the same rights. */
export function makePrivate(file: string): void {
  closeSync(openSync(file, 'a', OWNER_ONLY));
}

/** Makes an empty log, whole from the moment that its name exists. */
export function createLogFile(file: string): void {
  const made = `${file}.new`;
  removeFile(made);
  makePrivate(made);
  const connection = connect(made);
  createSchema(connection);
  connection.close();
  syncFile(made);
  renameSync(made, file);
  syncFolder(file);
}

/** Name under which a salvaged log waits, whole and durable, to take the place of the damaged one. */
const salvagedName = (file: string): string => `${file}.salvaged`;

/**
 * Puts a salvaged log in the place of the damaged one, which is kept under another name with its write-ahead log. A crash
 * at any point leaves either the damaged files or a replacement that {@link finishReplacement} completes.
 *
 * @returns the name of the kept original.
 */
export function replaceDamaged(file: string, salvaged: string, label: string): string {
  const kept = freeName(`${file}.damaged-${label}`);
  for (const suffix of ['', '-wal']) if (existsSync(file + suffix)) keep(file + suffix, kept + suffix);
  if (existsSync(file)) chmodSync(salvaged, statSync(file).mode);
  syncFile(salvaged);
  renameSync(salvaged, salvagedName(file));
  syncFolder(file);
  finishReplacement(file);
  return kept;
}

/** Completes a replacement that a crash interrupted. */
export function finishReplacement(file: string): void {
  const salvaged = salvagedName(file);
  if (!existsSync(salvaged)) return;
  // Before the rename: a write-ahead log must never stand beside a file that it does not belong to.
  for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true });
  renameSync(salvaged, file);
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

/** Makes a rename in the folder of a file durable, where the system can. */
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

function freeName(wanted: string): string {
  let name = wanted;
  for (let count = 2; existsSync(name); count++) name = `${wanted}-${count}`;
  return name;
}
