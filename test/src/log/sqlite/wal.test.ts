import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connect } from '../../../../src/log/sqlite/connection.ts';
import { inspectWal } from '../../../../src/log/sqlite/wal.ts';
import { scratchLog } from '../../../support/logs.ts';

const FRAME = 24 + 4096;
const HEADER = 32;

let scratch: ReturnType<typeof scratchLog>;
/** A file whose process was killed after some transactions. */
let killed: string;
beforeEach(() => {
  scratch = scratchLog();
  killed = join(scratch.folder, 'killed.db');
});
afterEach(() => scratch.dispose());

/** Commits so many transactions, and copies what a killed process would leave. */
function leave(transactions: number, before: readonly string[] = []): void {
  const connection = connect(scratch.path);
  connection.exec('PRAGMA journal_mode = WAL');
  connection.exec('CREATE TABLE t(a)');
  for (const sql of before) connection.exec(sql);
  for (let count = 0; count < transactions; count++) connection.exec(`INSERT INTO t VALUES (hex(zeroblob(3000)))`);
  for (const part of ['', '-wal', '-shm']) copyFileSync(scratch.path + part, killed + part);
  connection.close();
}

const wal = (): Buffer => readFileSync(`${killed}-wal`);
const change = (at: number): void => {
  const bytes = wal();
  bytes[at] = (bytes[at] as number) ^ 1;
  writeFileSync(`${killed}-wal`, bytes);
};
const cut = (size: number): void => writeFileSync(`${killed}-wal`, wal().subarray(0, size));
const forgetIndex = (): void => rmSync(`${killed}-shm`);
const found = () => {
  const { state, cut: isCut, frames } = inspectWal(killed);
  return { state, cut: isCut, frames: frames.length };
};

describe('a write-ahead log', () => {
  it('is whole when every transaction in it is, and absent when none is in use', () => {
    leave(5);
    const frames = (wal().length - HEADER) / FRAME;
    expect(frames).toBeGreaterThan(10);
    expect(found()).toEqual({ state: 'whole', cut: false, frames });
    cut(0);
    expect(found()).toEqual({ state: 'absent', cut: false, frames: 0 });
  });

  it('is complete if older frames lie behind its end', () => {
    leave(2, [
      ...Array.from({ length: 6 }, () => 'INSERT INTO t VALUES (hex(zeroblob(3000)))'),
      'PRAGMA wal_checkpoint(RESTART)',
    ]);
    const { frames, ...rest } = found();
    expect(rest).toEqual({ state: 'whole', cut: false });
    expect(frames).toBeLessThan((wal().length - HEADER) / FRAME);
  });

  it.each([0, 9, 17, 25, 30])('is damaged when byte %i of its header is', (at) => {
    leave(5);
    forgetIndex();
    const { length } = inspectWal(killed).frames;
    change(at);
    expect(found()).toEqual({ state: 'damaged', cut: false, frames: length });
  });

  it.each([0, 5, 9, 17, 24, 3000])('is damaged when byte %i of a frame is, and a later transaction follows', (at) => {
    leave(5);
    forgetIndex();
    const { length } = inspectWal(killed).frames;
    change(HEADER + FRAME + at);
    expect(found()).toEqual({ state: 'damaged', cut: false, frames: length });
  });

  it.each([8, 12, 15])('is damaged when byte %i of its last frame is, in the salt that no checksum covers', (at) => {
    leave(5);
    forgetIndex();
    const { length } = inspectWal(killed).frames;
    change(wal().length - FRAME + at);
    expect(found()).toEqual({ state: 'damaged', cut: false, frames: length });
  });

  it('is complete if zeros follow it, as a disk leaves them behind the end', () => {
    leave(5);
    const before = found();
    writeFileSync(`${killed}-wal`, Buffer.concat([wal(), Buffer.alloc(3 * FRAME)]));
    expect(found()).toEqual(before);
  });

  it('keeps its transactions if the bit for its byte order is damaged', () => {
    leave(5);
    forgetIndex();
    const { length } = inspectWal(killed).frames;
    change(3);
    expect(found()).toEqual({ state: 'damaged', cut: false, frames: length });
  });

  it('is torn when the last transaction is, unless its index shows that it was durable', () => {
    leave(5);
    const { length } = inspectWal(killed).frames;
    change(wal().length - 1);
    expect(found()).toEqual({ state: 'damaged', cut: false, frames: length });
    forgetIndex();
    const torn = found();
    expect(torn).toMatchObject({ state: 'torn', cut: false });
    expect(torn.frames).toBeLessThan(length);
  });

  it('is torn if it ends within a frame, and known to be cut if its index shows more', () => {
    leave(5);
    cut(HEADER + 7 * FRAME + 100);
    expect(found()).toMatchObject({ state: 'torn', cut: true });
    forgetIndex();
    expect(found()).toMatchObject({ state: 'torn', cut: false });
  });

  it('is known to be cut when it is gone and its index exists', () => {
    leave(5);
    rmSync(`${killed}-wal`);
    expect(found()).toEqual({ state: 'absent', cut: true, frames: 0 });
  });

  it('is not cut when all of it is in the file', () => {
    leave(5, []);
    const connection = connect(killed);
    connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    expect(found()).toEqual({ state: 'absent', cut: false, frames: 0 });
    rmSync(`${killed}-wal`);
    expect(found()).toEqual({ state: 'absent', cut: false, frames: 0 });
    connection.close();
  });
});
