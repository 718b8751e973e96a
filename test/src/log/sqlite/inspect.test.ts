import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connect } from '../../../../src/log/sqlite/connection.ts';
import { inspectLog } from '../../../../src/log/sqlite/inspect.ts';
import { openSqliteLog } from '../../../../src/log/sqlite/open.ts';
import { append } from '../../../../src/testing/log-expect.ts';
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
    ["UPDATE streams SET outcome = 'completed' WHERE id = 7", 'what is noted of a stream is damaged'],
    ['UPDATE streams SET first_at = 1 WHERE id = 7', 'what is noted of a stream is damaged'],
    ["UPDATE streams SET machine = 'maker-swap' WHERE id = 599", 'what is noted of a stream is damaged'],
    ['UPDATE tips SET length = 1 WHERE id = 7', 'what is noted of a stream is damaged'],
    ['DELETE FROM tips WHERE id = 7', 'what is noted of a stream is missing'],
    [
      'DELETE FROM streams WHERE id = 599; DELETE FROM tips WHERE id = 599',
      'records belong to a stream that is not noted',
    ],
    ['DELETE FROM streams WHERE id = 7; DELETE FROM tips WHERE id = 7', 'records belong to a stream that is not noted'],
    ['DELETE FROM records WHERE stream = 7', 'a stream has lost its records'],
    ['DELETE FROM records WHERE stream = 599', 'a stream has lost its records'],
    ['DELETE FROM records WHERE position = 8', 'what is noted of a stream does not fit its records'],
    ['UPDATE records SET position = 1000 WHERE position = 8', 'the place of a record is damaged'],
    ["UPDATE records SET name = 'taker-swap/x' WHERE position = 7", 'the place of a record is damaged'],
    ["UPDATE meta SET value = '2' WHERE name = 'format'", 'the format is not noted in the tables'],
    ['PRAGMA user_version = 2', 'the header does not name this format'],
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
