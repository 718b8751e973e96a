import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqliteLog } from '../../../../src/log/sqlite/open.ts';
import { append } from '../../../../src/testing/log-expect.ts';
import { alterRecord, scratchLog } from '../../../support/logs.ts';

let scratch: ReturnType<typeof scratchLog>;
beforeEach(() => {
  scratch = scratchLog();
});
afterEach(() => scratch.dispose());

describe('a backup', () => {
  it('holds the log as it was at one moment, while appends go on', async () => {
    const { path, folder } = scratch;
    const log = await openSqliteLog({ path });
    const streams = Array.from({ length: 300 }, (_, index) => `taker-swap/${index}`);
    await Promise.all(streams.map((stream) => append(log, [stream, 0], 'One', 'Two', 'Three')));
    let running = true;
    let extra = 0;
    const appending = (async () => {
      for (; running; extra++) await append(log, ['maker-swap/busy', extra], 'More');
    })();
    const to = join(folder, 'backup.db');
    const report = await log.backup(to);
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
  });

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
