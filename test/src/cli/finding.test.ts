import { describe, expect, it } from 'vitest';
import { savedSwapText } from '../../../src/events/encode.ts';
import { buildSwapPair } from '../../../src/testing/logs/swap-builder.ts';
import { runCli, scratchFolder } from '../../support/cli.ts';

const { maker, taker } = buildSwapPair({ seed: 'finding' });
const other = buildSwapPair({ seed: 'another one' }).taker;

describe('files that hold no swap', () => {
  const strangers = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`list-${index}.json`, '{"a": 1}']));

  it('are reported after the swaps, many of them in one line that counts them', async () => {
    using scratch = scratchFolder({ 'taker.json': savedSwapText(taker), ...strangers(5) });
    const { code, out, err } = await runCli(['explain', scratch.path]);
    expect([code, out.includes(taker.uuid)]).toEqual([1, true]);
    expect(err.split('\n').filter((line) => line.startsWith('error'))).toEqual([
      expect.stringMatching(
        /^error {2}5 files hold something else than stored swaps: \S+list-0\.json, \S+list-1\.json, \S+list-2\.json and 2 more \[NOT_A_SWAP\]$/,
      ),
    ]);
    const verbose = await runCli(['explain', '--verbose', scratch.path]);
    expect(verbose.err.match(/^error/gm)).toHaveLength(5);
  });

  it('are reported one by one if they are few', async () => {
    using scratch = scratchFolder({ 'taker.json': savedSwapText(taker), ...strangers(2) });
    expect((await runCli(['replay', scratch.path])).err.match(/^error .*No stored swap was found/gm)).toHaveLength(2);
  });
});

describe('a swap that is selected by the beginning of its id', () => {
  it('is found by four digits or more', async () => {
    using scratch = scratchFolder({ 'taker.json': savedSwapText(taker), 'other.json': savedSwapText(other) });
    for (const digits of [4, 7, 8, 12]) {
      const { code, out } = await runCli(['replay', taker.uuid.slice(0, digits), scratch.path]);
      expect([
        digits,
        code,
        out
          .split('\n')
          .filter((line) => line !== '')
          .at(-1),
      ]).toEqual([digits, 0, '1 swap: 1 completed']);
    }
  });

  it('names similar whole ids if none matches', async () => {
    using scratch = scratchFolder({ 'taker.json': savedSwapText(taker) });
    const last = taker.uuid[7] === '0' ? '1' : '0';
    const { code, err } = await runCli(['explain', taker.uuid.slice(0, 7) + last, scratch.path]);
    expect([code, err]).toEqual([1, expect.stringContaining(`that matches. Similar: ${taker.uuid}.`)]);
  });

  it('is one of several whole ids if a log holds more that begin so', async () => {
    const [head, tail] = [taker.uuid.slice(0, 8), taker.uuid.slice(9)];
    const ids = ['aaaa', 'bbbb'].map((part) => `${head}-${part}${tail.slice(4)}`);
    const texts = ids.map((id) => savedSwapText(maker).replaceAll(maker.uuid, id));
    using scratch = scratchFolder({ 'one.json': texts[0] ?? '', 'two.json': texts[1] ?? '' });
    const db = scratch.file('swaps.db');
    await runCli(['import', scratch.file('one.json'), scratch.file('two.json'), '--log', db]);
    const { code, err } = await runCli(['status', head, '--log', db]);
    expect(code).toBe(2);
    for (const id of ids) expect(err).toContain(id);
  });
});
