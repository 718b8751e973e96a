import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { savedSwapText } from '../../../../src/events/encode.ts';
import { openSqliteLog } from '../../../../src/log/sqlite/index.ts';
import { notesAt } from '../../../../src/log/sqlite/notes.ts';
import { buildSwap, successPath } from '../../../../src/testing/logs/swap-builder.ts';
import { jsonRows, runCli, SAMPLES, scratchFolder } from '../../../support/cli.ts';

type Saved = { readonly uuid: string; readonly events: { timestamp: number }[] };
const SAMPLE = JSON.parse(readFileSync(`${SAMPLES}/sound/completed.json`, 'utf8')) as Saved;
const textOf = (events: Saved['events']): string => JSON.stringify({ ...SAMPLE, events });

describe('import', () => {
  it('adds what a swap has grown by, and shows each event that differs', async () => {
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
      `${SAMPLE.uuid}  taker  grown by ${grown} events\n0 swaps imported, 1 grown, 0 known, 0 refused\n`,
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

  it('writes many swaps with a few transactions, and reports them in the order of the files', async () => {
    const logs = Array.from({ length: 150 }, (_, seed) =>
      buildSwap({ role: 'taker', path: successPath('taker'), seed }),
    );
    const lines = logs.map((log) => savedSwapText(log));
    // The same swap again, shorter, within one transaction, and what is none.
    const [first = '', second = ''] = lines;
    const early = JSON.stringify({ ...JSON.parse(second), events: JSON.parse(second).events.slice(0, 4) });
    using scratch = scratchFolder({ 'swaps.jsonl': [first, early, '{"events":[', ...lines].join('\n') });
    const log = scratch.file('swaps.db');
    const { out } = await runCli(['import', '--json', '--log', log, scratch.file('swaps.jsonl')]);
    const rows = jsonRows<{ uuid: string | null; result: string; appended?: number }>(out);
    expect(rows.map(({ uuid }) => uuid)).toEqual([logs[0]?.uuid, logs[1]?.uuid, null, ...logs.map(({ uuid }) => uuid)]);
    expect(rows.slice(0, 6).map(({ result }) => result)).toEqual([
      'imported',
      'imported',
      'refused',
      'known',
      'grown',
      'imported',
    ]);
    expect(notesAt(log).mark?.serial).toBeLessThan(12);
    const held = await openSqliteLog({ path: log, readOnly: true });
    expect((await held.find({})).map(({ length }) => length)).toEqual(logs.map(({ events }) => events.length + 1));
    await held.close();
  });
});
