import { createHash } from 'node:crypto';
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isAlive } from '../process-alive.ts';
import { buildStamp } from './build-stamp.ts';
import type { SummaryRow } from './summary-row.ts';

/** Writes what is kept of a log, in memory that does not grow with it. Where that fails there is nothing next time. */
export type SummaryWriter = {
  readonly add: (row: SummaryRow) => void;
  /**
   * Takes over all rows that were kept before, if they are to be believed. Gives the digest of the log of which they told all; null if they
   * told of a part; undefined if there are none.
   */
  readonly takeOver: () => string | null | undefined;
  /** Puts it into place. @param whole the digest of the log of which the rows tell all; null if they may tell of a part */
  readonly end: (whole: string | null) => void;
  readonly drop: () => void;
};

const OWNER_ONLY = 0o600;
const OWNER_ONLY_FOLDER = 0o700;
/** Text that is held back: a log with few swaps may need no file at all. */
const HELD_BYTES = 1 << 20;
const PIECE_BYTES = 1 << 20;
const SEAL_BYTES = 64;

export function summaryWriter(path: string, isOwn: (path: string) => boolean): SummaryWriter {
  const file = sealedFile(path);
  file.write(`${buildStamp()}\n`);
  return {
    add: (row) => file.write(`${JSON.stringify(row)}\n`),
    takeOver: () => {
      try {
        return isOwn(path) ? copyRows(path, file.write) : undefined;
      } catch {
        return undefined;
      }
    },
    end: (whole) => file.end(`${whole ?? ''}\n`),
    drop: file.drop,
  };
}

/** A file that is made under another name, and ends with the digest of all that is in it. */
function sealedFile(path: string) {
  const made = `${path}.${process.pid}.new`;
  const seal = createHash('sha256');
  let held: (string | Buffer)[] = [];
  let bytes = 0;
  let handle: number | undefined;
  let failed = false;
  const drop = (): void => {
    failed = true;
    if (handle === undefined) return;
    closeSync(handle);
    handle = undefined;
    rmSync(made, { force: true });
  };
  const attempt = (action: () => void): void => {
    if (failed) return;
    try {
      action();
    } catch {
      drop();
    }
  };
  const flush = (): void => {
    if (handle === undefined) {
      mkdirSync(dirname(path), { recursive: true, mode: OWNER_ONLY_FOLDER });
      rmSync(made, { force: true });
      removeLeftovers(path);
      handle = openSync(made, 'wx', OWNER_ONLY);
    }
    for (const piece of held) writeWhole(handle, Buffer.from(piece));
    held = [];
    bytes = 0;
  };
  const write = (piece: string | Buffer): void =>
    attempt(() => {
      seal.update(piece);
      held.push(piece);
      bytes += piece.length;
      if (bytes >= HELD_BYTES) flush();
    });
  const end = (last: string): void => {
    write(last);
    attempt(() => {
      held.push(seal.digest('hex'));
      flush();
      closeSync(handle as number);
      handle = undefined;
      renameSync(made, path);
    });
  };
  return { write, end, drop };
}

/** What processes had begun that were killed. */
function removeLeftovers(path: string): void {
  const folder = dirname(path);
  const begun = `${basename(path)}.`;
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(begun)) continue;
    const [, pid] = /^(\d+)\.new$/.exec(name.slice(begun.length)) ?? [];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(folder, name), { force: true });
  }
}

function writeWhole(handle: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at);
}

/** Copies the rows of a file that is as it was written by this build. */
function copyRows(path: string, write: (piece: Buffer) => void): string | null | undefined {
  const { size } = statSync(path);
  const handle = openSync(path, 'r');
  try {
    const build = Buffer.from(`${buildStamp()}\n`);
    const end = readAt(handle, Math.max(0, size - 2 * SEAL_BYTES - 2), 2 * SEAL_BYTES + 2).toString('latin1');
    const found = /\n([0-9a-f]{64}|)\n([0-9a-f]{64})$/.exec(end);
    if (found === null || !readAt(handle, 0, build.length).equals(build)) return undefined;
    const [, whole = '', seal = ''] = found;
    if (sealOf(handle, size - SEAL_BYTES) !== seal) return undefined;
    const rowsEnd = size - SEAL_BYTES - 1 - whole.length;
    for (const piece of pieces(handle, { from: build.length, to: rowsEnd })) write(piece);
    return whole === '' ? null : whole;
  } finally {
    closeSync(handle);
  }
}

function sealOf(handle: number, to: number): string {
  const digest = createHash('sha256');
  for (const piece of pieces(handle, { from: 0, to })) digest.update(piece);
  return digest.digest('hex');
}

function* pieces(handle: number, { from, to }: { readonly from: number; readonly to: number }): Generator<Buffer> {
  for (let at = from; at < to; ) {
    const piece = readAt(handle, at, Math.min(PIECE_BYTES, to - at));
    if (piece.length === 0) throw new Error('the file became shorter');
    yield piece;
    at += piece.length;
  }
}

function readAt(handle: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(handle, bytes, 0, length, at));
}
