import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqliteLog } from '../../../../src/log/sqlite/open.ts';
import { append } from '../../../../src/testing/log-expect.ts';
import { scratchLog } from '../../../support/logs.ts';

let scratch: ReturnType<typeof scratchLog>;
beforeEach(() => {
  scratch = scratchLog();
});
afterEach(() => scratch.dispose());

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
