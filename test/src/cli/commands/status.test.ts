import { describe, expect, it } from 'vitest';
import { openSqliteLog } from '../../../../src/log/sqlite/index.ts';
import { runCli, scratchFolder } from '../../../support/cli.ts';

describe('status', () => {
  it.each([
    ['--outcome', 'completd', 'Did you mean completed?'],
    ['--outcome', 'lost', 'Known are in-progress, completed, refunded'],
    ['--event', 'takerpaymentsent', 'Did you mean TakerPaymentSent'],
    ['--event', 'PaymentReorg', 'Did you mean PaymentReorged'],
    ['--event', 'xyz', 'Known are '],
  ])('refuses %s %s with what is known', async (option, value, hint) => {
    using scratch = scratchFolder();
    const { code, out, err } = await runCli(['status', '--log', scratch.file('none.db'), option, value]);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(`argument '${value}' is invalid. ${hint}`);
  });

  it.each([
    ['--outcome', 'funds-at-risk'],
    ['--event', 'PaymentReorged'],
    ['--event', 'WatchRequested'],
  ])('takes %s %s', async (...option) => {
    using scratch = scratchFolder();
    await (await openSqliteLog({ path: scratch.file('swaps.db') })).close();
    const { code, out } = await runCli(['status', '--log', scratch.file('swaps.db'), ...option]);
    expect([code, out]).toEqual([0, 'no swaps\n']);
  });
});

describe('commands over a durable log', () => {
  it.each(['import', 'status', 'recover'])('%s says in its help that --log is required', async (command) => {
    const { out } = await runCli([command, '--help']);
    expect(out).toContain(`swapfold ${command} --log <file>`);
    expect(out).toMatch(/--log <file> +the durable log, a file \(required\)/);
    const without = await runCli([command, 'x']);
    expect([without.code, without.err]).toEqual([2, expect.stringContaining("'--log <file>' not specified")]);
  });
});
