import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connect } from '../../../../../src/log/sqlite/connection.ts';
import { openSqliteLog } from '../../../../../src/log/sqlite/open.ts';
import { salvageSqliteLog } from '../../../../../src/log/sqlite/salvage/salvage.ts';
import { append, collect, until } from '../../../../../src/testing/contracts/log/expect.ts';
import { scratchLog } from '../../../../support/logs.ts';

const PAGE = 4096;
const STREAMS = Array.from({ length: 40 }, (_, index) => `taker-swap/${index}`);

let scratch: ReturnType<typeof scratchLog>;
beforeEach(() => {
  scratch = scratchLog();
});
afterEach(() => scratch.dispose());

/** A closed log with some hundred records, and what it holds. */
async function writeLog(): Promise<ReadonlyMap<string, string>> {
  const log = await openSqliteLog({ path: scratch.path });
  for (let seq = 0; seq < 8; seq++) {
    await Promise.all(
      STREAMS.map((stream) =>
        log.append({
          stream,
          expected: seq,
          records: [{ at: 0 as never, type: `T${seq}`, version: 1, data: { filler: 'x'.repeat(300) } }],
          labels: { outcome: `at ${seq}`, finished: seq === 7 },
        }),
      ),
    );
  }
  const held = new Map<string, string>();
  for (const stream of STREAMS) held.set(stream, JSON.stringify(await log.read(stream)));
  await log.close();
  return held;
}

/** Overwrites the pages of a table or index, all but the first of which no other page knows the content. */
function blankPages(name: string): number {
  const connection = connect(scratch.path);
  const pages = connection
    .prepare('SELECT pageno FROM dbstat WHERE name = ?')
    .all([name])
    .map(([page]) => page as number);
  connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  connection.close();
  const bytes = readFileSync(scratch.path);
  for (const page of pages) bytes.fill(0xa5, (page - 1) * PAGE, page * PAGE);
  writeFileSync(scratch.path, bytes);
  return pages.length;
}

async function held(path: string) {
  const log = await openSqliteLog({ path });
  const found = new Map<string, string>();
  for (const { stream } of await log.find({})) found.set(stream, JSON.stringify(await log.read(stream)));
  const { opening } = log;
  const apart = log.quarantined();
  const finished = (await log.find({ finished: true })).length;
  await log.close();
  return { found, opening, apart, finished, end: log.end() };
}

describe('salvage', () => {
  it.each(['sqlite_schema', 'meta', 'records_by_stream', 'records_by_type', 'streams_by_name', 'tips', 'quarantine'])(
    'loses nothing with all pages of %s',
    async (name) => {
      const before = await writeLog();
      expect(blankPages(name)).toBeGreaterThan(0);
      const { found, opening, apart, end } = await held(scratch.path);
      expect(opening.recovery).toMatchObject({ lost: 0, cut: name === 'sqlite_schema', records: 320, streams: 40 });
      expect({ found, apart, end }).toEqual({ found: before, apart: [], end: 320 });
    },
  );

  it('loses the labels with the pages that hold them, and takes the names from the first records', async () => {
    const before = await writeLog();
    blankPages('streams');
    const { found, opening, apart, finished } = await held(scratch.path);
    expect({ found, apart, finished }).toEqual({ found: before, apart: [], finished: 0 });
    expect(opening.recovery?.unlabelled).toBe(40);
  });

  it('names every stream when all records are gone', async () => {
    await writeLog();
    blankPages('records');
    const { found, apart, end } = await held(scratch.path);
    expect(found.size).toBe(0);
    expect(apart.map(({ stream }) => stream).toSorted()).toEqual(STREAMS.toSorted());
    expect(end).toBe(320);
  });

  it('keeps the damaged file as it was, and is not needed again', async () => {
    await writeLog();
    blankPages('records_by_type');
    const damaged = readFileSync(scratch.path);
    const log = await openSqliteLog({ path: scratch.path, now: () => Date.UTC(2026, 0, 2, 3, 4, 5) });
    const { recovery } = log.opening;
    expect(recovery?.kept).toBe(`${log.file}.damaged-20260102T030405Z`);
    expect(readFileSync(recovery?.kept ?? '').equals(damaged)).toBe(true);
    await log.close();
    expect((await held(scratch.path)).opening.recovery).toBeUndefined();
  });

  it('leaves a damaged file alone on request', async () => {
    await writeLog();
    blankPages('records_by_type');
    const damaged = readFileSync(scratch.path);
    const opening = openSqliteLog({ path: scratch.path, onDamage: 'refuse' });
    await expect(opening).rejects.toMatchObject({ code: 'LOG_DAMAGED', stream: undefined });
    expect(readFileSync(scratch.path).equals(damaged)).toBe(true);
  });

  it('remembers what it set apart, keeps positions, and never uses one twice', async () => {
    await writeLog();
    const bytes = readFileSync(scratch.path);
    writeFileSync(scratch.path, bytes.subarray(0, Math.floor(bytes.length * 0.7)));
    const log = await openSqliteLog({ path: scratch.path });
    const apart = log.quarantined();
    expect(apart.length).toBeGreaterThan(0);
    const { seen } = collect(log, { after: Number.POSITIVE_INFINITY });
    await append(log, ['taker-swap/new', 0], 'Started');
    await until(() => seen.length === 1, 'the new entry');
    expect(seen[0]?.position).toBeGreaterThan(Math.floor(320 * 0.7));
    await log.close();
    const again = await openSqliteLog({ path: scratch.path });
    expect(again.opening.recovery).toBeUndefined();
    expect(again.quarantined()).toEqual(apart);
    await expect(again.read(apart[0]?.stream ?? '')).rejects.toMatchObject({ code: 'LOG_DAMAGED' });
    await again.close();
  });

  it('replaces no log that is damaged or gone while a result of an earlier release waits', async () => {
    await writeLog();
    const salvaged = `${scratch.path}.salvaged`;
    await salvageSqliteLog({ path: scratch.path, to: salvaged });
    const waiting = readFileSync(salvaged);
    const refused = { code: 'LOG_OPEN_FAILED', retry: 'operator', facts: { salvaged } };
    writeFileSync(scratch.path, 'damaged');
    await expect(openSqliteLog({ path: scratch.path })).rejects.toMatchObject(refused);
    expect(readFileSync(scratch.path, 'utf8')).toBe('damaged');
    rmSync(scratch.path);
    await expect(openSqliteLog({ path: scratch.path })).rejects.toMatchObject(refused);
    expect(existsSync(scratch.path)).toBe(false);
    expect(readFileSync(salvaged).equals(waiting)).toBe(true);
  });

  it('leaves a good log alone beside which another was planted as salvaged', async () => {
    const before = await writeLog();
    const other = join(scratch.folder, 'other.db');
    await (await openSqliteLog({ path: other })).close();
    renameSync(other, `${scratch.path}.salvaged`);
    const planted = readFileSync(`${scratch.path}.salvaged`);
    const { found, opening } = await held(scratch.path);
    expect({ found, opening }).toEqual({ found: before, opening: { recovery: undefined, tail: 'whole' } });
    expect(readFileSync(`${scratch.path}.salvaged`).equals(planted)).toBe(true);
  });

  it('writes a copy without touching the log, and never over a file', async () => {
    const before = await writeLog();
    const bytes = readFileSync(scratch.path);
    const to = join(scratch.folder, 'copy.db');
    expect(await salvageSqliteLog({ path: scratch.path, to })).toMatchObject({ records: 320, quarantined: [] });
    expect(readFileSync(scratch.path).equals(bytes)).toBe(true);
    await expect(salvageSqliteLog({ path: scratch.path, to })).rejects.toMatchObject({ code: 'FILE_EXISTS' });
    expect((await held(to)).found).toEqual(before);
    const log = await openSqliteLog({ path: scratch.path });
    const other = join(scratch.folder, 'other.db');
    await expect(salvageSqliteLog({ path: scratch.path, to: other })).rejects.toMatchObject({ code: 'LOG_LOCKED' });
    await log.close();
    expect(readdirSync(scratch.folder).filter((name) => name.includes('evidence'))).toEqual([]);
  });

  it('restores a log from its write-ahead log alone', async () => {
    const log = await openSqliteLog({ path: scratch.path });
    await append(log, ['taker-swap/a', 0], 'One', 'Two');
    const wal = readFileSync(`${scratch.path}-wal`);
    await log.close();
    for (const name of readdirSync(scratch.folder)) rmSync(join(scratch.folder, name));
    writeFileSync(`${scratch.path}-wal`, wal);
    const { found } = await held(scratch.path);
    expect([...found.keys()]).toEqual(['taker-swap/a']);
  });
});

describe('a file that is not a log', () => {
  it.each([
    ['a text', Buffer.from('a text')],
    ['nothing', Buffer.alloc(0)],
    ['bytes', Buffer.alloc(20_000, 7)],
  ])('is refused and left as it is: %s', async (_, content) => {
    writeFileSync(scratch.path, content);
    const refused = await openSqliteLog({ path: scratch.path }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'LOG_DAMAGED', stream: undefined });
    expect(readFileSync(scratch.path).equals(content)).toBe(true);
  });

  it('is refused when a later release wrote it', async () => {
    await writeLog();
    const connection = connect(scratch.path);
    connection.exec("PRAGMA user_version = 3; UPDATE meta SET value = '3' WHERE name = 'format'; CREATE TABLE more(a)");
    connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    connection.close();
    const before = readFileSync(scratch.path);
    await expect(openSqliteLog({ path: scratch.path })).rejects.toMatchObject({ code: 'LOG_VERSION' });
    expect(readFileSync(scratch.path).equals(before)).toBe(true);
  });
});
