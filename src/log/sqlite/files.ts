import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { connect } from './connection.ts';
import { createSchema } from './schema.ts';

/** The file behind links, so that two names of one log share one lock. A file that does not exist yet keeps its name. */
export function realFile(path: string): string {
  const file = resolve(path);
  return existsSync(file) ? realpathSync(file) : join(realpathSync(dirname(file)), basename(file));
}

/** Makes an empty log, whole from the moment that its name exists. */
export function createLogFile(file: string): void {
  const made = `${file}.new`;
  removeFile(made);
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
