import { copyFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseMark } from '../../src/log/sqlite/mark.ts';
import { notesAt } from '../../src/log/sqlite/notes.ts';
import { openSqliteLog } from '../../src/log/sqlite/open.ts';
import { append } from '../../src/testing/contracts/log/expect.ts';
import { contentOf, recordsOf, unpackDurable, writeKilled } from '../support/log-parts.ts';
import { scratchLog } from '../support/logs.ts';

let scratch: ReturnType<typeof scratchLog>;
const at = (name: string): string => join(scratch.folder, name);
beforeEach(() => {
  scratch = scratchLog();
});
afterEach(() => scratch.dispose());

const SHAPES: Readonly<Record<string, readonly [streams: number, records: number]>> = {
  'log.db': [4, 52],
  'killed.db': [4, 52],
};

describe.each(readdirSync(join(import.meta.dirname, 'durable')))('a durable log of %s', (release) => {
  it.each(Object.keys(SHAPES))('%s is read as it is, then written to, with all that it held', async (name) => {
    unpackDurable(release, scratch.folder);
    const before = contentOf(scratch.folder);
    const reader = await openSqliteLog({ path: at(name), readOnly: true });
    const held = await recordsOf(reader);
    expect([held.size, reader.end()]).toEqual(SHAPES[name]);
    expect(reader.opening).toEqual({ recovery: undefined, tail: 'whole' });
    await reader.close();
    expect(contentOf(scratch.folder)).toEqual(before);
    expect(notesAt(at(name)).mark).toBeUndefined();

    const writer = await openSqliteLog({ path: at(name) });
    expect(writer.opening).toEqual({ recovery: undefined, tail: 'whole' });
    expect(await recordsOf(writer)).toEqual(held);
    await append(writer, ['taker-swap/new', 0], 'Started');
    await writer.close();
    const { log } = notesAt(at(name)).mark ?? {};
    expect(log).toMatch(/^[0-9a-f]{32}$/);
    const again = await openSqliteLog({ path: at(name) });
    expect([(await recordsOf(again)).size, again.opening.tail]).toEqual([held.size + 1, 'whole']);
    await again.close();
    // The identity is given once, and stays.
    expect(notesAt(at(name)).mark?.log).toBe(log);
    expect(readdirSync(scratch.folder).filter((file) => file.startsWith('.swapfold'))).toEqual([]);
  });

  it('refuses the write-ahead log of a log that has an identity', async () => {
    unpackDurable(release, scratch.folder);
    await writeKilled(at('b.db'), { inFile: 0, inWal: 40, to: at('foreign.db') });
    for (const name of ['log.db', 'killed.db']) {
      copyFileSync(at('foreign.db-wal'), at(`${name}-wal`));
      rmSync(at(`${name}-shm`), { force: true });
      for (const readOnly of [true, false]) {
        await expect(openSqliteLog({ path: at(name), readOnly })).rejects.toMatchObject({ code: 'LOG_WAL_FOREIGN' });
      }
    }
  });
});

describe('a mark', () => {
  it('does not exist in text that an earlier release wrote', () => {
    expect([parseMark(''), parseMark('1'), parseMark('0')]).toEqual([undefined, undefined, undefined]);
  });
});
