import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connect } from '../../../../src/log/sqlite/connection.ts';
import { inspectLog } from '../../../../src/log/sqlite/inspect.ts';
import { openSqliteLog } from '../../../../src/log/sqlite/open.ts';
import { sealStream } from '../../../../src/primitives/envelope.ts';
import { append, record } from '../../../../src/testing/contracts/log/expect.ts';
import { alterRecord, scratchLog } from '../../../support/logs.ts';

let scratch: ReturnType<typeof scratchLog>;
beforeEach(() => {
  scratch = scratchLog();
});
afterEach(() => scratch.dispose());

describe.each(['backup', 'compactTo'] as const)('a copy by %s', (method) => {
  it('holds the log as of one moment, while appends continue', async () => {
    const { path, folder } = scratch;
    const log = await openSqliteLog({ path });
    const streams = Array.from({ length: 300 }, (_, index) => `taker-swap/${index}`);
    await Promise.all(streams.map((stream) => append(log, [stream, 0], 'One', 'Two', 'Three')));
    let running = true;
    let extra = 0;
    const appending = (async () => {
      for (; running; extra++) await append(log, ['maker-swap/busy', extra], 'More');
    })();
    const to = join(folder, 'copy.db');
    const report = await log[method](to);
    running = false;
    await appending;
    expect(extra).toBeGreaterThan(0);
    const copy = await openSqliteLog({ path: to });
    expect(copy.opening).toEqual({ recovery: undefined, tail: 'whole' });
    expect({ end: copy.end(), records: report.records }).toEqual({ end: report.end, records: report.end });
    for (const stream of streams) expect(await copy.read(stream)).toEqual(await log.read(stream));
    const busy = await copy.read('maker-swap/busy');
    expect(await log.read('maker-swap/busy')).toEqual(expect.arrayContaining([...busy]));
    expect(busy.length).toBe(report.end - 900);
    await copy.close();
    await log.close();
    expect(await inspectLog(to)).toMatchObject({ damage: undefined, quarantined: [], tail: 'whole' });
  });
});

/** A log whose streams grew in turns and were then labelled, with pages that nothing uses any more. */
async function fragmentedLog(path: string): Promise<readonly string[]> {
  const log = await openSqliteLog({ path });
  const streams = Array.from(
    { length: 200 },
    (_, index) => `taker-swap/${(index * 7919) % 1000}-${'x'.repeat(index % 90)}`,
  );
  const filler = 'y'.repeat(400);
  for (let seq = 0; seq < 8; seq++) {
    const data = { filler: filler.slice(0, 50 * seq) };
    await Promise.all(
      streams.map((stream) => log.append({ stream, expected: seq, records: [record(`Step${seq}`, data)] })),
    );
  }
  await log.close();
  const connection = connect(path);
  connection.exec('CREATE TABLE grown(filler TEXT)');
  const insert = connection.prepare('INSERT INTO grown VALUES (?)');
  connection.exec('BEGIN');
  for (let row = 0; row < 2000; row++) insert.run([filler]);
  connection.exec('COMMIT');
  connection.exec('DROP TABLE grown');
  connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  connection.close();
  return streams;
}

function pageCounts(path: string) {
  const connection = connect(path, { readOnly: true });
  const counts = { unused: connection.value('PRAGMA freelist_count'), all: connection.value('PRAGMA page_count') };
  connection.close();
  return counts;
}

describe('a compacted copy', () => {
  it('of a log that was grown and shrunk is complete, and smaller by the pages that nothing used', async () => {
    const { path, folder } = scratch;
    const streams = await fragmentedLog(path);
    const before = pageCounts(path);
    expect(before.unused).toBeGreaterThan(100);
    const log = await openSqliteLog({ path });
    const to = join(folder, 'compact.db');
    const report = await log.compactTo(to);
    expect(report).toEqual({
      records: 1600,
      end: log.end(),
      bytes: statSync(to).size,
      sourceBytes: statSync(path).size,
    });
    const after = pageCounts(to);
    expect(after.unused).toBe(0);
    expect(after.all).toBeLessThanOrEqual(Number(before.all) - Number(before.unused));
    expect(report.bytes).toBeLessThan(report.sourceBytes);
    expect(await inspectLog(to)).toMatchObject({ damage: undefined, quarantined: [], tail: 'whole' });
    const copy = await openSqliteLog({ path: to });
    expect(await copy.find({})).toEqual(await log.find({}));
    expect(await copy.find({})).toHaveLength(200);
    for (const stream of streams) {
      const records = await copy.read(stream);
      expect(records).toEqual(await log.read(stream));
      expect(records).toHaveLength(8);
      expect(records).toEqual(sealStream(records));
    }
    await copy.close();
    await log.close();
  });

  it('accepts appends where the log stopped', async () => {
    const { path, folder } = scratch;
    const [stream = ''] = await fragmentedLog(path);
    const log = await openSqliteLog({ path });
    await log.compactTo(join(folder, 'compact.db'));
    const copy = await openSqliteLog({ path: join(folder, 'compact.db') });
    const both = [await append(log, [stream, 8], 'Next'), await append(copy, [stream, 8], 'Next')];
    expect(both[1]).toEqual(both[0]);
    expect(copy.end()).toBe(log.end());
    await copy.close();
    await log.close();
  });
});

describe('a backup', () => {
  it('keeps damaged streams apart', async () => {
    const { path, folder } = scratch;
    const log = await openSqliteLog({ path });
    await append(log, ['taker-swap/a', 0], 'One', 'Two');
    await append(log, ['taker-swap/b', 0], 'One');
    await log.close();
    alterRecord(path, 'taker-swap/a', 1);
    const damaged = await openSqliteLog({ path });
    await damaged.compactTo(join(folder, 'copy.db'));
    const copy = await openSqliteLog({ path: join(folder, 'copy.db') });
    expect(copy.quarantined()).toEqual(damaged.quarantined());
    expect(copy.quarantined().map(({ stream, seq }) => [stream, seq])).toEqual([['taker-swap/a', 1]]);
    await copy.close();
    await damaged.close();
  });

  it('never replaces a file, and leaves nothing behind when it fails', async () => {
    const { path, folder } = scratch;
    const log = await openSqliteLog({ path });
    writeFileSync(join(folder, 'there'), 'kept');
    await expect(log.backup(join(folder, 'there'))).rejects.toMatchObject({ code: 'FILE_EXISTS' });
    await expect(log.backup(path)).rejects.toMatchObject({ code: 'FILE_EXISTS' });
    await expect(log.backup(join(folder, 'missing/copy.db'))).rejects.toMatchObject({ code: 'LOG_OPEN_FAILED' });
    expect(existsSync(join(folder, 'missing'))).toBe(false);
    expect(readdirSync(folder).filter((name) => name.includes('partial'))).toEqual([]);
    await log.close();
    await expect(log.backup(join(folder, 'late'))).rejects.toMatchObject({ code: 'LOG_CLOSED' });
  });

  it('is finished before the log is closed', async () => {
    const { path, folder } = scratch;
    const log = await openSqliteLog({ path });
    await append(log, ['taker-swap/a', 0], 'One');
    const backup = log.backup(join(folder, 'copy.db'));
    await log.close();
    expect(existsSync(join(folder, 'copy.db'))).toBe(true);
    await expect(backup).resolves.toMatchObject({ records: 1 });
  });
});
