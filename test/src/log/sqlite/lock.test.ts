import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqliteLog } from '../../../../src/log/sqlite/open.ts';
import { append } from '../../../../src/testing/contracts/log/expect.ts';
import { scratchLog } from '../../../support/logs.ts';

let scratch: ReturnType<typeof scratchLog>;
beforeEach(() => {
  scratch = scratchLog();
});
afterEach(() => scratch.dispose());

describe('the lock of a log', () => {
  it('admits one writer, whatever name it uses, and then the next one', async () => {
    const { path, folder } = scratch;
    const log = await openSqliteLog({ path });
    const link = join(folder, 'link.db');
    symlinkSync(path, link);
    await expect(openSqliteLog({ path })).rejects.toMatchObject({ code: 'LOG_LOCKED' });
    await expect(openSqliteLog({ path: link })).rejects.toMatchObject({ code: 'LOG_LOCKED' });
    await append(log, ['taker-swap/a', 0], 'Started');
    await log.close();
    const again = await openSqliteLog({ path: link });
    expect((await again.read('taker-swap/a')).length).toBe(1);
    await again.close();
  });

  it('admits one writer if hard links give the file several names, also after it was closed or killed', async () => {
    const { path, folder } = scratch;
    const link = join(folder, 'other name.db');
    const log = await openSqliteLog({ path });
    linkSync(path, link);
    await expect(openSqliteLog({ path: link })).rejects.toMatchObject({ code: 'LOG_LOCKED' });
    await append(log, ['taker-swap/a', 0], 'Started');
    // Who reads by the other name sees what the writer has written.
    const reader = await openSqliteLog({ path: link, readOnly: true });
    expect((await reader.read('taker-swap/a')).length).toBe(1);
    await reader.close();
    await log.close();
    const second = await openSqliteLog({ path: link });
    await expect(openSqliteLog({ path })).rejects.toMatchObject({ code: 'LOG_LOCKED' });
    await append(second, ['taker-swap/a', 1], 'Negotiated');
    await second.close();
    expect(readdirSync(folder).filter((name) => name.startsWith('other'))).toEqual(['other name.db']);
    const third = await openSqliteLog({ path });
    expect((await third.read('taker-swap/a')).length).toBe(2);
    await third.close();
  });

  it('is refused for a file with several names, none of them noted, and taken once it has one', async () => {
    const { path, folder } = scratch;
    await (await openSqliteLog({ path })).close();
    const [first, second] = [join(folder, 'first.db'), join(folder, 'second.db')];
    renameSync(path, first);
    linkSync(first, second);
    for (const name of [first, second]) {
      const refused = { code: 'LOG_OPEN_FAILED', retry: 'operator', facts: { file: name, names: 2 } };
      await expect(openSqliteLog({ path: name })).rejects.toMatchObject(refused);
    }
    rmSync(second);
    const log = await openSqliteLog({ path: first });
    linkSync(first, second);
    await expect(openSqliteLog({ path: second })).rejects.toMatchObject({ code: 'LOG_LOCKED' });
    await log.close();
  });

  it('is not taken from a writer, nor kept from one, by readers', async () => {
    const { path } = scratch;
    const log = await openSqliteLog({ path });
    for (let count = 0; count < 3; count++) await (await openSqliteLog({ path, readOnly: true })).close();
    await expect(openSqliteLog({ path })).rejects.toMatchObject({ code: 'LOG_LOCKED' });
    await log.close();
    const reader = await openSqliteLog({ path, readOnly: true });
    await (await openSqliteLog({ path })).close();
    await reader.close();
  });

  it('is given back when opening fails', async () => {
    const { path } = scratch;
    writeFileSync(path, 'no log at all, but a text');
    await expect(openSqliteLog({ path })).rejects.toMatchObject({ code: 'LOG_DAMAGED' });
    await expect(openSqliteLog({ path })).rejects.toMatchObject({ code: 'LOG_DAMAGED' });
  });

  it('leaves one empty file, and nothing else, beside a closed log', async () => {
    const { path, folder } = scratch;
    const log = await openSqliteLog({ path });
    await append(log, ['taker-swap/a', 0], 'Started');
    await log.close();
    const left = readdirSync(folder).filter((name) => statSync(join(folder, name)).size > 0 && !name.endsWith('-shm'));
    expect(left).toEqual(['log.db']);
    expect(statSync(`${path}-lock`).size).toBe(0);
  });
});

describe('the files of a log', () => {
  it.skipIf(process.platform === 'win32')('are for their owner alone', async () => {
    const { path, folder } = scratch;
    const log = await openSqliteLog({ path });
    await append(log, ['taker-swap/a', 0], 'Started');
    await log.backup(`${path}.copy`);
    const open = readdirSync(folder).filter((name) => (statSync(join(folder, name)).mode & 0o077) !== 0);
    await log.close();
    expect(open).toEqual([]);
  });
});

describe('a log that cannot be opened', () => {
  it('says so for a missing folder, a folder and a file in the way', async () => {
    const { folder } = scratch;
    mkdirSync(join(folder, 'inside'));
    writeFileSync(join(folder, 'file'), '');
    for (const path of [join(folder, 'missing/log.db'), join(folder, 'inside'), join(folder, 'file/log.db')]) {
      await expect(openSqliteLog({ path }), path).rejects.toMatchObject({ code: 'LOG_OPEN_FAILED', retry: 'operator' });
    }
    expect(existsSync(join(folder, 'missing'))).toBe(false);
  });

  it('accepts names that mean something to SQLite, SQL or URLs', async () => {
    for (const name of [`it's "50%41" ?mode=ro#x.db`, 'file:x.db', ':memory:', 'ü 😀.db']) {
      const path = join(scratch.folder, name);
      const log = await openSqliteLog({ path });
      await append(log, ['taker-swap/a', 0], 'Started');
      await log.backup(`${path}.copy`);
      await log.close();
      for (const file of [path, `${path}.copy`]) {
        const again = await openSqliteLog({ path: file });
        expect((await again.read('taker-swap/a')).length, file).toBe(1);
        await again.close();
      }
    }
  });
});

describe('a log whose files are removed while it is open', () => {
  it.each(['', '-wal', '-lock'])('writes nothing more once %j of it is gone, and says which', async (suffix) => {
    const { path } = scratch;
    const log = await openSqliteLog({ path });
    await append(log, ['taker-swap/a', 0], 'Started');
    renameSync(`${path}${suffix}`, `${path}${suffix}.away`);
    await expect(append(log, ['taker-swap/a', 1], 'Negotiated')).rejects.toMatchObject({
      code: 'LOG_WRITE_FAILED',
      retry: 'operator',
      facts: { gone: expect.stringMatching(new RegExp(`log\\.db${suffix}$`)) },
    });
    renameSync(`${path}${suffix}.away`, `${path}${suffix}`);
    await expect(append(log, ['taker-swap/a', 1], 'Negotiated')).rejects.toMatchObject({ code: 'LOG_WRITE_FAILED' });
    await log.close();
    const again = await openSqliteLog({ path });
    expect((await again.read('taker-swap/a')).map(({ type }) => type)).toEqual(['Started']);
    await again.close();
  });
});
