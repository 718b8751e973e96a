import { describe, expect, it } from 'vitest';
import { createSurvey, isRereadable, MOST_HELD } from '../../../src/cli/survey.ts';
import { jsonlText, savedSwapText } from '../../../src/events/index.ts';
import { buildSwap, buildSwapPair, successPath } from '../../../src/testing/logs/swap-builder.ts';
import { jsonRows, runCli, scratchFolder } from '../../support/cli.ts';
import { SLOW } from '../../support/draws.ts';

const pair = buildSwapPair({ seed: 'surveyed', makerCoin: 'LTC', takerCoin: 'DOC' });
const early = { ...pair.taker, events: pair.taker.events.slice(0, 5) };
const lone = buildSwap({ role: 'taker', path: successPath('taker'), seed: 'alone' });
const failed = buildSwap({
  role: 'taker',
  path: [...successPath('taker').slice(0, -3), 'MakerPaymentSpendFailed', 'Finished'],
  seed: 'claim failed',
});

const files = {
  'a/maker.json': savedSwapText(pair.maker, 'spec'),
  'a/early.json': savedSwapText(early, 'spec'),
  'b/taker.json': savedSwapText(pair.taker, 'spec'),
  'b/failed.json': savedSwapText(failed, 'spec'),
  'b/lone.json': savedSwapText(lone, 'spec'),
  'b/broken.json': '{',
};

describe('a folder is summarized before its swaps are shown', () => {
  it.each(['explain', 'timeline'])(
    'with its folders, pairs, copies and what is to be looked at: %s',
    async (command) => {
      using scratch = scratchFolder(files);
      const { code, out, err } = await runCli([command, scratch.path]);
      const [summary = '', rest = ''] = out.split(/\n\n(.*)/s);
      const text = summary.replaceAll(/\s+/g, ' ');
      expect(code).toBe(1);
      expect(text).toMatch(
        /^5 logs of 3 swaps: 3 completed, 1 (?:funds-at-risk|in-progress), 1 \S+; 1 place not readable/,
      );
      expect(text).toContain(`2 in ${scratch.file('a')}, 3 in ${scratch.file('b')}`);
      expect(text).toContain(`both sides of ${pair.taker.uuid.slice(0, 8)}: told together`);
      const copies = `${scratch.file('a/early.json')}, ${scratch.file('b/taker.json')}`;
      expect(text).toContain(`2 logs of the taker of ${pair.taker.uuid.slice(0, 8)} (swapfold diff): ${copies}`);
      expect(text).toContain(`1 to look at: ${failed.uuid.slice(0, 8)} taker funds-at-risk`);
      // One story of the pair, in the place of both; the younger copy and the others by themselves.
      expect(rest.match(/both sides\n/g)).toHaveLength(1);
      for (const name of Object.keys(files))
        expect(name === 'b/broken.json' ? err : rest).toContain(scratch.file(name));
    },
  );

  it('not if there is only one log', async () => {
    using scratch = scratchFolder(files);
    expect((await runCli(['timeline', scratch.file('b/lone.json')])).out).toMatch(new RegExp(`^${lone.uuid}`));
  });

  it('gives a row of its own for both sides, beside those of each log', async () => {
    using scratch = scratchFolder(files);
    const rows = jsonRows((await runCli(['explain', scratch.path, pair.taker.uuid, '--json'])).out);
    expect(rows.map((row) => [row['file'] === undefined, row['role'] ?? row['kind']])).toEqual([
      [false, 'taker'],
      [false, 'maker'],
      [false, 'taker'],
      [true, 'sides'],
    ]);
    expect(rows[3]).toMatchObject({
      uuid: pair.taker.uuid,
      files: { maker: scratch.file('a/maker.json'), taker: scratch.file('b/taker.json') },
      settled: 'confirmed',
    });
  });

  it('by reading twice if there are more logs than are kept; without it for a pipe, which cannot be read twice', async () => {
    const log = buildSwap({ role: 'taker', path: ['Started', 'NegotiateFailed', 'Finished'], seed: 'many' });
    const one = jsonlText(log);
    const uuid = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
    const many = Array.from({ length: MOST_HELD }, (_, index) => one.replaceAll(log.uuid, uuid(index))).join('');
    const text = `${jsonlText(pair.maker)}${many}${jsonlText(pair.taker)}`;
    using scratch = scratchFolder({ 'many.jsonl': text });
    const { out } = await runCli(['timeline', scratch.file('many.jsonl')]);
    expect(out).toMatch(new RegExp(`^${MOST_HELD + 2} logs of ${MOST_HELD + 1} swaps`));
    expect(out.match(/both sides\n/g)).toHaveLength(1);
    if (!SLOW) return;
    const piped = await runCli(['timeline', '-'], { stdin: text });
    expect(piped.out).not.toContain('logs of');
    expect(piped.out.match(/^[0-9a-f-]{36} /gm)).toHaveLength(MOST_HELD + 2);
  });
});

describe('what can be read twice', () => {
  it.each([
    [['docs/samples'], true],
    [['docs/samples', '-'], false],
    [['/dev/null'], false],
    [['docs/*'], true],
  ])('%j: %s', async (places, expected) => {
    expect(await isRereadable(places)).toBe(expected);
  });
});

describe('the pair of a swap', () => {
  it('consists of the logs that say most about each side', () => {
    const survey = createSurvey();
    const reads = [early, pair.taker, pair.maker, lone].map((log, index) => ({
      file: `${index}`,
      ok: true as const,
      log,
    }));
    for (const read of reads) survey.add(read);
    expect(reads.map((read, index) => survey.pairOf(index, read))).toEqual([null, 'first', 'second', null]);
  });
});
