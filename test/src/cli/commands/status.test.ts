import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { savedSwapText } from '../../../../src/events/encode.ts';
import { openSqliteLog } from '../../../../src/log/sqlite/index.ts';
import { buildSwap, successPath } from '../../../../src/testing/logs/swap-builder.ts';
import { jsonRows, runCli, scratchFolder } from '../../../support/cli.ts';

const reads = vi.hoisted((): string[] => []);
vi.mock('../../../../src/log/sqlite/index.ts', async (original) => {
  const real = await original<typeof import('../../../../src/log/sqlite/index.ts')>();
  return {
    ...real,
    openSqliteLog: async (options: Parameters<typeof real.openSqliteLog>[0]) => {
      const log = await real.openSqliteLog(options);
      const read: typeof log.read = (stream, from) => {
        reads.push(stream);
        return log.read(stream, from);
      };
      return { ...log, read };
    },
  };
});

describe('status', () => {
  it.each([
    ['--outcome', 'completd', 'Did you mean completed?'],
    ['--outcome', 'gone', 'Known are in-progress, completed, refunded'],
    ['--event', 'takerpaymentsent', 'Did you mean TakerPaymentSent'],
    ['--event', 'PaymentReorg', 'Did you mean PaymentReorged'],
    ['--event', 'xyz', 'Known are '],
  ])('refuses %s %s with the known values', async (option, value, hint) => {
    using scratch = scratchFolder();
    const { code, out, err } = await runCli(['status', '--log', scratch.file('none.db'), option, value]);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(`argument '${value}' is invalid. ${hint}`);
    expect(err).toMatch(/[^?.][.?] See swapfold status --help/);
  });

  it.each([
    ['--outcome', 'funds-at-risk'],
    ['--event', 'PaymentReorged'],
    ['--event', 'WatchRequested'],
  ])('accepts %s %s', async (...option) => {
    using scratch = scratchFolder();
    await (await openSqliteLog({ path: scratch.file('swaps.db') })).close();
    const { code, out } = await runCli(['status', '--log', scratch.file('swaps.db'), ...option]);
    expect([code, out]).toEqual([0, 'no swaps\n']);
  });
});

describe('status at a moment', () => {
  const imported = async (log: string) => {
    expect((await runCli(['import', '--log', log, 'docs/samples/sound/claim-failed.json'])).code).toBe(1);
  };

  it.each([
    ['2024-12-19T03:00:00Z', 'There are 1 h 19 min left.', false],
    ['2024-12-19T04:19:58Z', 'There are 0 s left.', false],
    [
      '2024-12-19T04:19:59Z',
      'is still there: since 2024-12-19 04:19:58 UTC (1 s ago) the maker could refund it.',
      true,
    ],
  ])('says at %s how far away the next step is', async (now, text, overdue) => {
    using scratch = scratchFolder();
    const log = scratch.file('swaps.db');
    await imported(log);
    const shown = await runCli(['status', '--log', log, '--now', now]);
    expect([shown.code, shown.out.replaceAll(/\s+/g, ' ')]).toEqual([1, expect.stringContaining(text)]);
    const json = await runCli(['status', '--log', log, '--now', now, '--json']);
    expect(JSON.parse(json.out)).toMatchObject({ outcome: 'funds-at-risk', overdue });
    const told = JSON.parse(json.out).next.text;
    expect(told.startsWith('Check first whether')).toBe(overdue);
    expect(told).not.toMatch(/hurry/);
  });

  it('says nothing about the time without one, and refuses an invalid one', async () => {
    using scratch = scratchFolder();
    const log = scratch.file('swaps.db');
    await imported(log);
    expect((await runCli(['status', '--log', log])).out).not.toMatch(/left|overdue/);
    expect(JSON.parse((await runCli(['status', '--log', log, '--json'])).out)).not.toHaveProperty('overdue');
    expect((await runCli(['status', '--log', log, '--now', 'tomorrow'])).code).toBe(2);
  });
});

describe('status of swaps that share something', () => {
  it('says with the second of them what it is and with whom, and is a finding', async () => {
    const stored = readFileSync('docs/samples/sound/completed.json', 'utf8');
    const uuid = /"uuid": ?"([0-9a-f-]{36})"/.exec(stored)?.[1] ?? '';
    const other = '11111111-2222-4333-8444-555555555555';
    using scratch = scratchFolder({ 'one.json': stored, 'two.json': stored.replaceAll(uuid, other) });
    const log = scratch.file('swaps.db');
    expect((await runCli(['import', '--log', log, scratch.file('one.json')])).code).toBe(0);
    expect((await runCli(['status', '--log', log])).code).toBe(0);
    expect((await runCli(['import', '--log', log, scratch.file('two.json')])).code).toBe(0);
    const { code, out } = await runCli(['status', '--log', log]);
    expect(code).toBe(1);
    expect(out.replaceAll(/\s+/g, ' ')).toContain(`is that of swap ${uuid} too, and serves one of them.`);
    const rows = jsonRows<{ uuid: string; shared?: readonly { kind: string; with: string }[] }>(
      (await runCli(['status', '--log', log, '--json'])).out,
    );
    expect(rows.map((row) => [row.uuid, row.shared !== undefined])).toEqual([
      [uuid, false],
      [other, true],
    ]);
    expect(rows[1]?.shared).toContainEqual({
      kind: 'secretHash',
      id: expect.stringMatching(/^[0-9a-f]{40}$/),
      with: uuid,
    });
  });
});

describe('status of many swaps', () => {
  it('reads the records of each once', async () => {
    const logs = Array.from({ length: 9 }, (_, seed) => buildSwap({ role: 'maker', path: successPath('maker'), seed }));
    using scratch = scratchFolder({ 'swaps.jsonl': logs.map((log) => savedSwapText(log)).join('\n') });
    const log = scratch.file('swaps.db');
    await runCli(['import', '--log', log, scratch.file('swaps.jsonl')]);
    reads.length = 0;
    await runCli(['status', '--log', log]);
    expect(reads).toEqual(logs.map(({ uuid }) => `maker-swap/${uuid}`));
  });
});

describe('commands over a durable log', () => {
  it.each(['import', 'status', 'recover', 'allow-fees'])(
    '%s says in its help that --log is required',
    async (command) => {
      const { out } = await runCli([command, '--help']);
      expect(out).toContain(`swapfold ${command} --log <file>`);
      expect(out).toMatch(/--log <file> +file of the durable log \(required\)/);
      const without = await runCli([command, 'x']);
      expect([without.code, without.err]).toEqual([2, expect.stringContaining("'--log <file>' not specified")]);
    },
  );
});
