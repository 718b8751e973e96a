import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import type * as Files from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { connect } from '../../../../src/log/sqlite/connection.ts';
import { takeSnapshot } from '../../../../src/log/sqlite/snapshot.ts';
import { inspectWal } from '../../../../src/log/sqlite/wal.ts';
import { scratchLog } from '../../../support/logs.ts';

/** What happens while a file is copied, once the first bytes of it have been read. Null for a copy that takes no time. */
const meanwhile = vi.hoisted(() => ({ copies: 0, of: '', after: 0, happens: null as (() => void) | null }));

// A copy by the system reads a file from its beginning on, and sees what is written behind the place where it is.
vi.mock('node:fs/promises', async (original) => {
  const files = await original<typeof Files>();
  const copyFile: typeof files.copyFile = async (from, to, mode) => {
    if (from !== meanwhile.of) return files.copyFile(from, to, mode);
    meanwhile.copies += 1;
    const first = readFileSync(from).subarray(0, meanwhile.after);
    meanwhile.happens?.();
    writeFileSync(to as string, Buffer.concat([first, readFileSync(from).subarray(meanwhile.after)]));
  };
  return { ...files, copyFile };
});

const HEADER = 32;
const FRAME = 24 + 4096;

let scratch: ReturnType<typeof scratchLog>;
/** What another process would be writing to: nobody has it open here. */
let written: string;
let write: () => void;
let close: () => void;

beforeEach(() => {
  scratch = scratchLog();
  written = join(scratch.folder, 'written.db');
  const connection = connect(scratch.path);
  connection.exec('PRAGMA journal_mode = WAL');
  connection.exec('PRAGMA wal_autocheckpoint = 0');
  connection.exec('CREATE TABLE t(a)');
  // Older frames lie behind the end of the log, so that its file does not grow.
  for (let count = 0; count < 40; count++) connection.exec('INSERT INTO t VALUES (hex(zeroblob(3000)))');
  connection.exec('PRAGMA wal_checkpoint(RESTART)');
  write = () => {
    for (let count = 0; count < 3; count++) connection.exec('INSERT INTO t VALUES (hex(zeroblob(3000)))');
    for (const part of ['', '-wal', '-shm']) copyFileSync(scratch.path + part, written + part);
  };
  close = () => connection.close();
  write();
  Object.assign(meanwhile, { copies: 0, of: `${written}-wal`, happens: null });
});
afterEach(() => {
  close();
  scratch.dispose();
});

const framesIn = (file: string): number => inspectWal(file).frames.length;

describe('a copy of a log under writing', () => {
  it('is repeated if it has a later transaction and a part of an earlier one', async () => {
    const before = framesIn(written);
    // Within the first frame that is written meanwhile.
    meanwhile.after = HEADER + before * FRAME + 2000;
    meanwhile.happens = () => {
      write();
      meanwhile.happens = null;
    };
    const { file, dispose } = await takeSnapshot(written, scratch.folder);
    expect(inspectWal(file).state).toBe('whole');
    expect(framesIn(file)).toBeGreaterThan(before);
    expect(meanwhile.copies).toBe(2);
    dispose();
  });

  it('is made once if nothing is written, and keeps the damage that it finds', async () => {
    const bytes = readFileSync(`${written}-wal`);
    const at = HEADER + FRAME + 100;
    bytes[at] = (bytes[at] as number) ^ 1;
    writeFileSync(`${written}-wal`, bytes);
    const { file, dispose } = await takeSnapshot(written, scratch.folder);
    expect(inspectWal(file).state).toBe('damaged');
    expect(meanwhile.copies).toBe(1);
    dispose();
  });

  it('reports damage in the end, although a process keeps writing behind it', async () => {
    meanwhile.after = HEADER + FRAME;
    meanwhile.happens = () => {
      write();
      const bytes = readFileSync(`${written}-wal`);
      const at = HEADER + FRAME + 100;
      bytes[at] = (bytes[at] as number) ^ 1;
      writeFileSync(`${written}-wal`, bytes);
      // What came after the copy had been made.
      const last = bytes.length - 1;
      setImmediate(() => {
        bytes[last] = ((bytes[last] as number) + 1) & 0xff;
        writeFileSync(`${written}-wal`, bytes);
      });
    };
    const { file, dispose } = await takeSnapshot(written, scratch.folder);
    expect(inspectWal(file).state).toBe('damaged');
    dispose();
  });
});
