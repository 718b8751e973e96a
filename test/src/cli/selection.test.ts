import { describe, expect, it } from 'vitest';
import { savedSwapText } from '../../../src/events/encode.ts';
import { buildSwap, successPath } from '../../../src/testing/logs/swap-builder.ts';
import { jsonRows, runCli, scratchFolder } from '../../support/cli.ts';

const early = ['Started', 'NegotiateFailed', 'Finished'];
const done = buildSwap({ role: 'taker', path: successPath('taker'), seed: 'done', takerCoin: 'KMD', makerCoin: 'LTC' });
const failed = buildSwap({ role: 'maker', path: early, seed: 'failed', takerCoin: 'LTC', makerCoin: 'DOGE' });
const old = buildSwap({ role: 'taker', path: successPath('taker', { era: '2019' }), era: '2019', seed: 'old' });
const odd = { ...failed, uuid: done.uuid, events: [...failed.events].reverse() };

const files = {
  'a/done.json': savedSwapText(done, 'spec'),
  'b/failed.json': savedSwapText(failed, 'spec'),
  'b/old.json': savedSwapText(old, 'spec'),
  'b/broken.json': '{"events": 1, "uuid": "00000000-1111-4111-8111-111111111111"}',
};

async function found(command: string, path: string, ...argv: readonly string[]) {
  const { out, err, code } = await runCli([command, path, '--json', ...argv]);
  const uuids = jsonRows<{ uuid: string | null; error?: unknown }>(out)
    .filter(({ error }) => error === undefined)
    .map(({ uuid }) => uuid);
  return { uuids, err, code };
}

describe('swaps of a folder, chosen', () => {
  it.each(['replay', 'explain', 'timeline', 'audit'])('by coin, role, state, outcome and time: %s', async (command) => {
    using scratch = scratchFolder(files);
    const by = async (...argv: string[]) => (await found(command, scratch.path, ...argv)).uuids;
    expect(await by()).toEqual([done.uuid, failed.uuid, old.uuid]);
    expect(await by('--coin', 'ltc')).toEqual([done.uuid, failed.uuid]);
    expect(await by('--coin', 'DOGE')).toEqual([failed.uuid]);
    expect(await by('--role', 'taker')).toEqual([done.uuid, old.uuid]);
    expect(await by('--state', 'finished', '--coin', 'kmd')).toEqual([done.uuid]);
    expect(await by('--outcome', 'failed-before-payment')).toEqual([failed.uuid]);
    expect(await by('--until', '2020-01-01')).toEqual([old.uuid]);
    expect(await by('--since', '2020-01-01', '--limit', '1')).toEqual([done.uuid]);
    const begun = Math.floor((old.events[0]?.at ?? 0) / 1000);
    expect(await by('--since', String(begun), '--until', String(begun + 1))).toEqual([old.uuid]);
    expect(await by('--until', String(begun))).toEqual([]);
  });

  it('by an anomaly, or any', async () => {
    using scratch = scratchFolder({ ...files, 'c.json': savedSwapText(odd, 'spec') });
    expect((await found('replay', scratch.path, '--anomaly', 'event_after_finished')).uuids).toEqual([odd.uuid]);
    expect((await found('replay', scratch.path, '--anomaly', 'any')).uuids).toEqual([odd.uuid]);
    expect((await found('replay', scratch.path, '--anomaly', 'SEQ_GAP')).uuids).toEqual([]);
  });

  it('in another order', async () => {
    using scratch = scratchFolder(files);
    const by = async (...argv: string[]) => (await found('replay', scratch.path, ...argv)).uuids;
    expect((await by('--sort', 'time'))[0]).toBe(old.uuid);
    expect(await by('--sort', 'uuid')).toEqual([done.uuid, failed.uuid, old.uuid].toSorted());
    expect(await by('--sort', 'outcome')).toEqual([done.uuid, old.uuid, failed.uuid]);
    expect(await by('--sort', 'time', '--limit', '2')).toHaveLength(2);
  });

  it('by uuid, whole or its beginning, without a word about the others', async () => {
    using scratch = scratchFolder(files);
    expect(await found('explain', scratch.path, failed.uuid)).toEqual({ uuids: [failed.uuid], err: '', code: 0 });
    expect(await found('explain', scratch.path, failed.uuid.slice(0, 8).toUpperCase())).toMatchObject({
      uuids: [failed.uuid],
    });
    expect(await found('replay', scratch.path, failed.uuid, old.uuid.slice(0, 13))).toMatchObject({
      uuids: [failed.uuid, old.uuid],
    });
    const { out } = await runCli(['replay', scratch.path, '00000000-1111-4111-8111-111111111111', '--json']);
    expect(out).toContain('NOT_A_SWAP');
  });

  it('if none matches, says it and ends with 1', async () => {
    using scratch = scratchFolder(files);
    const none = await found('replay', scratch.file('a'), failed.uuid);
    expect(none).toEqual({
      uuids: [],
      err: `swapfold: ${scratch.file('a')} holds no swap ${failed.uuid} that matches.\n`,
      code: 1,
    });
    const coin = await found('replay', scratch.file('a'), '--coin', 'XYZ');
    expect(coin).toMatchObject({ code: 1, err: expect.stringContaining('No swap in') });
  });

  it('is refused without a place to look', async () => {
    const { code, err } = await runCli(['explain', failed.uuid]);
    expect([code, err]).toEqual([2, expect.stringContaining('Name a file or folder to look for this swap in')]);
  });
});
