import { chmodSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqliteLog } from '../../../../src/log/sqlite/open.ts';
import { append } from '../../../../src/testing/contracts/log/expect.ts';
import { contentOf } from '../../../support/log-parts.ts';
import { scratchLog } from '../../../support/logs.ts';

let scratch: ReturnType<typeof scratchLog>;
beforeEach(() => {
  scratch = scratchLog();
});
afterEach(() => scratch.dispose());

/** Runs what is tried as a user without rights of his own: everything is open to the one that tests may run as. */
async function asOrdinaryUser<T>(action: () => Promise<T>): Promise<T> {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    return await action();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

describe.skipIf(process.platform === 'win32')('a user without the right to', () => {
  it('write to the folder reads the log, and is refused when it tries to write', async () => {
    const { path, folder } = scratch;
    const writer = await openSqliteLog({ path });
    await append(writer, ['taker-swap/a', 0], 'Started');
    await writer.close();
    for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o444);
    chmodSync(folder, 0o555);
    const before = contentOf(folder);
    await asOrdinaryUser(async () => {
      const reader = await openSqliteLog({ path, readOnly: true });
      expect(await reader.read('taker-swap/a')).toHaveLength(1);
      await reader.close();
      const refused = { code: 'LOG_OPEN_FAILED', retry: 'operator', facts: { file: path, reason: 'EACCES' } };
      await expect(openSqliteLog({ path })).rejects.toMatchObject(refused);
    });
    expect(contentOf(folder)).toEqual(before);
    chmodSync(folder, 0o700);
  });

  it('read the log learns so, whether it wants to read or to write', async () => {
    const { path, folder } = scratch;
    await (await openSqliteLog({ path })).close();
    chmodSync(folder, 0o755);
    for (const readOnly of [true, false]) {
      const opening = asOrdinaryUser(() => openSqliteLog({ path, readOnly }));
      const refused = { code: 'LOG_OPEN_FAILED', retry: 'operator', facts: { file: path, reason: 'EACCES' } };
      await expect(opening).rejects.toMatchObject(refused);
    }
  });
});

describe('a log that is opened to be read', () => {
  it('shows one moment of it beside the writer, whatever the writer does meanwhile', async () => {
    const { path } = scratch;
    const writer = await openSqliteLog({ path });
    await append(writer, ['taker-swap/a', 0], 'Started');
    const reader = await openSqliteLog({ path, readOnly: true });
    await append(writer, ['taker-swap/a', 1], 'Negotiated');
    await append(writer, ['taker-swap/b', 0], 'Started');
    expect((await reader.find({})).map(({ stream, length }) => [stream, length])).toEqual([['taker-swap/a', 1]]);
    expect((await reader.read('taker-swap/a')).map(({ type }) => type)).toEqual(['Started']);
    expect(reader.end()).toBe(1);
    await reader.close();
    const later = await openSqliteLog({ path, readOnly: true });
    expect((await later.read('taker-swap/a')).map(({ type }) => type)).toEqual(['Started', 'Negotiated']);
    await later.close();
    await append(writer, ['taker-swap/b', 1], 'Negotiated');
    await writer.close();
  });

  it('takes no lock and leaves no file behind', async () => {
    const { path, folder } = scratch;
    const writer = await openSqliteLog({ path });
    await append(writer, ['taker-swap/a', 0], 'Started');
    await writer.close();
    const reader = await openSqliteLog({ path, readOnly: true });
    const second = await openSqliteLog({ path });
    await append(second, ['taker-swap/a', 1], 'Negotiated');
    await second.close();
    await reader.close();
    expect(readdirSync(folder).filter((name) => !/^log\.db(-lock|-wal|-shm)?$/.test(name))).toEqual([]);
  });

  it('refuses to write, to make a log, and to read a damaged one', async () => {
    const { path } = scratch;
    await expect(openSqliteLog({ path, readOnly: true })).rejects.toMatchObject({ code: 'LOG_OPEN_FAILED' });
    expect(existsSync(path)).toBe(false);
    const writer = await openSqliteLog({ path });
    const reader = await openSqliteLog({ path, readOnly: true });
    await expect(append(reader, ['taker-swap/a', 0], 'Started')).rejects.toMatchObject({ code: 'LOG_READ_ONLY' });
    await expect(reader.reindex(() => ({}) as never)).rejects.toMatchObject({ code: 'LOG_READ_ONLY' });
    await reader.close();
    await writer.close();
    writeFileSync(path, 'no log at all, but a text');
    await expect(openSqliteLog({ path, readOnly: true })).rejects.toMatchObject({ code: 'LOG_DAMAGED' });
  });
});
