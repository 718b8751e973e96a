import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connect } from '../../../../src/log/sqlite/connection.ts';
import { inspectLog } from '../../../../src/log/sqlite/inspect.ts';
import { openSqliteLog } from '../../../../src/log/sqlite/open.ts';
import { append } from '../../../../src/testing/contracts/log/expect.ts';
import { contentOf } from '../../../support/log-parts.ts';
import { scratchLog } from '../../../support/logs.ts';

let scratch: ReturnType<typeof scratchLog>;
beforeEach(async () => {
  scratch = scratchLog();
  const log = await openSqliteLog({ path: scratch.path });
  const streams = Array.from({ length: 300 }, (_, index) => `taker-swap/${index}`);
  await Promise.all(streams.map((stream) => append(log, [stream, 0], 'One', 'Two')));
  await log.close();
});
afterEach(() => scratch.dispose());

function alter(sql: string): void {
  const connection = connect(scratch.path);
  connection.exec(sql);
  connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  connection.close();
}

describe('what the structure of a file does not show', () => {
  it.each([
    ["UPDATE streams SET outcome = 'completed' WHERE id = 7", 'notes about a stream are damaged'],
    ['UPDATE streams SET first_at = 1 WHERE id = 7', 'notes about a stream are damaged'],
    ["UPDATE streams SET machine = 'maker-swap' WHERE id = 599", 'notes about a stream are damaged'],
    ['UPDATE tips SET length = 1 WHERE id = 7', 'notes about a stream are damaged'],
    ['DELETE FROM tips WHERE id = 7', 'notes about a stream are missing'],
    ['DELETE FROM streams WHERE id = 599; DELETE FROM tips WHERE id = 599', 'records belong to an unknown stream'],
    ['DELETE FROM streams WHERE id = 7; DELETE FROM tips WHERE id = 7', 'records belong to an unknown stream'],
    ['DELETE FROM records WHERE stream = 7', 'a stream has lost its records'],
    ['DELETE FROM records WHERE stream = 599', 'a stream has lost its records'],
    ['DELETE FROM records WHERE position = 8', 'notes about a stream do not match its records'],
    ['UPDATE records SET position = 1000 WHERE position = 8', 'the position of a record is damaged'],
    ["UPDATE records SET name = 'taker-swap/x' WHERE position = 7", 'the position of a record is damaged'],
    ["UPDATE meta SET value = '3' WHERE name = 'format'", 'the format is not noted in the tables'],
    ['PRAGMA user_version = 3', 'the header does not name this format'],
    ['PRAGMA application_id = 2', 'the header does not name this format'],
    ['CREATE TABLE more(a)', 'the definitions of the tables were changed'],
  ])('is found: %s', async (sql, damage) => {
    alter(sql);
    expect(await inspectLog(scratch.path)).toMatchObject({ damage, quarantined: [] });
  });

  it.each([
    ["UPDATE records SET type = 'Three' WHERE position = 8", 1],
    ['UPDATE records SET at = at + 1 WHERE position = 7', 0],
    ['UPDATE records SET version = 2 WHERE position = 8', 1],
    ["UPDATE records SET extra = 'null' WHERE position = 8", 1],
    ["UPDATE records SET data = CAST(x'22ff22' AS TEXT) WHERE position = 8", 1],
    ['UPDATE records SET hash = zeroblob(32) WHERE position = 7', 0],
    ['DELETE FROM records WHERE position = 7', 0],
    ['UPDATE records SET seq = 2 WHERE position = 8', 1],
  ])('sets one stream apart: %s', async (sql, seq) => {
    alter(sql);
    const { damage, quarantined } = await inspectLog(scratch.path);
    expect({ damage, quarantined }).toMatchObject({
      damage: undefined,
      quarantined: [{ stream: 'taker-swap/3', seq }],
    });
  });
});

describe('a SQLite file of another program', () => {
  const foreign = (name: string, tables: readonly string[], wal: boolean): string => {
    const path = join(scratch.folder, name);
    const connection = connect(path);
    if (wal) connection.exec('PRAGMA journal_mode = WAL');
    for (const table of tables) connection.exec(`CREATE TABLE ${table}(uuid TEXT); INSERT INTO ${table} VALUES ('x')`);
    if (wal) connection.exec('PRAGMA wal_checkpoint(PASSIVE)');
    else connection.close();
    return path;
  };

  it.each([
    [false, ['my_swaps', 'my_orders', 'stats_swaps'], 'my_orders, my_swaps, stats_swaps', /SWAPS\/MY/],
    [true, ['my_swaps'], 'my_swaps', /SWAPS\/MY/],
    [false, ['a', 'b', 'c', 'd', 'e', 'f', 'g'], 'a, b, c, d, e and 2 more', /another file for a new one/],
    [false, ['records'], 'records', /another file for a new one/],
  ])('is named as what it is and left as it is (write-ahead log: %s)', async (wal, tables, shown, next) => {
    const path = foreign('MM2.db', tables, wal);
    const before = contentOf(scratch.folder);
    for (const readOnly of [true, false]) {
      const refused = await openSqliteLog({ path, readOnly }).catch((error: unknown) => error);
      expect(refused).toMatchObject({ code: 'LOG_FOREIGN', facts: { file: path, tables: shown } });
      expect((refused as { next?: string }).next).toMatch(next);
      expect((refused as Error).message).toContain(
        `a SQLite file of another program, not an event log; its tables: ${shown}.`,
      );
      expect((refused as Error).message).not.toMatch(/damaged|for writing/i);
    }
    expect(contentOf(scratch.folder)).toEqual(before);
  });

  it('may have no table at all', async () => {
    const path = foreign('empty.db', ['a'], false);
    const connection = connect(path);
    connection.exec('DROP TABLE a');
    connection.close();
    await expect(openSqliteLog({ path })).rejects.toMatchObject({ code: 'LOG_FOREIGN', facts: { tables: 'none' } });
  });
});
