import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, describe, expect, it } from 'vitest';
import { openSqliteLog } from '../../src/log/sqlite/open.ts';
import type { SqliteLog } from '../../src/log/sqlite/sqlite-log.ts';
import { xorshift32 } from '../../src/sim/xorshift.ts';
import { builtModule } from '../support/built.ts';
import { draws } from '../support/draws.ts';
import { scratchLog } from '../support/logs.ts';

const ROUNDS = draws({ change: 8, release: 15 });
const BATCH = 3;
/** Of each client of a child that stops writing: some 15 MB in all, several starts of the write-ahead log. */
const SWAPS = 30;

let adapter: string;
beforeAll(() => {
  adapter = builtModule('src/log/sqlite/index.js');
}, 120_000);

type Acknowledged = { readonly length: number; readonly hash: string };

type Child = {
  /** Commands of the shell that starts it. */
  readonly limits?: string;
  /** How many swaps each of its clients writes, at the pace of a busy node. @defaultValue all it can */
  readonly swaps?: number;
};

function startChild(path: string, seed: number, { limits = '', swaps }: Child = {}): ChildProcess {
  const child = join(import.meta.dirname, 'log-child.mjs');
  const most = swaps === undefined ? [] : [String(swaps)];
  const args = [process.execPath, child, adapter, path, String(seed), ...most];
  return spawn('sh', ['-c', `${limits}exec "$0" "$@"`, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Kills the child right after it said so many lines, and gives all that it said. */
async function killAfter(child: ChildProcess, lines: number): Promise<readonly string[]> {
  const said: string[] = [];
  const closed = once(child, 'close');
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    said.push(line);
    if (said.length === lines) child.kill('SIGKILL');
  }
  await closed;
  return said;
}

/** Checks what a child acknowledged against what the log holds of it. */
async function compare(log: SqliteLog, said: readonly string[]): Promise<void> {
  const acknowledged = new Map<string, Acknowledged>();
  for (const line of said.slice(1)) {
    const [stream, length, hash] = line.split(' ') as [string, string, string];
    acknowledged.set(stream, { length: Number(length), hash });
  }
  for (const [stream, { length, hash }] of acknowledged) {
    const held = await log.read(stream);
    expect(held[length - 1]?.hash, `${stream} at ${length}`).toBe(hash);
    expect(held.length - length, `${stream} beyond what was acknowledged`).toBeLessThanOrEqual(BATCH);
    for (const [seq, { data, type }] of held.entries()) {
      const filler = 'x'.repeat((seq * 397) % 6000);
      expect({ data, type }).toEqual({ data: { stream, seq, filler }, type: `Step${seq % 5}` });
    }
  }
}

async function positions(log: SqliteLog): Promise<readonly number[]> {
  const seen: number[] = [];
  if (log.end() === 0) return seen;
  await new Promise<void>((resolve) => {
    log.subscribe({ after: 0 }, ({ position }) => {
      seen.push(position);
      if (position === log.end()) resolve();
    });
  });
  return seen;
}

describe('a process that is killed while it appends', () => {
  it('loses nothing that was acknowledged, and leaves nothing that was not appended', async () => {
    const { path, dispose } = scratchLog();
    const rng = xorshift32(7);
    try {
      let total = 0;
      for (let round = 1; round <= ROUNDS; round++) {
        const said = await killAfter(startChild(path, round), 1 + rng.below(400));
        expect(said[0]).toBe('open');
        const log = await openSqliteLog({ path });
        expect({ recovery: log.opening.recovery, apart: log.quarantined() }).toEqual({
          recovery: undefined,
          apart: [],
        });
        await compare(log, said);
        const found = await log.find({});
        const labelled = found.filter(({ length, labels }) => labels.state !== `after ${length}`);
        expect(labelled).toEqual([]);
        total = found.reduce((sum, { length }) => sum + length, 0);
        expect(await positions(log)).toEqual(Array.from({ length: total }, (_, index) => index + 1));
        await log.close();
      }
      expect(total).toBeGreaterThan(ROUNDS * 50);
    } finally {
      dispose();
    }
  }, 120_000);

  it.skipIf(process.platform === 'win32')(
    'is refused when the file cannot grow, and loses nothing that was acknowledged',
    async () => {
      const { path, dispose } = scratchLog();
      try {
        const said = await killAfter(startChild(path, 1, { limits: 'ulimit -f 4000; ' }), Number.POSITIVE_INFINITY);
        expect(said.at(-1)).toBe('failed LOG_WRITE_FAILED');
        const log = await openSqliteLog({ path });
        expect({ recovery: log.opening.recovery, apart: log.quarantined() }).toEqual({
          recovery: undefined,
          apart: [],
        });
        await compare(log, said.slice(0, -1));
        await log.close();
      } finally {
        dispose();
      }
    },
  );

  it('can be read at any moment during writes: whole, and never less than before', async () => {
    const { path, dispose } = scratchLog();
    const child = startChild(path, 1, { swaps: SWAPS });
    try {
      await once(child.stdout as NodeJS.ReadableStream, 'data');
      let held = Number.POSITIVE_INFINITY;
      createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
        if (line.startsWith('holds ')) held = Number(line.slice('holds '.length));
      });
      let before = 0;
      let generations = 0;
      let header = '';
      let reads = 0;
      for (; before < held; reads++) {
        const now = readFileSync(`${path}-wal`).toString('hex', 0, 32);
        if (now !== header) generations++;
        header = now;
        const log = await openSqliteLog({ path, readOnly: true });
        expect({ ...log.opening, apart: log.quarantined() }).toEqual({ recovery: undefined, tail: 'whole', apart: [] });
        const records = (await log.find({})).reduce((sum, { length }) => sum + length, 0);
        expect(records).toBe(log.end());
        expect(records).toBeGreaterThanOrEqual(before);
        before = records;
        await log.close();
      }
      expect(before).toBe(held);
      expect(reads).toBeGreaterThan(5);
      // The write-ahead log has started over in between, which is when a copy may not fit together.
      expect(generations).toBeGreaterThan(1);
    } finally {
      child.kill('SIGKILL');
      dispose();
    }
  }, 120_000);

  it('holds the lock while it lives, and no longer', async () => {
    const { path, dispose } = scratchLog();
    const child = startChild(path, 1);
    try {
      await once(child.stdout as NodeJS.ReadableStream, 'data');
      await expect(openSqliteLog({ path })).rejects.toMatchObject({ code: 'LOG_LOCKED', retry: 'operator' });
      const closed = once(child, 'close');
      child.kill('SIGKILL');
      await closed;
      const log = await openSqliteLog({ path });
      await log.close();
    } finally {
      child.kill('SIGKILL');
      dispose();
    }
  });
});
