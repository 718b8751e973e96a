import { describe, expect, it } from 'vitest';
import { savedSwapText } from '../../../src/events/encode.ts';
import { buildSwap, successPath } from '../../../src/testing/logs/swap-builder.ts';
import { jsonRows, runCli, scratchFolder } from '../../support/cli.ts';

const early = ['Started', 'NegotiateFailed', 'Finished'];
const done = buildSwap({ role: 'taker', path: successPath('taker'), seed: 'done', takerCoin: 'KMD', makerCoin: 'LTC' });
const failed = buildSwap({ role: 'maker', path: early, seed: 'failed', takerCoin: 'LTC', makerCoin: 'DOGE' });
const old = buildSwap({ role: 'taker', path: successPath('taker', { era: '2019' }), era: '2019', seed: 'old' });
const odd = buildSwap({ role: 'maker', path: ['Started', 'Started'], seed: 'odd' });

const files = Object.fromEntries([done, failed, old, odd].map((log, at) => [`${at}.json`, savedSwapText(log, 'spec')]));

describe('swaps of a durable log, chosen', () => {
  it('by the options by which stored swaps are chosen', async () => {
    using scratch = scratchFolder(files);
    const log = scratch.file('swaps.db');
    expect((await runCli(['import', '--log', log, scratch.path])).code).toBe(1);
    const by = async (...argv: string[]) => {
      const { out } = await runCli(['status', '--log', log, '--json', ...argv]);
      return jsonRows<{ uuid: string }>(out).map(({ uuid }) => uuid);
    };
    const all = await by();
    expect(all.toSorted()).toEqual([done.uuid, failed.uuid, old.uuid].toSorted());
    const among = (...uuids: string[]) => all.filter((uuid) => uuids.includes(uuid));
    expect(await by('--coin', 'ltc')).toEqual(among(done.uuid, failed.uuid));
    expect(await by('--coin', 'DOGE')).toEqual([failed.uuid]);
    expect(await by('--role', 'taker')).toEqual(among(done.uuid, old.uuid));
    expect(await by('--state', 'FINISHED', '--coin', 'kmd')).toEqual([done.uuid]);
    expect(await by('--outcome', 'failed-before-payment')).toEqual([failed.uuid]);
    expect(await by('--until', '2020-01-01')).toEqual([old.uuid]);
    expect(await by('--since', '2020-01-01', '--sort', 'outcome')).toEqual([done.uuid, failed.uuid]);
    expect(await by('--sort', 'uuid')).toEqual([done.uuid, failed.uuid, old.uuid].toSorted());
    expect((await by('--sort', 'time', '--limit', '1'))[0]).toBe(old.uuid);
    expect(await by('--sort', 'coin')).toEqual([old.uuid, failed.uuid, done.uuid]);
  });

  it('by an anomaly of its log', async () => {
    const stale = { ...done, events: [done.events[0], { ...done.events[1], at: 5 }, ...done.events.slice(2)] };
    using scratch = scratchFolder({
      'a.json': savedSwapText(stale as typeof done, 'spec'),
      'b.json': savedSwapText(old, 'spec'),
    });
    const log = scratch.file('swaps.db');
    await runCli(['import', '--log', log, scratch.path]);
    const { out } = await runCli(['status', '--log', log, '--json', '--anomaly', 'time_backwards']);
    expect(jsonRows<{ uuid: string }>(out).map(({ uuid }) => uuid)).toEqual([done.uuid]);
    expect((await runCli(['status', '--log', log, '--anomaly', 'SEQ_GAP'])).out).toBe('no swaps\n');
  });
});
