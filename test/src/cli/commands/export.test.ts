import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../../../src/events/decode-event.ts';
import { savedSwapText } from '../../../../src/events/encode.ts';
import { buildSwapPair } from '../../../../src/testing/logs/swap-builder.ts';
import { jsonRows, runCli, SAMPLES, scratchFolder } from '../../../support/cli.ts';
import { describeShared, manifest, readShared, swapPath } from '../../../support/shared.ts';

const pair = buildSwapPair({ seed: 'export' });
const both = `${savedSwapText(pair.taker)}\n${savedSwapText(pair.maker)}\n`;
const { secret } = (pair.maker.events[0] as StoredEvent).data as { secret: string };

describe('secrets', () => {
  it.each(['spec', 'kdf', 'jsonl', 'csv'])('are taken out of %s unless asked for', async (format) => {
    // Its spend of the taker payment would show the secret to everybody.
    const stdin = savedSwapText({ ...pair.maker, events: pair.maker.events.slice(0, 5) });
    expect((await runCli(['export', '--format', format, '-'], { stdin })).out).not.toContain(secret);
    if (format === 'csv') return;
    expect((await runCli(['export', '--format', format, '--secrets', '-'], { stdin })).out).toContain(secret);
  });
});

describe('terminal sequences in a log', () => {
  const told = '\u009b31m\u202e';
  const [started, ...rest] = pair.taker.events as readonly StoredEvent[];
  const log = { ...pair.taker, head: { ...pair.taker.head, gui: told }, events: [started, ...rest] as StoredEvent[] };
  const stdin = savedSwapText(log);

  it('is written as JSON can write it, and is the same when it is read', async () => {
    expect(stdin).toContain(told);
    const shown = await runCli(['export', '--format', 'spec', '--secrets', '-'], { stdin, tty: true });
    expect(shown.out).toContain('\\u009b31m\\u202e');
    expect(shown.out).not.toContain('\u009b');
    expect(JSON.parse(shown.out)).toEqual(JSON.parse(stdin));
  });

  it('stay as they are if no terminal reads them', async () => {
    const { out } = await runCli(['export', '--format', 'spec', '--secrets', '-'], { stdin });
    expect(out).toBe(`${stdin}\n`);
  });
});

describe('forms', () => {
  it.each(['spec', 'kdf'])('%s is one saved swap a line, which is read again', async (format) => {
    const { code, out } = await runCli(['export', '--format', format, '--secrets', '-'], { stdin: both });
    expect(code).toBe(0);
    expect(out.trimEnd().split('\n')).toEqual(
      [pair.taker, pair.maker].map((log) => savedSwapText(log, format as 'spec' | 'kdf')),
    );
    const again = await runCli(['export', '--format', format, '--secrets', '-'], { stdin: out });
    expect(again.out).toBe(out);
  });

  it('jsonl is a sealed log of all swaps, each stream once', async () => {
    const { code, out } = await runCli(['export', '--format', 'jsonl', '-'], { stdin: both + both });
    expect(code).toBe(0);
    const streams = new Set(jsonRows(out).map(({ stream }) => stream));
    expect([...streams]).toEqual([`taker-swap/${pair.taker.uuid}`, `maker-swap/${pair.maker.uuid}`]);
    expect((await runCli(['audit', '-'], { stdin: out })).code).toBe(0);
  });

  it('jsonl refuses a second, different log of a stream', async () => {
    const cut = savedSwapText({ ...pair.taker, events: pair.taker.events.slice(0, 3) });
    const { code, out, err } = await runCli(['export', '--format', 'jsonl', '-'], { stdin: `${both}${cut}\n` });
    expect(code).toBe(1);
    expect(err).toContain('[STREAM_TWICE]');
    expect(err).toMatch(/^error {2}-: .*the one exported is in -/);
    expect(err).toContain('only the most complete');
    expect((await runCli(['replay', '-'], { stdin: out })).code).toBe(0);
  });

  it('csv is one row a swap', async () => {
    const { out } = await runCli(['export', '--format', 'csv', `${SAMPLES}/sound/claim-failed.json`]);
    expect(out).toMatchInlineSnapshot(`
      "uuid,role,started_utc,finished_utc,maker_coin,maker_amount,taker_coin,taker_amount,outcome,outcome_shown,kdf_finished,kdf_success,kdf_recoverable,taker_fee_tx,maker_payment_tx,taker_payment_tx,taker_payment_spend_tx,maker_payment_spend_tx,taker_payment_refund_tx,maker_payment_refund_tx,errors,anomalies,file
      92898b96-5f18-42f7-82c1-04c509fdbdf0,taker,2024-12-19T00:00:00Z,2024-12-19T00:11:50Z,DOC,2.4,MARTY,2.4,funds-at-risk,,true,false,true,64464a85c9bb1b580fd8972dbbd02a5845a49331e4fb291fe155e12011ed55a5,a4aff2bdab0bc011196d08366b0757341ff77c75137dba25d19d5801d76dd01c,28b0056cf5a8afb1cb0fd4965a6eae4e7394508db62b1fd525bfcca8a5b7c72e,52af82e63f2d7ed0b7d565a16892a2a5080129b21a2bace67c38c105712792e7,,,,MakerPaymentSpendFailed: taker_swap:1790] utxo_common:1600] Transport error,,samples/sound/claim-failed.json
      "
    `);
  });

  it('csv of nothing is its header', async () => {
    const { code, out } = await runCli(['export', '--format', 'csv', '/nowhere']);
    expect(code).toBe(1);
    expect(out).toMatch(/^uuid,role,[a-z_,]+\r\n$/);
  });

  it('kdf leaves out what the real node could not load, and says so', async () => {
    const events = [
      ...pair.taker.events.slice(0, 2),
      { type: 'FromTheFuture', at: pair.taker.events[1]?.at, data: {}, known: false },
    ];
    const strange = savedSwapText({ ...pair.taker, events } as typeof pair.taker);
    const { code, out, err } = await runCli(['export', '--format', 'kdf', '-'], { stdin: `${strange}\n${both}` });
    expect(code).toBe(1);
    expect(jsonRows(out)).toHaveLength(2);
    expect(err.replaceAll(pair.taker.uuid, '<uuid>')).toMatchInlineSnapshot(`
      "error  -: <uuid>: The real node could not load this log, so it cannot be exported in the real node's format: the real node knows no event of this type [KDF_CANNOT_LOAD]
             Export it as spec or jsonl, which keep everything.
      warning: 1 swap of a maker has zeros in the place of the secret. A node that imports such a swap cannot claim the taker payment; export with --secrets to move a swap to a node.
      "
    `);
  });
});

describe('--out', () => {
  it('writes a file whole, and never replaces one unless forced', async () => {
    using scratch = scratchFolder({ 'taken.jsonl': 'mine' });
    const file = scratch.file('out.jsonl');
    const argv = ['export', '--format', 'jsonl', '-', '--join', '--out'];
    const written = await runCli([...argv, file], { stdin: both });
    expect(written).toEqual({ code: 0, out: '', err: `Wrote 2 logs of 1 swap to ${file}.\n` });
    const refused = await runCli([...argv, scratch.file('taken.jsonl')], { stdin: both });
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('[FILE_EXISTS]');
    expect(readFileSync(scratch.file('taken.jsonl'), 'utf8')).toBe('mine');
    expect((await runCli([...argv, scratch.file('taken.jsonl'), '--force'], { stdin: both })).code).toBe(0);
    expect(readFileSync(scratch.file('taken.jsonl'), 'utf8')).toBe(readFileSync(file, 'utf8'));
    expect(readdirSync(scratch.path).sort()).toEqual(['out.jsonl', 'taken.jsonl']);
  });

  it('with a folder writes a pretty file for each swap, the second of a uuid under another name', async () => {
    using scratch = scratchFolder();
    const folder = scratch.file('swaps/');
    const { code, err } = await runCli(['export', '--format', 'kdf', '--secrets', '-', '--out', folder], {
      stdin: both,
    });
    expect({ code, err }).toEqual({ code: 0, err: `Wrote 2 logs of 1 swap to ${folder}.\n` });
    const { uuid } = pair.taker;
    expect(readdirSync(folder).sort()).toEqual([`${uuid}-maker.json`, `${uuid}.json`]);
    expect(readFileSync(`${folder}${uuid}.json`, 'utf8')).toMatch(/^\{\n {2}"type": "Taker",\n/);
    expect((await runCli(['replay', folder])).code).toBe(0);
  });

  it('keeps files of a folder that are there already, and writes the others', async () => {
    using scratch = scratchFolder({ [`${pair.taker.uuid}.json`]: 'mine' });
    const { code, err } = await runCli(['export', '--format', 'spec', '-', '--out', scratch.path], { stdin: both });
    expect(code).toBe(1);
    expect(err).toContain('[FILE_EXISTS]');
    expect(err).toContain(`${scratch.file(pair.taker.uuid)}.json`);
    expect(err).toContain('--force');
    expect(readFileSync(scratch.file(`${pair.taker.uuid}.json`), 'utf8')).toBe('mine');
  });

  it('csv with a folder is wrong usage, before anything is written', async () => {
    using scratch = scratchFolder();
    const { code } = await runCli(['export', '--format', 'csv', '-', '--out', scratch.path], { stdin: both });
    expect(code).toBe(2);
    expect(readdirSync(scratch.path)).toEqual([]);
  });
});

describeShared('recorded swaps through export --format kdf --secrets', () => {
  it('come out byte for byte as the real node writes them', async () => {
    const rows = manifest().filter(({ loadable }) => loadable);
    const { code, out } = await runCli([
      'export',
      '--format',
      'kdf',
      '--secrets',
      ...rows.map(({ file }) => swapPath(file)),
    ]);
    expect(code).toBe(0);
    const lines = out.trimEnd().split('\n');
    expect(lines).toHaveLength(rows.length);
    for (const [index, row] of rows.entries()) {
      expect(lines[index], row.file).toBe(readShared(`swaps/${row.resaved}`).trimEnd());
    }
  });
});

describe('several swaps', () => {
  it.each(['spec', 'kdf', 'jsonl'])('go into one file of %s only if that is asked for', async (format) => {
    using scratch = scratchFolder({ 'in.jsonl': both });
    const argv = ['export', '--format', format, '--secrets', scratch.file('in.jsonl'), '--out', scratch.file('out')];
    const { code, out, err } = await runCli(argv);
    expect([code, out]).toEqual([2, '']);
    expect(err).toBe(
      `swapfold: The inputs hold several swaps, and --out names one file, ${scratch.file('out')}. Name a folder, with a slash at its end (${scratch.file('out')}/), for one file a swap, or add --join for all of them in one file. [EXPORT_JOINS]\n`,
    );
    expect(readdirSync(scratch.path)).toEqual(['in.jsonl']);
    const joined = await runCli([...argv, '--join']);
    expect([joined.code, joined.err]).toEqual([0, `Wrote 2 logs of 1 swap to ${scratch.file('out')}.\n`]);
    expect((await runCli(['replay', scratch.file('out')])).out).toContain('2 swaps: 2 completed');
  });

  it('go into a folder, and into a table, without being asked twice', async () => {
    using scratch = scratchFolder({ 'in.jsonl': both });
    const to = (...out: readonly string[]) => runCli(['export', scratch.file('in.jsonl'), ...out]);
    expect((await to('--out', scratch.file('swaps/'))).code).toBe(0);
    expect(readdirSync(scratch.file('swaps'))).toHaveLength(2);
    expect((await to('--format', 'csv', '--out', scratch.file('swaps.csv'))).code).toBe(0);
    const one = await runCli(['export', `${SAMPLES}/sound/completed.json`, '--out', scratch.file('one.json')]);
    expect(one.code).toBe(0);
  });
});

describe('an export for the real node', () => {
  const WARNING = /^warning: 1 swap of a maker has zeros in the place of the secret\. A node .* --secrets/;

  it('warns if the secret of a maker was removed', async () => {
    using scratch = scratchFolder();
    expect((await runCli(['export', '--format', 'kdf', '-'], { stdin: both })).err).toMatch(WARNING);
    const out = ['--out', scratch.file('maker.json')];
    const stdin = savedSwapText(pair.maker);
    const { code, err } = await runCli(['export', '--format', 'kdf', '-', '--quiet', ...out], { stdin });
    expect([code, err]).toEqual([0, expect.stringMatching(WARNING)]);
    // Taken out by an earlier export, it does not come back.
    const again = await runCli(['export', '--format', 'kdf', '--secrets', scratch.file('maker.json')]);
    expect(again.err).toMatch(WARNING);
  });

  it('does not if nothing is missing', async () => {
    expect((await runCli(['export', '--format', 'kdf', '--secrets', '-'], { stdin: both })).err).toBe('');
    expect((await runCli(['export', '--format', 'kdf', '-'], { stdin: savedSwapText(pair.taker) })).err).toBe('');
    expect((await runCli(['export', '--format', 'spec', '-'], { stdin: both })).err).toBe('');
  });
});
