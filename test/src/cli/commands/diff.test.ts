import { describe, expect, it } from 'vitest';
import { savedSwapText } from '../../../../src/events/encode.ts';
import type { JournalRecord } from '../../../../src/events/journal.ts';
import { jsonlText } from '../../../../src/events/jsonl.ts';
import { millisOf } from '../../../../src/primitives/time.ts';
import { buildSwap, buildSwapPair, successPath } from '../../../../src/testing/logs/swap-builder.ts';
import { jsonRows, runCli, scratchFolder } from '../../../support/cli.ts';

const { maker, taker } = buildSwapPair({ seed: 'diff', makerCoin: 'LTC', takerCoin: 'DOC' });
const other = buildSwap({ role: 'taker', path: successPath('taker'), seed: 'another' });
const early = { ...taker, events: taker.events.slice(0, 4) };

const files = {
  'maker.json': savedSwapText(maker, 'spec'),
  'taker.json': savedSwapText(taker, 'kdf'),
  'early.json': savedSwapText(early, 'spec'),
  'a/taker.json': savedSwapText(taker, 'spec'),
  'a/maker.json': savedSwapText(maker, 'spec'),
  'b/taker.json': savedSwapText(taker, 'spec'),
  'b/other.json': savedSwapText(other, 'spec'),
  'b/broken.json': '{',
};

describe('diff', () => {
  it('says where the coins of both sides of a swap are, and ends with 0 if all is well', async () => {
    using scratch = scratchFolder(files);
    const { code, out, err } = await runCli(['diff', scratch.file('maker.json'), scratch.file('taker.json')]);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain(`${taker.uuid}\n  a  maker  ${scratch.file('maker.json')}\n  b  taker`);
    expect(out).toContain('Each side has the coin of the other: the swap is completed.');
  });

  it('treats a copy of a log as the same whatever its form', async () => {
    using scratch = scratchFolder(files);
    const { code, out } = await runCli(['diff', scratch.file('a/taker.json'), scratch.file('taker.json')]);
    expect([code, out]).toEqual([0, expect.stringContaining(`Both logs hold the same ${taker.events.length} events.`)]);
  });

  it('says that only one log has records of an engine, and what they say', async () => {
    const records: JournalRecord[] = [
      {
        before: 5,
        at: millisOf(1_734_570_000_000),
        type: 'BroadcastAttempted',
        data: { purpose: 'payment', tx_hash: 'ab12' },
      },
    ];
    const kept = jsonlText({ ...taker, journal: { importedAt: null, records } });
    using scratch = scratchFolder({ ...files, 'kept.jsonl': kept });
    const [own, exported, other] = ['kept.jsonl', 'taker.json', 'maker.json'].map((file) => scratch.file(file));
    const { code, out } = await runCli(['diff', exported ?? '', own ?? '']);
    expect([code, out]).toEqual([0, expect.stringContaining(`Both logs hold the same ${taker.events.length} events.`)]);
    const told =
      "The engine's own records, which b holds and a does not\n    0  2024-12-19 01:00:00 UTC  BroadcastAttempted payment ab12\n";
    expect(out).toContain(told);
    expect((await runCli(['diff', other ?? '', own ?? ''])).out).toContain(told);
    const [row] = jsonRows<Record<string, unknown>>((await runCli(['diff', own ?? '', exported ?? '', '--json'])).out);
    expect(row?.['onlyJournal']).toMatchObject({ only: 'left', records: [{ about: 'payment ab12' }] });
  });

  it('reports what a younger copy has more, as a finding', async () => {
    using scratch = scratchFolder(files);
    const { code, out } = await runCli(['diff', scratch.file('early.json'), scratch.file('taker.json'), '--json']);
    const [row] = jsonRows<{ kind: string; equal: number; onlyLeft: unknown[]; onlyRight: { type: string }[] }>(out);
    expect(code).toBe(1);
    expect(row).toMatchObject({ kind: 'copies', equal: 4, onlyLeft: [], left: { role: 'taker' } });
    expect(row?.onlyRight.map(({ type }) => type)).toEqual(taker.events.slice(4).map(({ type }) => type));
  });

  it('pairs the logs of two folders by uuid, first of one side, and hides none', async () => {
    using scratch = scratchFolder(files);
    const folders = [scratch.file('a'), scratch.file('b')];
    const { code, out } = await runCli(['diff', ...folders, '--json']);
    const rows = jsonRows<Record<string, unknown>>(out);
    expect(code).toBe(1);
    expect(rows).toHaveLength(4);
    expect(rows[0]).toMatchObject({ file: scratch.file('b/broken.json'), error: { code: 'NOT_JSON' } });
    expect(rows[1]).toMatchObject({ uuid: taker.uuid, kind: 'copies', equal: taker.events.length });
    expect(rows[2]).toMatchObject({ uuid: maker.uuid, role: 'maker', only: 'a' });
    expect(rows[3]).toMatchObject({ uuid: other.uuid, role: 'taker', only: 'b' });
    const chosen = await runCli(['diff', ...folders, taker.uuid.slice(0, 8), '--json']);
    expect(jsonRows(chosen.out).map(({ uuid }) => uuid)).toEqual([taker.uuid, maker.uuid]);
  });

  it('needs two places, with something in common', async () => {
    using scratch = scratchFolder(files);
    const one = await runCli(['diff', scratch.file('a')]);
    expect([one.code, one.err]).toEqual([
      2,
      'swapfold: Name two files or folders to compare, not 1. See swapfold diff --help\n',
    ]);
    const apart = await runCli(['diff', scratch.file('a'), scratch.file('b/other.json')]);
    expect([apart.code, apart.err]).toEqual([1, expect.stringContaining('have no swap in common.')]);
  });
});
