import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { envelopeLine, jsonlText, toEnvelopes } from '../../../../src/events/jsonl.ts';
import { buildSwap, successPath } from '../../../../src/testing/logs/swap-builder.ts';
import { bytesOf, cut, readLogs } from './support.ts';

const first = buildSwap({ role: 'taker', seed: 1, path: successPath('taker') });
const second = buildSwap({ role: 'maker', seed: 2, path: successPath('maker') });
const open = buildSwap({ role: 'taker', seed: 3, path: successPath('taker').slice(0, 6) });
const linesOf = (log: typeof first) => toEnvelopes(log).map(envelopeLine);
const read = (text: string, limits = {}) => readLogs([bytesOf(text)], limits);
const codes = (log: { readonly anomalies: readonly { readonly code: string }[] } | undefined) =>
  log?.anomalies.map(({ code }) => code);

describe('the reader of log files', () => {
  it('gives back every log that was written, wherever the chunks end', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            seed: fc.nat(99),
            role: fc.constantFrom('taker' as const, 'maker' as const),
            length: fc.nat(14),
          }),
          { maxLength: 4 },
        ),
        fc.array(fc.nat(1_000_000), { maxLength: 6 }),
        (terms, cuts) => {
          const logs = [...new Map(terms.map((term) => [`${term.role}${term.seed}`, term])).values()].map(
            ({ role, seed, length }) => buildSwap({ role, seed, path: successPath(role).slice(0, length) }),
          );
          const { swaps, errors } = readLogs(cut(bytesOf(logs.map(jsonlText).join('')), cuts));
          expect(errors).toEqual([]);
          // Finished logs come out at once, the others at the end.
          const done = (log: (typeof logs)[number]) => log.events.at(-1)?.type === 'Finished';
          expect(swaps).toEqual([...logs.filter(done), ...logs.filter((log) => !done(log))]);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('puts interleaved streams together', () => {
    const [left, right] = [linesOf(first), linesOf(second)];
    const woven = left.flatMap((line, index) => [line, ...right.slice(index, index + 1)]);
    const { swaps, errors } = read(`${woven.join('\n')}\n`);
    expect(errors).toEqual([]);
    expect(swaps.map(({ uuid }) => uuid).sort()).toEqual([first.uuid, second.uuid].sort());
    for (const log of swaps) expect(log).toEqual(log.uuid === first.uuid ? first : second);
  });

  it('tells a finished stream from an unfinished one by the event that ends a swap', () => {
    const order: string[] = [];
    const { swaps } = read(jsonlText(open) + jsonlText(first) + jsonlText(second));
    for (const { uuid } of swaps) order.push(uuid);
    expect(order).toEqual([first.uuid, second.uuid, open.uuid]);
  });

  it('gives up the unfinished stream touched longest ago when too many are open', () => {
    const several = [3, 4, 5].map((seed) => buildSwap({ role: 'taker', seed, path: ['Started'] }));
    const lines = several.map(linesOf);
    const woven = [0, 1, 2].flatMap((at) => lines.map((line) => line[at])).filter((line) => line !== undefined);
    const { swaps } = read(`${woven.join('\n')}\n`, { maxOpenStreams: 1 });
    expect(swaps.length).toBeGreaterThan(several.length);
    expect(swaps.flatMap((log) => codes(log))).toContain('SEQ_GAP');
    expect(read(`${woven.join('\n')}\n`, { maxOpenStreams: 2 }).swaps).toEqual(several);
  });

  it('names missing records', () => {
    const lines = linesOf(first);
    lines.splice(3, 2);
    const [log] = read(lines.join('\n')).swaps;
    expect(log?.anomalies).toMatchObject([{ code: 'SEQ_GAP', severity: 'fault', seq: 2, expected: ['3'], found: '5' }]);
    expect(log?.anomalies[0]?.message).toBe('The stream is not complete: records 3 to 4 are missing before record 5.');
  });

  it('names the records before the first existing one', () => {
    const [log] = read(linesOf(first).slice(2).join('\n')).swaps;
    expect(log?.anomalies).toMatchObject([{ code: 'SEQ_GAP', seq: 0, expected: ['0'], found: '2' }]);
    expect(log?.head.uuid).toBe(first.uuid);
  });

  it('names repeated records and keeps them', () => {
    const lines = linesOf(first);
    lines.splice(5, 0, lines[4] as string);
    const [log] = read(lines.join('\n')).swaps;
    expect(log?.anomalies).toMatchObject([{ code: 'SEQ_REPEATED', severity: 'fault', seq: 4, found: '4' }]);
    expect(log?.events).toHaveLength(first.events.length + 1);
  });

  it('keeps everything before an incomplete last line', () => {
    const text = jsonlText(first) + jsonlText(second);
    const lines = text.split('\n').length - 1;
    const { swaps, errors } = read(text.slice(0, -40));
    expect(errors).toMatchObject([{ line: lines, code: 'TORN_LINE' }]);
    expect(swaps.map(({ uuid }) => uuid)).toEqual([first.uuid, second.uuid]);
    expect(swaps[0]).toEqual(first);
    expect(swaps[1]?.events).toEqual(second.events.slice(0, -1));
    expect(swaps[1]?.anomalies).toEqual([]);
  });

  it('accepts a complete last line without its line feed', () => {
    expect(read(jsonlText(first).slice(0, -1))).toEqual({ swaps: [first], errors: [] });
  });

  it('reports a line that cannot be read, marks its stream, and loads all others', () => {
    const lines = [...linesOf(first), ...linesOf(second)];
    lines[4] = (lines[4] as string).replace(/"data":.*"hash"/, '"data":{{,"hash"');
    lines.splice(0, 0, 'what is this?');
    const { swaps, errors } = read(lines.join('\n'));
    expect(errors).toMatchObject([
      { line: 1, code: 'NOT_JSON', stream: null },
      { line: 6, code: 'NOT_JSON', stream: `taker-swap/${first.uuid}` },
    ]);
    expect(swaps[0]?.anomalies).toMatchObject([{ code: 'RECORD_UNREADABLE', severity: 'fault', seq: 3 }]);
    expect(swaps[0]?.events).toHaveLength(first.events.length - 1);
    expect(swaps[1]).toEqual(second);
  });

  it('reports a payload that no release wrote, with stream and sequence number', () => {
    const lines = linesOf(first);
    lines[2] = (lines[2] as string).replace(/"maker_pubkey":"[^"]*"/, '"maker_pubkey":7');
    const { swaps, errors } = read(lines.join('\n'));
    expect(errors).toMatchObject([{ line: 3, seq: 2, stream: `taker-swap/${first.uuid}`, code: 'FIELD_INVALID' }]);
    expect(codes(swaps[0])).toEqual(['RECORD_UNREADABLE']);
  });

  it('tolerates line ends of other systems, blank lines and a byte order mark', () => {
    const text = `\ufeff${linesOf(first).join('\r\n')}\r\n\r\n  \n\t${linesOf(second).join('\n\n')}\n\n`;
    expect(read(text)).toEqual({ swaps: [first, second], errors: [] });
  });

  it('refuses bytes that are not UTF-8', () => {
    const bytes = bytesOf(jsonlText(first) + jsonlText(second));
    bytes[100] = 0xff;
    const { swaps, errors } = readLogs([bytes]);
    expect(errors).toMatchObject([{ line: 1, code: 'LINE_NOT_UTF8' }]);
    expect(swaps[1]).toEqual(second);
  });

  it('refuses a line beyond the bound without holding it', () => {
    const long = bytesOf('x'.repeat(100_000));
    const chunks = [bytesOf(jsonlText(first)), long, long, long, bytesOf(`\n${jsonlText(second)}`)];
    const { swaps, errors } = readLogs(chunks, { maxLineBytes: 50_000 });
    const line = jsonlText(first).split('\n').length;
    expect(errors).toMatchObject([{ line, code: 'LINE_TOO_LONG' }]);
    expect(swaps).toEqual([first, second]);
  });

  it('notices a swap whose start belongs to another one', () => {
    const lines = linesOf(first);
    lines[1] = (lines[1] as string).replace(`"uuid":"${first.uuid}"`, `"uuid":"${second.uuid}"`);
    expect(codes(read(lines.join('\n')).swaps[0])).toEqual(['UUID_MISMATCH']);
  });

  it('finds nothing in an empty file', () => {
    expect(readLogs([])).toEqual({ swaps: [], errors: [] });
    expect(read('\n\n')).toEqual({ swaps: [], errors: [] });
  });
});
