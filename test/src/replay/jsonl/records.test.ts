import { describe, expect, it } from 'vitest';
import { envelopeLine, toEnvelopes } from '../../../../src/events/jsonl.ts';
import { sealStream } from '../../../../src/primitives/envelope.ts';
import { millisOf } from '../../../../src/primitives/time.ts';
import { createRecordReader } from '../../../../src/replay/jsonl/records.ts';
import { createStreamTable } from '../../../../src/replay/jsonl/streams.ts';
import { buildSwap } from '../../../../src/testing/logs/swap-builder.ts';
import { bytesOf } from './support.ts';

const log = buildSwap({ role: 'taker', seed: 1, path: ['Started', 'Negotiated', 'TakerFeeSent'] });
const key = `taker-swap/${log.uuid}`;
const lines = toEnvelopes(log).map(envelopeLine);
const [imported = '', started = '', negotiated = ''] = lines;

/** A reader, and all that it tells. */
function reading(maxLineBytes = 100_000) {
  const told: string[] = [];
  const table = createStreamTable<null>({
    ...{ maxOpenStreams: 10, open: () => null, close: () => undefined, setAside: () => undefined },
  });
  const reader = createRecordReader({
    ...{ table, maxLineBytes },
    onEvent: (_, { type }) => told.push(`event ${type}`),
    onImported: (_, { at }) => told.push(`head ${at}`),
    onJournal: (_, { type, before }) => told.push(`journal ${type} before ${before}`),
    onError: ({ line, stream, seq, error }) =>
      told.push(`${error.code} in line ${line} of ${stream === key ? 'the stream' : stream} at ${seq}`),
  });
  const line = (text: string, at = 1) => reader.line(bytesOf(text), at);
  return { told, table, reader, line };
}

describe('a line of a log', () => {
  it('is the head, an event or a record of the engine', () => {
    const { told, table, line } = reading();
    const journal = sealStream([
      {
        stream: key,
        seq: 3,
        at: millisOf(5),
        type: 'OperatorActed',
        version: 1,
        data: { action: 'resume', reason: null },
      },
    ]).map(envelopeLine);
    for (const text of [imported, started, negotiated, ...journal]) line(text);
    expect(told).toEqual([
      `head ${toEnvelopes(log)[0]?.at}`,
      'event Started',
      'event Negotiated',
      'journal OperatorActed before 2',
    ]);
    expect(table.active()).toMatchObject({ key, due: 4, events: 2, journal: true, anomalies: [] });
  });

  it('is left out if it is blank', () => {
    const { told, line, reader } = reading();
    for (const text of ['', '  \t', '\r']) line(text);
    reader.rest(bytesOf(' '), 1);
    expect(told).toEqual([]);
  });

  it('may be as long as the bound, and no longer', () => {
    const bound = bytesOf(started).length;
    const { told, line, reader } = reading(bound);
    line(started);
    line(`${started} `, 2);
    reader.tooLong(3);
    expect(told).toEqual([
      'event Started',
      'LINE_TOO_LONG in line 2 of null at null',
      'LINE_TOO_LONG in line 3 of null at null',
    ]);
  });
});

describe('a line that cannot be read', () => {
  const torn = started.slice(0, -40);

  it('is left out of its stream, if that is the current one', () => {
    const { told, table, line } = reading();
    line(imported);
    line(torn, 2);
    expect(told.slice(1)).toEqual(['NOT_JSON in line 2 of the stream at null']);
    expect(table.active()?.anomalies).toMatchObject([{ code: 'RECORD_UNREADABLE', seq: 0 }]);
    expect(table.active()?.due).toBe(2);
  });

  it('changes no other stream', () => {
    const { told, table, line } = reading();
    line(torn);
    expect(table.active()).toBeUndefined();
    line(imported, 2);
    line(torn.replace('taker-swap', 'maker-swap'), 3);
    line('no object', 4);
    expect(table.active()?.anomalies).toEqual([]);
    expect(told.filter((one) => !one.startsWith('head'))).toEqual([
      'NOT_JSON in line 1 of the stream at null',
      `NOT_JSON in line 3 of maker-swap/${log.uuid} at null`,
      'NOT_JSON in line 4 of null at null',
    ]);
  });

  it('names its stream also with white space at its front, but not where another member comes first', () => {
    const { told, line } = reading();
    line(` { "stream" : "${key}", {`);
    line(`{"seq":1,"stream":"${key}", {`, 2);
    line(`x{"stream":"${key}", {`, 3);
    expect(told).toEqual([
      'NOT_JSON in line 1 of the stream at null',
      'NOT_JSON in line 2 of null at null',
      'NOT_JSON in line 3 of null at null',
    ]);
  });

  it('is incomplete as the last one of a file, and then no part of the log', () => {
    const { told, table, line, reader } = reading();
    line(imported);
    reader.rest(bytesOf(torn), 2);
    expect(told.slice(1)).toEqual(['TORN_LINE in line 2 of the stream at null']);
    expect(table.active()?.anomalies).toEqual([]);
  });

  it('is not incomplete if it is complete and wrong', () => {
    const { told, reader } = reading();
    reader.rest(bytesOf('{"stream":"other"}'), 1);
    expect(told).toEqual(['LINE_INVALID in line 1 of null at null']);
  });

  it('may be no text: incomplete as the last one, damaged before that', () => {
    const damaged = Uint8Array.of(0x22, 0xc3);
    const { told, reader } = reading();
    reader.line(damaged, 1);
    reader.rest(damaged, 2);
    expect(told).toEqual(['LINE_NOT_UTF8 in line 1 of null at null', 'TORN_LINE in line 2 of null at null']);
  });

  it('names its position where only its payload is wrong', () => {
    const { told, table, line } = reading();
    line(imported);
    line(started);
    line(negotiated.replace(/"maker_pubkey":"[^"]*"/, '"maker_pubkey":7'), 3);
    expect(told.slice(2)).toEqual(['FIELD_INVALID in line 3 of the stream at 2']);
    expect(table.active()).toMatchObject({ due: 3, events: 1 });
    expect(table.active()?.anomalies).toMatchObject([{ code: 'RECORD_UNREADABLE', seq: 1 }]);
    expect(table.active()?.anomalies[0]?.message).toContain('Record 2 cannot be read');
  });
});

describe('a record of a stream that is not a swap', () => {
  it('is checked against its hash and otherwise skipped', () => {
    const stream = `watcher/${log.uuid}`;
    const sealed = sealStream(
      [0, 1].map((seq) => ({ stream, seq, at: millisOf(seq), type: 'Stopped', version: 1, data: {} })),
    ).map(envelopeLine);
    const { told, table, line, reader } = reading();
    line(sealed[0] as string);
    line((sealed[1] as string).replace('{}', '{"a":1}'), 2);
    expect(told).toEqual([`CHAIN_BROKEN in line 2 of ${stream} at 1`]);
    expect(reader.skipped()).toEqual([{ stream, records: 2, chain: 'broken' }]);
    expect(table.active()).toBeUndefined();
  });
});
