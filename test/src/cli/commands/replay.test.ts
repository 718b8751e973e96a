import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { savedSwapText } from '../../../../src/events/encode.ts';
import { envelopeLine, jsonlText } from '../../../../src/events/jsonl.ts';
import type { SwapLog } from '../../../../src/events/saved-swap.ts';
import { sealStream } from '../../../../src/primitives/envelope.ts';
import { millisOf } from '../../../../src/primitives/time.ts';
import { buildSwap, successPath } from '../../../../src/testing/logs/swap-builder.ts';
import { jsonRows, runCli, SAMPLES, scratchFolder } from '../../../support/cli.ts';
import { describeShared, manifest, SHARED_DIR } from '../../../support/shared.ts';

const logs = ['a', 'b', 'c'].map((seed) =>
  buildSwap({ role: 'taker', path: successPath('taker', { era: 'current', watchers: false }), seed }),
);
const jsonl = logs.map(jsonlText).join('');

describe('replay', () => {
  it('shows each swap on a line, with the faults of its log, and what was found', async () => {
    const { out, err } = await runCli(['replay', SAMPLES, `${SAMPLES}/nope.json`]);
    expect(err).toMatchInlineSnapshot(`
      "error  samples/nope.json: There is no such file or folder [FILE_NOT_FOUND]
             Check the path, and quote it if it contains spaces or wildcards.
      "
    `);
    expect(out).toMatchInlineSnapshot(`
      "01c6286b taker completed             2.4 MARTY > 2.4 DOC      2024-12-19   13m51s finished 1 anomaly
               missing-event.json
               ILLEGAL_EVENT at event 6: TakerPaymentSent cannot follow MakerPaymentWaitConfirmStarted;
               MakerPaymentValidatedAndConfirmed or MakerPaymentValidateFailed or
               MakerPaymentWaitConfirmFailed or TakerPaymentTransactionFailed may. Repair: restore the
               missing MakerPaymentValidatedAndConfirmed before TakerPaymentSent at 6.
      92898b96 taker funds-at-risk         2.4 MARTY > 2.4 DOC      2024-12-19   11m49s finished
               claim-failed.json
      dc856d64 taker completed             2.4 MARTY > 2.4 DOC      2024-12-19 2h13m00s finished
               claimed-by-watcher.json
      350c617f taker completed             2.4 MARTY > 2.4 DOC      2024-12-19   13m52s finished
               completed.json
      90c9f48b maker refund unconfirmed    2.4 DOC > 2.4 MARTY      2024-12-19 4h49m59s finished
               maker-refunded.json
      29c2b538 taker refund unconfirmed    2.4 MARTY > 2.4 DOC      2024-12-19 2h39m59s finished
               refunded.json
      6 swaps: 3 completed, 2 refunded, 1 funds-at-risk
      in doubt: 2 refund unconfirmed
      anomalies: 1 ILLEGAL_EVENT
      not readable: 1 FILE_NOT_FOUND
      "
    `);
  });

  it('--json gives one object a line with its members in order', async () => {
    const { code, out, err } = await runCli(['replay', '--json', SAMPLES]);
    expect({ code, err }).toEqual({ code: 1, err: '' });
    const rows = jsonRows(out);
    expect(rows).toHaveLength(6);
    for (const row of rows) {
      expect(Object.keys(row)).toEqual([
        'file',
        'uuid',
        'role',
        'events',
        'state',
        'kdf',
        'outcome',
        'end',
        'funds',
        'next',
        'anomalies',
      ]);
    }
    expect(rows[0]?.['anomalies']).toMatchInlineSnapshot(`
      [
        {
          "code": "ILLEGAL_EVENT",
          "expected": [
            "MakerPaymentValidatedAndConfirmed",
            "MakerPaymentValidateFailed",
            "MakerPaymentWaitConfirmFailed",
            "TakerPaymentTransactionFailed",
          ],
          "found": "TakerPaymentSent",
          "message": "TakerPaymentSent cannot follow MakerPaymentWaitConfirmStarted; MakerPaymentValidatedAndConfirmed or MakerPaymentValidateFailed or MakerPaymentWaitConfirmFailed or TakerPaymentTransactionFailed may.",
          "repair": "restore the missing MakerPaymentValidatedAndConfirmed before TakerPaymentSent at 6",
          "seq": 6,
          "severity": "fault",
        },
      ]
    `);
  });

  it('--json gives a swap that cannot be read the same members, and the error with its place', async () => {
    const stdin = '{"uuid":"00000000-0000-4000-8000-000000000000","type":"Taker","events":[{"timestamp":-1}]}';
    const { out } = await runCli(['replay', '--json', '-'], { stdin });
    expect(jsonRows(out)).toMatchInlineSnapshot(`
      [
        {
          "anomalies": [],
          "end": null,
          "error": {
            "code": "FIELD_MISSING",
            "expected": "an array of event names",
            "found": "nothing",
            "message": "A member of the saved swap outside its events cannot be read.",
            "next": "Compare the log with the node's answer to my_swap_status.",
            "place": "/success_events",
          },
          "events": [],
          "file": "-",
          "funds": {
            "makerPayment": null,
            "takerPayment": null,
          },
          "kdf": {
            "finished": null,
            "recoverable": null,
            "success": null,
          },
          "next": null,
          "outcome": null,
          "role": null,
          "state": null,
          "uuid": "00000000-0000-4000-8000-000000000000",
        },
      ]
    `);
  });

  it('reads a log file the same from the disk, from standard input, packed, and on threads', async () => {
    using scratch = scratchFolder({ 'log.jsonl': jsonl, 'packed.jsonl.gz': gzipSync(jsonl) });
    const rows = async (argv: readonly string[], stdin = '') => {
      const { code, out } = await runCli(['replay', '--json', ...argv], { stdin });
      expect(code).toBe(0);
      return jsonRows(out).map(({ file: _, ...row }) => row);
    };
    const expected = await rows([scratch.file('log.jsonl')]);
    expect(expected.map(({ uuid }) => uuid)).toEqual(logs.map(({ uuid }) => uuid));
    expect(await rows(['-'], jsonl)).toEqual(expected);
    expect(await rows([scratch.file('packed.jsonl.gz')])).toEqual(expected);
    expect(await rows([scratch.file('log.jsonl'), '--workers', '2'])).toEqual(expected);
  });

  it('names the line of a record that cannot be read', async () => {
    using scratch = scratchFolder({ 'log.jsonl': jsonl.replace('"seq":3,', '"seq":"x",') });
    const { code, err } = await runCli(['replay', scratch.file('log.jsonl')]);
    expect(code).toBe(1);
    expect(err).toContain(`${scratch.file('log.jsonl')}:4: `);
    const json = await runCli(['replay', '--json', scratch.file('log.jsonl')]);
    expect(jsonRows(json.out)[0]).toMatchObject({ uuid: logs[0]?.uuid, error: { code: 'LINE_INVALID', line: 4 } });
  });

  it('shows the notices of a log with a fault, which may explain it', async () => {
    const [log] = logs;
    const events = log?.events.map((event) => (event.type === 'Negotiated' ? { ...event, type: 'Agreed' } : event));
    const { code, out } = await runCli(['replay', '-'], { stdin: savedSwapText({ ...log, events } as SwapLog) });
    expect(code).toBe(1);
    expect(out).toMatch(/\n {9}UNKNOWN_EVENT at event 1: /);
    expect(out).toMatch(/\n {9}ILLEGAL_EVENT at event 2: /);
  });

  it('names the file of each swap, once for those of one file', async () => {
    using scratch = scratchFolder({ 'log.jsonl': jsonl, 'one.json': savedSwapText(logs[0] as SwapLog) });
    const { out } = await runCli(['replay', scratch.path]);
    expect(out.match(/log\.jsonl|one\.json/g)).toEqual(['log.jsonl', 'one.json']);
    using named = scratchFolder({ [`${logs[0]?.uuid}.json`]: savedSwapText(logs[0] as SwapLog) });
    expect((await runCli(['replay', named.path])).out).not.toContain('.json');
  });

  it('skips streams that are not swaps, and says so beside the swaps', async () => {
    const stream = 'watcher/7a1f0e52-3c8b-4d6e-9f10-2b3c4d5e6f70';
    const watch = sealStream(
      [0, 1].map((seq) => ({ stream, seq, at: millisOf(seq), type: 'Stopped', version: 1, data: null })),
    );
    const lines = watch.map((envelope) => `${envelopeLine(envelope)}\n`);
    using scratch = scratchFolder({ 'log.jsonl': `${jsonl}${lines.join('')}`, 'broken.jsonl': jsonl + lines[1] });
    const sound = await runCli(['replay', `${scratch.path}/log.jsonl`]);
    expect({ code: sound.code, end: sound.out.split('\n').slice(-3) }).toEqual({
      code: 0,
      end: ['3 swaps: 3 completed', 'skipped: 1 stream that is no swap', ''],
    });
    const rows = await runCli(['replay', '--json', `${scratch.path}/log.jsonl`]);
    expect(jsonRows(rows.out)).toHaveLength(3);
    expect(rows.err).toBe('skipped: 1 stream that is no swap\n');
    const broken = await runCli(['replay', `${scratch.path}/broken.jsonl`]);
    expect(broken.code).toBe(1);
    expect(broken.out).toContain('not readable: 1 CHAIN_BROKEN');
  });

  it('reports a log file that disappeared', async () => {
    const { code, out } = await runCli(['replay', '--json', '/nowhere/log.jsonl']);
    expect(code).toBe(1);
    expect(jsonRows(out)).toMatchObject([
      { file: '/nowhere/log.jsonl', uuid: null, error: { code: 'FILE_NOT_FOUND' } },
    ]);
  });
});

describeShared('recorded swaps through replay --json', () => {
  it('have the flags of the real node, each file in its row', async () => {
    const { out } = await runCli(['replay', '--json', `${SHARED_DIR}/swaps`]);
    const rows = new Map(jsonRows(out).map((row) => [String(row['file']).replace(`${SHARED_DIR}/swaps/`, ''), row]));
    for (const row of manifest()) {
      const found = rows.get(row.file);
      expect(found, row.file).toBeDefined();
      if (found?.['error'] !== undefined) {
        expect(row.loadable, row.file).toBe(false);
        continue;
      }
      expect(found, row.file).toMatchObject({
        uuid: row.uuid,
        role: row.role.toLowerCase(),
        events: row.eventTypes,
        kdf: { finished: row.finished, success: row.success, recoverable: row.recoverable },
      });
    }
  });
});
