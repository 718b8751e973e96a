import { closeSync, constants, ftruncateSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { chmod, copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as pause } from 'node:timers/promises';
import { LogError } from '../log-error.ts';
import { isOpenHere, keyOf, piecesOf, readBytes, sizeOf, withHandle } from './handles.ts';
import { PAGE_BYTES } from './schema.ts';
import { INDEX_HEADER_BYTES, inspectWal, type WalReport } from './wal.ts';

/** A copy of a log's files at one moment, for this process alone. */
export type Snapshot = {
  /** The file; the files beside the log lie beside it. */
  readonly file: string;
  /** Removes all of it; under POSIX open files can still be read. */
  readonly dispose: () => void;
};

const MOST_TRIES = 10;
const OWNER_ONLY = 0o600;
/** Copied pieces after which other work of the process gets its turn. */
const PIECES_AT_ONCE = 16;
const COMPARED_BYTES = 1 << 20;
/** Header of a write-ahead log, which changes every time that the log starts over. */
const GENERATION_BYTES = 32;

/**
 * Copies the files of a log without SQLite, which would create and change files beside it. A process may write to the log
 * meanwhile: what it moves from the write-ahead log into the file stays in the write-ahead log until that starts over,
 * and then the copy is made again. So the order is the index, the file, the write-ahead log. That is read from its beginning
 * while transactions are added to it, so that the copy may hold a later one and miss a part of an earlier one: that looks like
 * damage, and the copy is made again too. Real damage stays where it is.
 *
 * @throws LogError LOG_READ_FAILED if the write-ahead log starts over each time.
 */
export async function takeSnapshot(file: string, folder: string): Promise<Snapshot> {
  const made = mkdtempSync(join(folder, '.swapfold-'));
  const dispose = (): void => rmSync(made, { recursive: true, force: true });
  const copy = join(made, 'log');
  try {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const before = generationOf(file);
      copyIndex(file, copy);
      await copyWhole(file, copy);
      await copyWhole(`${file}-wal`, `${copy}-wal`);
      if (before !== generationOf(file)) continue;
      const last = tries === MOST_TRIES - 1;
      if (last || inspectWal(copy).state !== 'damaged' || isStill(file, copy)) return { file: copy, dispose };
    }
  } catch (error) {
    dispose();
    throw error;
  }
  dispose();
  throw new LogError('LOG_READ_FAILED', 'The log kept changing while it was copied for reading.', {
    facts: { file, tries: MOST_TRIES },
    next: 'Read it again when fewer writes happen. Nothing was changed.',
    retry: 'later',
  });
}

/** Whether the write-ahead log still begins with the copied part. */
function isStill(file: string, copy: string): boolean {
  for (let at = 0; ; at += COMPARED_BYTES) {
    const copied = readBytes(`${copy}-wal`, { at, length: COMPARED_BYTES });
    if (copied === undefined || copied.length === 0) return true;
    if (readBytes(`${file}-wal`, { at, length: copied.length })?.equals(copied) !== true) return false;
  }
}

function generationOf(file: string): string {
  const header = readBytes(`${file}-wal`, { length: GENERATION_BYTES });
  // Without a write-ahead log, the file can only have changed because its writer came or went.
  const state = header === undefined || header.length === 0 ? `empty ${changeOf(file)}` : header.toString('hex');
  return `${keyOf(file)} ${keyOf(`${file}-wal`)} ${state}`;
}

/** What SQLite notes in a file with every change of its pages that shows in their count, and the size. */
function changeOf(file: string): string {
  return `${sizeOf(file)} ${readBytes(file, { length: 2 * PAGE_BYTES })?.toString('base64')}`;
}

function copyIndex(file: string, to: string): void {
  rmSync(`${to}-shm`, { force: true });
  const index = isOpenHere(file) ? undefined : readBytes(`${file}-shm`, { length: INDEX_HEADER_BYTES });
  if (index === undefined) return;
  const handle = openSync(`${to}-shm`, 'w', OWNER_ONLY);
  writeSync(handle, index);
  closeSync(handle);
}

async function copyWhole(from: string, to: string): Promise<void> {
  rmSync(to, { force: true });
  if (sizeOf(from) === undefined) return;
  if (!isOpenHere(from)) {
    await copyFile(from, to, constants.COPYFILE_FICLONE);
    await chmod(to, OWNER_ONLY);
    return;
  }
  const target = openSync(to, 'w', OWNER_ONLY);
  try {
    await pieceByPiece(from, target);
  } finally {
    closeSync(target);
  }
}

/** For a file that this process has open: closing another handle to it would release its locks. */
async function pieceByPiece(from: string, target: number): Promise<void> {
  let count = 0;
  // The handle is one of those that stay open.
  const pieces = withHandle(from, piecesOf);
  for (const piece of pieces) {
    writeSync(target, piece);
    if (++count % PIECES_AT_ONCE === 0) await pause();
  }
}

/** Moves the transactions of a write-ahead log into a copy of its file, and removes the write-ahead log. */
export function mergeWal(copy: string, { frames, pages }: WalReport): void {
  const last = new Map(frames.map(({ page, offset }) => [page, offset]));
  const target = openSync(copy, 'r+');
  try {
    for (const [page, offset] of last) {
      const image = readBytes(`${copy}-wal`, { at: offset, length: PAGE_BYTES }) as Buffer;
      if (page > 0) writeSync(target, image, 0, PAGE_BYTES, (page - 1) * PAGE_BYTES);
    }
    if (pages !== undefined) ftruncateSync(target, pages * PAGE_BYTES);
  } finally {
    closeSync(target);
  }
  for (const beside of ['-wal', '-shm']) rmSync(copy + beside, { force: true });
}
