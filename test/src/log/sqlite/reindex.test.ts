import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqliteLog } from '../../../../src/log/sqlite/open.ts';
import { append, record } from '../../../../src/testing/contracts/log/expect.ts';
import { alterRecord, scratchLog } from '../../../support/logs.ts';

let scratch: ReturnType<typeof scratchLog>;
beforeEach(() => {
  scratch = scratchLog();
});
afterEach(() => scratch.dispose());

describe('reindex', () => {
  it('computes all labels again, and reports how many streams changed', async () => {
    const log = await openSqliteLog({ path: scratch.path });
    const streams = Array.from({ length: 200 }, (_, index) => `taker-swap/${index}`);
    await Promise.all(
      streams.map((stream, index) =>
        log.append({
          stream,
          expected: 0,
          records: Array.from({ length: 1 + (index % 15) }, () => record('Step')),
          labels: index === 4 ? { state: 'length 5' } : { outcome: 'wrong' },
        }),
      ),
    );
    const labelsOf = (_: string, records: readonly unknown[]) => ({ state: `length ${records.length}` });
    const appended = append(log, ['taker-swap/3', 4], 'Later');
    expect(await log.reindex(labelsOf)).toBe(199);
    await appended;
    expect(await log.reindex(labelsOf)).toBeLessThanOrEqual(1);
    const wrong = (await log.find({})).filter(({ length, labels }) => labels.state !== `length ${length}`);
    expect(wrong).toEqual([]);
    expect(await log.find({ outcome: 'wrong' })).toEqual([]);
    await log.close();
    const again = await openSqliteLog({ path: scratch.path });
    expect(again.opening.recovery).toBeUndefined();
    await again.close();
  });

  it('passes over damaged streams', async () => {
    const log = await openSqliteLog({ path: scratch.path });
    await append(log, ['taker-swap/a', 0], 'One');
    await append(log, ['taker-swap/b', 0], 'One');
    await log.close();
    alterRecord(scratch.path, 'taker-swap/a', 0);
    const again = await openSqliteLog({ path: scratch.path });
    const asked: string[] = [];
    await again.reindex((stream) => {
      asked.push(stream);
      return {};
    });
    expect(asked).toEqual(['taker-swap/b']);
    await again.close();
  });
});
