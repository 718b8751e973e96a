import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connect } from '../../../../src/log/sqlite/connection.ts';
import { openSqliteLog } from '../../../../src/log/sqlite/open.ts';
import type { SqliteLog } from '../../../../src/log/sqlite/sqlite-log.ts';
import { append, collect, record, until } from '../../../../src/testing/contracts/log/expect.ts';
import { alterRecord, scratchLog } from '../../../support/logs.ts';

const A = 'taker-swap/a';
const B = 'taker-swap/b';

let scratch: ReturnType<typeof scratchLog>;
let log: SqliteLog;
beforeEach(async () => {
  scratch = scratchLog();
  log = await openSqliteLog({ path: scratch.path });
  await append(log, [A, 0], 'One', 'Two', 'Three');
  await append(log, [B, 0], 'Four');
});
afterEach(async () => {
  await log.close();
  scratch.dispose();
});

describe('a record that decays while the log is open', () => {
  it('is found when its stream is read, which is then apart', async () => {
    alterRecord(scratch.path, A, 1);
    await expect(log.read(A)).rejects.toMatchObject({ code: 'LOG_DAMAGED', stream: A, facts: { seq: 1 } });
    expect(log.quarantined()).toMatchObject([{ stream: A, seq: 1 }]);
    await expect(append(log, [A, 3], 'Five')).rejects.toMatchObject({ code: 'LOG_DAMAGED' });
    expect((await log.read(B)).length).toBe(1);
  });

  it('is not delivered to a late subscriber, nor is what follows it', async () => {
    alterRecord(scratch.path, A, 1);
    const { seen } = collect(log, { after: 0 });
    await until(() => seen.some(({ envelope }) => envelope.stream === B), 'the other stream');
    expect(seen.map(({ envelope }) => envelope.type)).toEqual(['One', 'Four']);
    expect(log.quarantined()).toMatchObject([{ stream: A, seq: 1 }]);
  });

  it('is found when it is gone', async () => {
    const connection = connect(scratch.path);
    connection.exec('DELETE FROM records WHERE position = 3');
    connection.close();
    await expect(log.read(A)).rejects.toMatchObject({ code: 'LOG_DAMAGED', facts: { seq: 2 } });
  });
});

describe('a subscriber of one stream', () => {
  it('gets it from any position, with many others between', async () => {
    for (let seq = 3; seq < 400; seq += 2) {
      await Promise.all([append(log, [A, seq], 'Step', 'Step'), append(log, [B, (seq - 1) / 2], 'Other')]);
    }
    const all = collect(log, { after: 0 });
    await until(() => all.seen.at(-1)?.position === log.end(), 'all entries');
    for (const after of [0, 1, 3, 4, 5, 250, 599, log.end() - 1, log.end()]) {
      const due = all.seen.filter(({ position, envelope }) => position > after && envelope.stream === A);
      const { seen, close } = collect(log, { after, stream: A });
      await until(() => seen.length >= due.length, `entries after ${after}`);
      expect(seen).toEqual(due);
      close();
    }
  });
});

describe('records of the largest size', () => {
  it('are read back in pages', async () => {
    const large = 'x'.repeat(2_000_000);
    const records = Array.from({ length: 6 }, () => record('Large', large));
    await log.append({ stream: B, expected: 1, records });
    const held = await log.read(B);
    expect(held.map(({ data }) => (typeof data === 'string' ? data.length : 0))).toEqual([
      0,
      ...Array(6).fill(2_000_000),
    ]);
  });
});
