import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { BigNumber } from 'bignumber.js';
import { describe, expect, it } from 'vitest';
import { isJournalType } from '../../../../src/events/journal.ts';
import { jsonRows, runCli, scratchFolder } from '../../../support/cli.ts';
import { oneIn, SLOW } from '../../../support/draws.ts';

type Row = { readonly kind: string; readonly side?: string; readonly type?: string; readonly data?: unknown };
type Coin = Readonly<Record<'before' | 'swapped' | 'takerFee' | 'fees' | 'after', string>>;
type Money = Row & { readonly maker: Coin; readonly taker: Coin };

const plays = new Map<string, ReturnType<typeof runCli>>();

/** The same options play the same swap: once is enough. */
function played(...options: readonly string[]): ReturnType<typeof runCli> {
  const known = plays.get(options.join(' ')) ?? playedAnew(options);
  plays.set(options.join(' '), known);
  return known;
}

async function playedAnew([scenario = '', ...more]: readonly string[]) {
  using scratch = scratchFolder();
  return await runCli(['swap', '--dir', scratch.path, '--scenario', scenario, ...more]);
}

/** Lines of the timeline, without their times. */
function timeline(out: string): readonly string[] {
  return out.split('\n').flatMap((line) => /^ +\d+:\d\d:\d\d {2}(.*)$/.exec(line)?.slice(1) ?? []);
}

describe('swap: each scenario shows its trouble without the journal', () => {
  const SHOWS: Readonly<Record<string, readonly RegExp[]>> = {
    success: [/^taker +MakerPaymentSpent/, /^taker +Finished$/],
    refund: [/^maker +is gone/, /^taker +TakerPaymentRefunded/, /^maker +is back/, /^maker +MakerPaymentRefunded/],
    'taker-away': [/^taker +is gone/, /^maker +TakerPaymentSpent/, /^taker +is back/, /^taker +MakerPaymentSpent/],
    reorg: [/^taker +MakerPaymentSpent/, /^taker +TransactionDropped +claim/, /^taker +MakerPaymentSpendConfirmed/],
    'fee-spike': [/^taker +BroadcastAccepted +claim \w{12} in place of \w{12}$/, /^taker +Finished/],
    revert: [
      /^taker +TransactionReverted +claim/,
      /^taker +BroadcastAccepted +claim .* in place of/,
      /^taker +Finished/,
    ],
  };

  for (const [scenario, expected] of oneIn(4, Object.entries(SHOWS))) {
    it.each(SLOW ? [1, 5] : [1])(`${scenario}, seed %i`, async (seed) => {
      const { code, out } = await played(scenario, '--seed', String(seed));
      expect(code).toBe(0);
      let rest = timeline(out);
      for (const pattern of expected) {
        const at = rest.findIndex((line) => pattern.test(line));
        expect(at, `${pattern} in\n${rest.join('\n')}`).toBeGreaterThanOrEqual(0);
        rest = rest.slice(at + 1);
      }
    });
  }

  it('a calm swap shows no trouble, and revert one reverted claim', async () => {
    const calm = await played('success');
    expect(calm.out).not.toMatch(/Transaction(Dropped|Reverted)|PaymentReorged|in place of/);
    expect((await played('revert')).out.match(/TransactionReverted/g)).toHaveLength(1);
  });

  it('the logs of every scenario are consistent', async () => {
    using scratch = scratchFolder();
    // Each is a world of its own: equal seeds give equal transactions, which together would be one thing that serves three swaps.
    for (const scenario of oneIn(3, ['reorg', 'fee-spike', 'revert'])) {
      const dir = scratch.file(scenario);
      await runCli(['swap', '--dir', dir, '--scenario', scenario]);
      const { code, out } = await runCli(['audit', dir]);
      expect(out).toMatch(/^2 swaps: \d+ verified, 0 violated/m);
      expect(code).toBe(0);
    }
  });
});

describe('swap: the money', () => {
  it.each(['success', 'refund', 'revert'])('adds up, coin by coin: %s', async (scenario) => {
    const rows = jsonRows<Row>((await played(scenario, '--json')).out);
    const money = rows.filter(({ kind }) => kind === 'money') as Money[];
    expect(money.map(({ side }) => side)).toEqual(['maker', 'taker']);
    for (const { before, swapped, takerFee, fees, after } of money.flatMap(({ maker, taker }) => [maker, taker])) {
      expect(new BigNumber(before).plus(swapped).minus(takerFee).minus(fees).toFixed()).toBe(after);
    }
    const amounts = money.flatMap(({ maker, taker }) => [maker.swapped, taker.swapped]);
    expect(amounts).toEqual(scenario === 'refund' ? ['0', '0', '0', '0'] : ['-1.5', '3', '1.5', '-3']);
    expect(money.map(({ taker }) => taker.takerFee)).toEqual(['0', '0.003861']);
    expect(rows.at(-1)).toMatchObject({ kind: 'end', payments: { maker: 1, taker: 1 } });
  });

  it('is a table with the taker fee and the count of payments', async () => {
    const { out } = await played('success');
    expect(out).toContain('taker fee');
    expect(out).toMatch(/taker MARTY +10 +-3 +-0\.003861 +-0\.000012 +6\.996127/);
    expect(out).toContain('Payments on the chains: 1 of the maker, 1 of the taker.');
  });
});

describe('swap --json', () => {
  it('has journal events only if they are asked for', async () => {
    const types = async (...more: readonly string[]) =>
      jsonRows<Row>((await played('success', '--json', ...more)).out).flatMap(({ type }) => type ?? []);
    expect((await types()).filter(isJournalType)).toEqual([]);
    expect((await types('--journal')).filter(isJournalType)).toContain('TransactionPrepared');
  });

  it('does not give the secret away before the maker shows it to the network', async () => {
    const rows = jsonRows<Row>((await played('success', '--json', '--journal')).out);
    const spent = rows.find(({ side, type }) => side === 'taker' && type === 'TakerPaymentSpent');
    const { secret } = (spent as { readonly data: { readonly secret: string } }).data;
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    const accepted = rows.findIndex(
      ({ side, type, data }) =>
        side === 'maker' && type === 'BroadcastAccepted' && (data as { purpose: string }).purpose === 'claim',
    );
    expect(accepted).toBeGreaterThan(0);
    const before = JSON.stringify(rows.slice(0, accepted));
    expect(before).not.toContain(secret);
    expect(before).toContain('[redacted]');
  });
});

describe('swap: a folder that holds a swap', () => {
  it('continues with it for the same options or none, and refuses others', async () => {
    using scratch = scratchFolder();
    const dir = ['--dir', scratch.path];
    await runCli(['swap', ...dir, '--scenario', 'revert', '--seed', '3']);
    for (const same of [[], ['--scenario', 'revert'], ['--seed', '3'], ['--scenario', 'revert', '--seed', '3']]) {
      expect((await runCli(['swap', ...dir, ...same])).code).toBe(0);
    }
    for (const other of [
      ['--scenario', 'reorg'],
      ['--seed', '4'],
      ['--scenario', 'revert', '--seed', '1'],
    ]) {
      const { code, out, err } = await runCli(['swap', ...dir, ...other]);
      expect([code, out]).toEqual([2, '']);
      expect(err.replace(scratch.path, 'd')).toBe(
        'swapfold: d holds a swap of scenario revert with seed 3. Without --scenario and --seed it goes on; another swap needs another --dir. See swapfold swap --help\n',
      );
    }
  });

  it('and one with logs of something else is left alone', async () => {
    using scratch = scratchFolder({ 'taker.db': '' });
    const { code, err } = await runCli(['swap', '--dir', scratch.path]);
    expect(code).toBe(2);
    expect(err).toContain('holds logs, but no demonstration');
    expect(readdirSync(scratch.path)).toEqual(['taker.db']);
  });

  it('is read whole as an input, and nothing else in it is treated as a swap', async () => {
    using scratch = scratchFolder();
    await runCli(['swap', '--dir', scratch.path]);
    const { code, out } = await runCli(['replay', scratch.path]);
    expect(out).toMatch(/^2 swaps: 2 completed$/m);
    expect(code).toBe(0);
    const others = readdirSync(scratch.path).filter((name) => !/\.db(-\w+)?$/.test(name));
    expect(others).toEqual(['chains.world']);
    const named = await runCli(['replay', '--json', join(scratch.path, 'chains.world')]);
    expect(named.code).toBe(1);
    expect(jsonRows(named.out)).toMatchObject([{ uuid: null, state: null, error: { code: 'NOT_JSON' } }]);
  });
});

describe('swap --kill-at', () => {
  it.each(['100000', 'taker-payment'])('that is never reached is reported at the end: %s', async (moment) => {
    using scratch = scratchFolder();
    await runCli(['swap', '--dir', scratch.path]);
    const { code, out } = await runCli(['swap', '--dir', scratch.path, '--kill-at', moment]);
    expect(code).toBe(1);
    expect(out).toMatch(/^Nothing was killed: this run (had \d+ inputs and outputs|sent no taker-payment)/m);
    const json = await runCli(['swap', '--dir', scratch.path, '--json', '--kill-at', moment]);
    expect([json.code, String(jsonRows<{ notKilledAt?: unknown }>(json.out).at(-1)?.notKilledAt)]).toEqual([1, moment]);
  });
});

describe('demo', () => {
  it('is not played over an earlier demonstration', async () => {
    using scratch = scratchFolder();
    await runCli(['swap', '--dir', scratch.file('killed')]);
    const { code, out, err } = await runCli(['demo', '--dir', scratch.path]);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain('holds a demonstration that was played already. Give another --dir');
  });
});
