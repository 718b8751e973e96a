import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Connection, connect } from '../../../../src/log/sqlite/connection.ts';
import { type EncodedBatch, encodeBatch } from '../../../../src/log/sqlite/encode.ts';
import { createGroupCommit, type GroupCommit } from '../../../../src/log/sqlite/group-commit.ts';
import { createHeads } from '../../../../src/log/sqlite/heads.ts';
import { firstMark, markText } from '../../../../src/log/sqlite/mark.ts';
import { createSchema } from '../../../../src/log/sqlite/schema.ts';
import type { Envelope } from '../../../../src/primitives/envelope.ts';
import { record } from '../../../../src/testing/contracts/log/expect.ts';
import { scratchLog } from '../../../support/logs.ts';

let scratch: ReturnType<typeof scratchLog>;
let connection: Connection;
let statements: string[];
beforeEach(() => {
  scratch = scratchLog();
  connection = connect(scratch.path);
  createSchema(connection, { home: scratch.path });
  connection.exec('PRAGMA journal_mode = WAL');
  statements = [];
});
afterEach(() => {
  connection.close();
  scratch.dispose();
});

/** Notes which statements run; `fail` may throw in the place of one. */
function watched(fail: (sql: string) => void = () => {}): Connection {
  return {
    ...connection,
    prepare: (sql) => {
      const statement = connection.prepare(sql);
      return {
        ...statement,
        run: (parameters) => {
          statements.push(sql);
          fail(sql);
          statement.run(parameters);
        },
      };
    },
  };
}

function groupOver(given: Connection, areEntriesWanted = true): GroupCommit {
  return createGroupCommit({
    connection: given,
    file: 'log.db',
    heads: createHeads(given),
    end: 0,
    quarantined: new Map(),
    areEntriesWanted: () => areEntriesWanted,
  });
}

type Answer = readonly Envelope[] | (Error & { readonly code?: string });

function commit(group: GroupCommit, ...batches: readonly EncodedBatch[]) {
  const answers: Answer[] = [];
  const pending = batches.map((batch, index) => {
    const note = (answer: Answer) => {
      answers[index] = answer;
    };
    return { batch, resolve: note, reject: note };
  });
  const entries = group.commit(pending);
  return { entries, codes: answers.map((answer) => (answer instanceof Error ? answer.code : answer.length)) };
}

const batch = (stream: string, expected: number, ...types: readonly string[]) =>
  encodeBatch({ stream, expected, records: types.map((type) => record(type)) });

const count = (): unknown => connection.value('SELECT count(*) FROM records');

describe('group commit', () => {
  it('G1: writes batches of many streams in one transaction, and answers after it', () => {
    const group = groupOver(watched());
    const { codes, entries } = commit(
      group,
      batch('a/1', 0, 'One', 'Two'),
      batch('b/1', 0, 'Three'),
      batch('a/1', 2, 'Four'),
    );
    expect(codes).toEqual([2, 1, 1]);
    expect(entries.map(({ position, envelope }) => [position, envelope.stream, envelope.seq])).toEqual([
      [1, 'a/1', 0],
      [2, 'a/1', 1],
      [3, 'b/1', 0],
      [4, 'a/1', 2],
    ]);
    expect(statements.filter((sql) => sql === 'COMMIT')).toHaveLength(1);
  });

  it('G2: refuses a batch that conflicts alone', () => {
    const group = groupOver(connection);
    const { codes } = commit(group, batch('a/1', 0, 'One'), batch('a/1', 0, 'Late'), batch('b/1', 0, 'Two'));
    expect(codes).toEqual([1, 'LOG_CONFLICT', 1]);
    expect(count()).toBe(2);
  });

  it('G3: refuses the whole group when the disk is full, leaves nothing of it, and continues when there is room', () => {
    const group = groupOver(connection);
    commit(group, batch('a/1', 0, 'One'));
    const pages = connection.value('PRAGMA page_count') as number;
    connection.exec(`PRAGMA max_page_count = ${pages}`);
    const large = encodeBatch({ stream: 'b/1', expected: 0, records: [record('Large', 'x'.repeat(100_000))] });
    const full = commit(group, batch('a/1', 1, 'Two'), large, batch('a/1', 5, 'Wrong'));
    expect(full).toEqual({ entries: [], codes: ['LOG_WRITE_FAILED', 'LOG_WRITE_FAILED', 'LOG_WRITE_FAILED'] });
    expect(count()).toBe(1);
    expect(connection.inTransaction()).toBe(false);
    connection.exec('PRAGMA max_page_count = 100000');
    expect(commit(group, batch('a/1', 1, 'Two'), large).codes).toEqual([1, 1]);
    expect(group.end()).toBe(3);
  });

  it('G4: writes nothing more after an error that leaves the disk in doubt', () => {
    const failure = Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_FSYNC', rawCode: 1034 });
    let failing = true;
    const group = groupOver(
      watched((sql) => {
        if (failing && sql === 'COMMIT') throw failure;
      }),
    );
    expect(commit(group, batch('a/1', 0, 'One')).codes).toEqual(['LOG_WRITE_FAILED']);
    failing = false;
    expect(commit(group, batch('a/1', 0, 'One')).codes).toEqual(['LOG_WRITE_FAILED']);
    expect(count()).toBe(0);
  });

  it('writes nothing once another process has written to the log, whatever its lock says', () => {
    const group = groupOver(connection);
    expect(commit(group, batch('a/1', 0, 'One')).codes).toEqual([1]);
    connection.exec(`UPDATE meta SET value = '${markText(firstMark())}' WHERE name = 'mark'`);
    expect(commit(group, batch('a/1', 1, 'Two')).codes).toEqual(['LOG_WRITE_FAILED']);
    expect(count()).toBe(1);
    expect(connection.inTransaction()).toBe(false);
  });

  it('builds no entries without subscribers, and still answers', () => {
    const { codes, entries } = commit(groupOver(connection, false), batch('a/1', 0, 'One', 'Two'));
    expect({ codes, entries }).toEqual({ codes: [2], entries: [] });
    expect(count()).toBe(2);
  });

  it('continues after another program held the file', () => {
    const group = groupOver(connection);
    const other = connect(scratch.path);
    other.exec('BEGIN IMMEDIATE');
    expect(commit(group, batch('a/1', 0, 'One')).codes).toEqual(['LOG_WRITE_FAILED']);
    other.exec('ROLLBACK');
    expect(commit(group, batch('a/1', 0, 'One')).codes).toEqual([1]);
  });
});
