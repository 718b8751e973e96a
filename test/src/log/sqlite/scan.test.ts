import { describe, expect, it } from 'vitest';
import { openSqliteLog } from '../../../../src/log/sqlite/index.ts';
import type { ScannedRecord } from '../../../../src/ports/event-log.ts';
import type { Millis } from '../../../../src/primitives/time.ts';
import { scratchFolder } from '../../../support/cli.ts';
import { alterRecord } from '../../../support/logs.ts';

const record = (type: string, data: unknown, at = 7) => ({ at: at as Millis, type, version: 1, data });

async function scanOf(path: string, types: readonly string[]): Promise<readonly ScannedRecord[]> {
  const log = await openSqliteLog({ path, readOnly: true });
  const found: ScannedRecord[] = [];
  await log.scan(types, (one) => found.push(one));
  await log.close();
  return found;
}

describe('a scan of a log in a file', () => {
  it('gives every record of the types, more than one page of them and many of one stream, and no others', async () => {
    using scratch = scratchFolder();
    const path = scratch.file('log.db');
    const log = await openSqliteLog({ path });
    const many = Array.from({ length: 300 }, (_, index) => record('Many', { index }));
    await log.append({ stream: 'a/1', expected: 0, records: [record('One', { amount: '0.10' }, 5), ...many] });
    await log.append({ stream: 'b/1', expected: 0, records: [record('Other', null), ...many.slice(0, 20)] });
    await log.close();
    const found = await scanOf(path, ['One', 'Many', 'Absent']);
    expect(found).toHaveLength(321);
    expect(found[0]).toEqual({ stream: 'a/1', at: 5, type: 'One', data: { amount: '0.10' } });
    expect(found.slice(1).map(({ stream, data }) => [stream, (data as { index: number }).index])).toEqual([
      ...many.map((_, index) => ['a/1', index]),
      ...many.slice(0, 20).map((_, index) => ['b/1', index]),
    ]);
  });

  it('leaves out quarantined records', async () => {
    using scratch = scratchFolder();
    const path = scratch.file('log.db');
    const log = await openSqliteLog({ path });
    for (const stream of ['a/1', 'a/2']) await log.append({ stream, expected: 0, records: [record('One', stream)] });
    await log.close();
    alterRecord(path, 'a/1', 0);
    expect((await scanOf(path, ['One'])).map(({ stream }) => stream)).toEqual(['a/2']);
  });
});
