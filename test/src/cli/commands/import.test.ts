import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openSqliteLog } from '../../../../src/log/sqlite/index.ts';
import { jsonRows, runCli, SAMPLES, scratchFolder } from '../../../support/cli.ts';

type Saved = { readonly uuid: string; readonly events: { timestamp: number }[] };
const SAMPLE = JSON.parse(readFileSync(`${SAMPLES}/sound/completed.json`, 'utf8')) as Saved;
const textOf = (events: Saved['events']): string => JSON.stringify({ ...SAMPLE, events });

describe('import', () => {
  it('takes what a swap has grown by, and shows event by event what is another one', async () => {
    const [first, second, ...rest] = SAMPLE.events as [Saved['events'][0], Saved['events'][0], ...Saved['events']];
    const moved = [first, { ...second, timestamp: second.timestamp + 1 }, ...rest];
    using scratch = scratchFolder({
      'early.json': textOf(SAMPLE.events.slice(0, 4)),
      'late.json': textOf(SAMPLE.events),
      'other.json': textOf(moved),
    });
    const log = scratch.file('swaps.db');
    const take = (name: string, ...options: readonly string[]) =>
      runCli(['import', '--log', log, scratch.file(name), ...options]);
    expect((await take('early.json')).out).toContain('1 swap imported, 0 known, 0 refused');
    const grown = SAMPLE.events.length - 4;
    const { code, out } = await take('late.json');
    expect([code, out]).toEqual([
      0,
      `${SAMPLE.uuid}  grown by ${grown} events\n0 swaps imported, 1 grown, 0 known, 0 refused\n`,
    ]);
    expect(jsonRows((await take('late.json', '--json')).out)).toMatchObject([{ result: 'known' }]);
    const other = await take('other.json', '--json');
    expect(other.code).toBe(1);
    const stored = `timestamp stored ${second.timestamp}, given ${second.timestamp + 1}`;
    expect(jsonRows(other.out)).toMatchObject([
      { result: 'refused', error: { code: 'SWAP_EXISTS', 'event 1': expect.stringContaining(stored) } },
    ]);
    expect((await take('other.json')).err.replaceAll(/\s+/g, ' ')).toContain(stored);
    const held = await openSqliteLog({ path: log, readOnly: true });
    expect((await held.find({})).map(({ length }) => length)).toEqual([SAMPLE.events.length + 1]);
    await held.close();
  });
});
