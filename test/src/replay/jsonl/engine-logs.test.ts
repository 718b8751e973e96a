import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { isJournalType } from '../../../../src/events/journal.ts';
import {
  envelopeLine,
  jsonlText,
  parseEnvelopeLine,
  parseRecordLine,
  toEnvelopes,
} from '../../../../src/events/jsonl.ts';
import { redactLog } from '../../../../src/events/redact.ts';
import { replayJsonlFile } from '../../../../src/log/files/replay-file.ts';
import { type Envelope, sealStream } from '../../../../src/primitives/envelope.ts';
import { millisOf } from '../../../../src/primitives/time.ts';
import { auditChain } from '../../../../src/replay/audit/chain.ts';
import { createJsonlReader } from '../../../../src/replay/jsonl/reader.ts';
import { createJsonlReplayer } from '../../../../src/replay/jsonl/scanner.ts';
import type { SkippedStream } from '../../../../src/replay/jsonl/skipped.ts';
import { replaySwap } from '../../../../src/replay/swaps.ts';
import { generateScenario } from '../../../../src/sim/world/generate.ts';
import { calmScenario } from '../../../../src/sim/world/scenario.ts';
import { buildSwap, successPath } from '../../../../src/testing/logs/swap-builder.ts';
import { draws } from '../../../support/draws.ts';
import { engineStreams } from '../../../support/engine-streams.ts';
import { localThreads } from '../../../support/local-threads.ts';
import { bytesOf, readLogs, replayByParser, replayByScanner } from './support.ts';

const calm = engineStreams(calmScenario());
const lines = (stream: readonly Envelope[]) => stream.map((envelope) => `${envelopeLine(envelope)}\n`);
const text = (...streams: readonly (readonly Envelope[])[]) => streams.flatMap(lines).join('');

const UUID = '7a1f0e52-3c8b-4d6e-9f10-2b3c4d5e6f70';
const watch = sealStream(
  ['WatchRequested', 'TakerFeeValidated', 'TakerPaymentValidated', 'Stopped'].map((type, seq) => ({
    ...{ stream: `watcher/${UUID}`, seq, at: millisOf(1_700_000_000_000 + seq), type, version: 1, data: { seq } },
  })),
);

describe('the log of this engine as JSON Lines', () => {
  it('gives back every record with its seal, and the public events to the fold', () => {
    fc.assert(
      fc.property(fc.nat(500), (seed) => {
        const { maker, taker } = engineStreams(generateScenario(seed, { kinds: ['utxo'], adversaries: false }));
        const { swaps, errors } = readLogs([bytesOf(text(maker, taker))]);
        expect(errors).toEqual([]);
        for (const stream of [maker, taker]) {
          const log = swaps.find(({ role }) => stream[0]?.stream.startsWith(role));
          if (log === undefined) throw new Error('the log was not read');
          expect(toEnvelopes(log)).toEqual(stream);
          const types = stream.map(({ type }) => type).filter((type) => !isJournalType(type));
          expect(log.events.map(({ type }) => type)).toEqual(types);
          const { anomalies, events } = replaySwap(log);
          expect(anomalies).toEqual([]);
          expect(events).toEqual(types);
        }
      }),
      { numRuns: draws({ sample: 6, change: 25 }) },
    );
  });

  it('reads the same with and without the quick scanner', () => {
    const bytes = bytesOf(text(calm.maker, calm.taker));
    const { counts, ...scanned } = replayByScanner([bytes]);
    expect(scanned).toEqual(replayByParser([bytes]));
    expect(scanned.swaps.map(({ outcome }) => outcome)).toEqual(['completed', 'completed']);
    expect(counts.lines).toBe(calm.maker.length + calm.taker.length);
  });

  it('keeps records that follow the end, however the streams are mixed', () => {
    const late = sealStream(
      [
        {
          ...(calm.taker.at(-1) as Envelope),
          seq: calm.taker.length,
          type: 'PaymentReorged',
          data: { payment: 'maker' },
        },
      ],
      calm.taker.at(-1)?.hash,
    );
    const bytes = bytesOf(text(calm.taker, calm.maker, late));
    const { swaps, errors } = readLogs([bytes]);
    expect(errors).toEqual([]);
    const log = swaps.find(({ role }) => role === 'taker');
    expect(log?.anomalies).toEqual([]);
    expect(log?.journal?.records.at(-1)).toMatchObject({ type: 'PaymentReorged', before: log?.events.length });
    const { counts: _, ...scanned } = replayByScanner([bytes]);
    expect(scanned).toEqual(replayByParser([bytes]));
  });

  it('names a missing journal record as any other', () => {
    const at = calm.taker.findIndex(({ type }) => type === 'BroadcastAttempted' || type === 'TransactionPrepared');
    const without = calm.taker.filter((_, index) => index !== at);
    const [log] = readLogs([bytesOf(text(without))]).swaps;
    expect(log?.anomalies).toMatchObject([{ code: 'SEQ_GAP', expected: [String(at)], found: String(at + 1) }]);
  });

  it('takes the head of a log that began here from its request', () => {
    const [log] = readLogs([bytesOf(text(calm.taker))]).swaps;
    expect(log?.head).toMatchObject({ maker_coin: 'DOC', taker_coin: 'MARTY', maker_amount: '1.5', taker_amount: '3' });
    expect(log?.head.my_order_uuid).toBe(log?.uuid);
    expect(log?.journal?.importedAt).toBeNull();
  });

  it('keeps a log that was imported and continued, with the orders that only this engine emits', () => {
    // Only this engine claims again after a claim that failed.
    const path = [...successPath('taker').slice(0, -3), 'MakerPaymentSpendFailed', 'MakerPaymentSpent'];
    const foreign = buildSwap({ role: 'taker', path, seed: 4 });
    const takenOver = foreign.events.length - 1;
    const at = (foreign.events[takenOver - 1] as { readonly at: number }).at;
    const record = { type: 'OperatorActed' as const, data: { action: 'resume', reason: null }, at: millisOf(at) };
    const journal = { importedAt: millisOf(at), records: [{ before: takenOver, ...record }] };
    const log = { ...foreign, journal };
    const { swaps, errors } = readLogs([bytesOf(jsonlText(log))]);
    expect(errors).toEqual([]);
    expect(swaps).toEqual([log]);
    const codes = (one: typeof foreign) => replaySwap(one).anomalies.map(({ code }) => code);
    expect(codes(foreign)).toEqual(['ENGINE_ORDER']);
    expect(codes(log)).toEqual([]);
    const { counts: _, ...scanned } = replayByScanner([bytesOf(jsonlText(log))]);
    expect(scanned.swaps).toEqual([replaySwap(log)]);
  });

  it('leaves its own records out of a log without secrets', () => {
    const [log] = readLogs([bytesOf(text(calm.maker))]).swaps;
    if (log === undefined) throw new Error('the log was not read');
    const { secret } = (calm.maker[0] as Envelope).data as { readonly secret: string };
    expect(jsonlText(log)).toContain(secret);
    const shown = redactLog(log);
    expect(shown.journal).toBeUndefined();
    // What stays is what the chain shows: the claim.
    const types = toEnvelopes(shown).filter(({ data }) => JSON.stringify(data).includes(secret));
    expect(types.map(({ type }) => type)).toEqual(['TakerPaymentSpent']);
  });
});

describe('streams that are not swaps', () => {
  const skipped = (bytes: Uint8Array) => {
    const streams: SkippedStream[] = [];
    const errors: string[] = [];
    const options = {
      onError: ({ line, error }: { readonly line: number; readonly error: { readonly code: string } }) =>
        errors.push(`${line} ${error.code}`),
      onSkipped: (stream: SkippedStream) => streams.push(stream),
    };
    const reader = createJsonlReader({ ...options, onLog: () => undefined });
    reader.push(bytes);
    reader.end();
    const byReader = { streams: streams.splice(0), errors: errors.splice(0) };
    const replayer = createJsonlReplayer({ ...options, onSwap: () => undefined });
    replayer.push(bytes);
    replayer.end();
    expect({ streams, errors }).toEqual(byReader);
    return byReader;
  };
  const woven = calm.taker.flatMap((envelope, index) => [envelope, ...watch.slice(index, index + 1)]);

  it('are checked against their seals and skipped, also between the records of swaps', () => {
    const bytes = bytesOf(text(woven));
    const streams = [{ stream: `watcher/${UUID}`, records: 4, chain: 'verified' }];
    expect(skipped(bytes)).toEqual({ streams, errors: [] });
    expect(replayByParser([bytes])).toEqual(replayByParser([bytesOf(text(calm.taker))]));
    expect(auditChain(watch).every(({ status }) => status === 'verified')).toBe(true);
  });

  it.each([
    ['changed', watch.map((one) => (one.seq === 2 ? { ...one, data: {} } : one)), 3],
    ['missing', watch.filter(({ seq }) => seq !== 1), 2],
    ['repeated', [...watch.slice(0, 2), ...watch.slice(1)], 3],
    ['without its hash', watch.map((one) => (one.seq === 1 ? { ...one, hash: '' } : one)), 2],
  ])('with a record that is %s are reported once, at that record', (_, stream, line) => {
    const bytes = bytesOf(text(stream).replaceAll(',"hash":""', ''));
    const found = skipped(bytes);
    expect(found.errors).toEqual([`${line} CHAIN_BROKEN`]);
    expect(found.streams).toMatchObject([{ chain: 'broken' }]);
  });

  it('without hashes are distinguished from those whose hashes hold', () => {
    const bytes = bytesOf(text(watch.map((one) => ({ ...one, hash: '' }))).replaceAll(',"hash":""', ''));
    expect(skipped(bytes)).toEqual({
      streams: [{ stream: `watcher/${UUID}`, records: 4, chain: 'unsealed' }],
      errors: [],
    });
  });

  it('are not records of a swap for a caller that asks for those', () => {
    const [line = ''] = lines(watch);
    expect(parseRecordLine(line, 1)).toMatchObject({ role: null, uuid: UUID });
    expect(() => parseEnvelopeLine(line, 1)).toThrow(/LINE_INVALID/);
    expect(() => parseRecordLine(line.replace('watcher/', 'kitchen/'), 1)).toThrow(/LINE_INVALID/);
  });

  const scratch = mkdtempSync(join(tmpdir(), 'swapfold-engine-logs-'));
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));

  it('give one result on one thread and on several', async () => {
    const path = join(scratch, 'mixed.jsonl');
    const swaps = [1, 2, 3, 4].map((seed) => engineStreams(calmScenario({ seed })));
    const parts = swaps.flatMap(({ maker, taker }) => [maker, taker]);
    writeFileSync(path, text(...parts.slice(0, 5), watch.slice(0, 2), ...parts.slice(5), watch.slice(2)));
    const replay = async (workers: number) => {
      const found: unknown[] = [];
      const { errors, workers: used } = await replayJsonlFile(path, {
        ...{ workers, rangeBytes: 4000, onSwap: ({ uuid, role, outcome }) => found.push([uuid, role, outcome]) },
        onError: ({ error }) => found.push(error.code),
        onSkipped: (stream) => found.push(stream),
        startThreads: localThreads(readFileSync(path)),
      });
      // A chain of hashes is followed through the whole file, so the threads are given up.
      expect({ errors, used }).toEqual({ errors: 0, used: 1 });
      return found;
    };
    const alone = await replay(1);
    expect(await replay(2)).toEqual(alone);
    expect(alone).toHaveLength(parts.length + 1);
    expect(alone).toContainEqual({ stream: `watcher/${UUID}`, records: 4, chain: 'verified' });
    expect(new Set(alone.slice(0, -1).map((row) => (row as string[])[2]))).toEqual(new Set(['completed']));
  });
});
