import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { envelopeLine, toEnvelopes } from '../../../../src/events/jsonl.ts';
import { makerEventTypes } from '../../../../src/events/maker.ts';
import type { SwapLog } from '../../../../src/events/saved-swap.ts';
import { takerEventTypes } from '../../../../src/events/taker.ts';
import { portableMemory, wasmMemory } from '../../../../src/replay/jsonl/wasm-hex.ts';
import { buildSwap, successPath } from '../../../../src/testing/logs/swap-builder.ts';
import { draws } from '../../../support/draws.ts';
import { bytesOf, cut, replayByParser, replayByScanner } from './support.ts';

const roles = ['taker', 'maker'] as const;

/** A built log whose events follow one another legally, mostly, or in no order at all. */
const log: fc.Arbitrary<SwapLog> = fc
  .record({
    role: fc.constantFrom(...roles),
    seed: fc.nat(5000),
    kind: fc.constantFrom('success', 'prefix', 'damaged', 'any'),
    cut: fc.nat(14),
    extra: fc.array(fc.nat(30), { maxLength: 12 }),
  })
  .map(({ role, seed, kind, cut: at, extra }) => {
    const types: readonly string[] = role === 'taker' ? takerEventTypes : makerEventTypes;
    const any = extra.map((index) => types[index % types.length] as string);
    const success = successPath(role, { watchers: seed % 4 === 0 });
    const path = {
      success,
      prefix: success.slice(0, at),
      damaged: [...success.slice(0, at), ...any.slice(0, 2), ...success.slice(at + 1)],
      any,
    }[kind];
    return buildSwap({ role, seed, path });
  });

const linesOf = (swap: SwapLog) => toEnvelopes(swap).map(envelopeLine);

/** Changes of a line's spelling, from harmless to fatal. */
const respellings: readonly ((line: string) => string)[] = [
  (line) => line.replaceAll('":', '": '),
  (line) => ` ${line}`,
  (line) => `${line}\r`,
  (line) => line.replace(/"seq":(\d+),"at":(\d+)/, '"at":$2,"seq":$1'),
  (line) => line.replace(/"tx_hex":("[^"]*"),"tx_hash":("[^"]*")/, '"tx_hash":$2,"tx_hex":$1'),
  (line) => line.replace(/"hash":"([0-9a-f]+)"/, (_, hex) => `"hash":"${hex.toUpperCase()}"`),
  (line) => line.replace(/"tx_hex":"([0-9a-f]+)"/, (_, hex) => `"tx_hex":"${hex.toUpperCase()}"`),
  (line) => line.replace(/"tx_hex":"[0-9a-f]/, '"tx_hex":"'),
  (line) => line.replace(/"tx_hash":"([0-9a-f]+)"/, '"tx_hash":"0x$1"'),
  (line) => line.replace(/"tx_hex":"[^"]*"/, '"tx_hex":""'),
  (line) => line.replace(/"tx_hash":"[^"]*"/, '"tx_hash":null'),
  (line) => line.replace(/"tx_hash":"[0-9a-f]/, '"tx_hash":"'),
  (line) => line.replace(/"tx_hash":"[^"]*"/, '"tx_hash":"0g"'),
  (line) => line.replace(/"secret":"[0-9a-f]/, '"secret":"x'),
  (line) => line.replace(/"secret":"[0-9a-f]{2}/, '"secret":"'),
  (line) => line.replace(/"secret_hash":"[0-9a-f]/, '"secret_hash":"'),
  (line) => line.replace(/"secret_hash":"[^"]*"/, '"secret_hash":null'),
  (line) => line.replace(/"maker":"[0-9a-f]{2}/, '"maker":"'),
  (line) => line.replace(/"maker":"[^"]*"/, '"maker":null'),
  (line) => line.replace(/"taker_coin":"([^"]*)"/, '"taker_coin":"Ü$1"'),
  (line) => line.replace(/"taker_coin":"([^"]*)"/, '"taker_coin":"a\\"b\\\\c\\n"'),
  (line) => line.replace(/"taker_coin":"([^"]*)"/, '"taker_coin":"\\x"'),
  (line) => line.replace(/"taker_coin":"([^"]*)"/, '"taker_coin":"\u0001"'),
  (line) => line.replace(/"error":"/, '"error":"é\\t\\/'),
  (line) => line.replace(/"lock_duration":(\d+)/, '"lock_duration":null'),
  (line) => line.replace(/"maker_coin_start_block":(\d+)/, '"maker_coin_start_block":null'),
  (line) => line.replace(/"paid_from_trading_vol":\w+/, '"paid_from_trading_vol":null'),
  (line) => line.replace(/"p2p_privkey":null/, '"p2p_privkey":[1,2,3]'),
  (line) => line.replace(/"hash":"[^"]*"}$/, '"hash":""}'),
  (line) => line.replace(/,"hash":"[^"]*"}$/, '}'),
  (line) => line.replace(/"hash":"([^"]*)"}$/, '"extra":{"saved":{"note":"é"}},"hash":"$1"}'),
  (line) => line.replace(/"at":(\d+)/, '"at":$1.0'),
  (line) => line.replace(/"at":(\d+)/, '"at":0$1'),
  (line) => line.replace(/"at":(\d+)/, '"at":9007199254740993'),
  (line) => line.replace(/"at":(\d+)/, '"at":900719925474099'),
  (line) => line.replace(/"at":(\d+)/, '"at":-1'),
  (line) => line.replace(/"seq":(\d+)/, '"seq":$10'),
  (line) => line.replace(/"seq":(\d+)/, '"seq":1e3'),
  (line) => line.replace(/"version":1/, '"version":2'),
  (line) => line.replace(/"taker_coin":"([^"]*)"/, '"taker_coin":"Ü$1\\u00e9\\n"'),
  (line) => line.replace(/"maker_amount":"([^"]*)"/, '"maker_amount":$1'),
  (line) => line.replace(/"maker_amount":"([^"]*)"/, '"maker_amount":"1e-8"'),
  (line) => line.replace(/"maker_amount":"([^"]*)"/, '"maker_amount":"$1x"'),
  (line) => line.replace(/"lock_duration":(\d+)/, '"lock_duration":"$1"'),
  (line) => line.replace(/"lock_duration":(\d+)/, '"unknown":{"a":[1.50]},"lock_duration":$1'),
  (line) => line.replace(/"uuid":"([^"]*)"/, (_, id) => `"uuid":"${id.toUpperCase()}"`),
  (line) => line.replace(/"uuid":"[^"]*"/, '"uuid":"11111111-2222-3333-4444-555555555555"'),
  (line) => line.replace(/swap\/([0-9a-f-]+)/, (_, id) => `swap/${id.toUpperCase()}`),
  (line) => line.replace(/"stream":"[a-z-]*/, '"stream":"watcher'),
  (line) => line.replace(/"maker_payment_wait":\d+,?/, ''),
  (line) => line.replace(/"maker_payment_requires_nota":[^,]*,/, ''),
  (line) => line.replace(/"type":"(\w+)"/, '"type":"Unheard"'),
  (line) => line.replace(/"type":"(\w+)"/, '"type":"Finished"'),
  (line) => line.replace(/"data":null/, '"data":{"x":1}'),
  (line) => line.replace(/"roleGiven":true/, '"roleGiven":true,"roleGiven":false'),
  (line) => line.replace(/"gui":[^,]*/, '"gui":", -0 :12345678901234567"'),
  (line) => line.replace(/"success_events":\[[^\]]*\]/, '"success_events":[],"success_events":["A"]'),
  (line) => line.slice(0, line.length >> 1),
  (line) => `${line}}`,
  () => '',
  () => '   \t',
  () => 'null',
  () => '\u2028',
  (line) => `\ufeff${line}`,
];

const edit = fc.record({ at: fc.nat(100_000), how: fc.nat(respellings.length - 1) });
const change = fc.record({ at: fc.nat(1_000_000), to: fc.integer({ min: 0, max: 255 }) });

/** A file of several logs, one after the other or interleaved, with some lines and bytes changed. */
const file = fc
  .record({
    logs: fc.array(log, { minLength: 1, maxLength: 4 }),
    order: fc.option(fc.array(fc.nat(3), { minLength: 5, maxLength: 60 }), { nil: undefined }),
    edits: fc.array(edit, { maxLength: 4 }),
    moves: fc.array(fc.tuple(fc.nat(1000), fc.nat(1000)), { maxLength: 2 }),
    changes: fc.array(change, { maxLength: 3 }),
    lineFeedAtEnd: fc.boolean(),
  })
  .map(({ logs, order, edits, moves, changes, lineFeedAtEnd }) => {
    const lines = order === undefined ? logs.flatMap(linesOf) : interleave(logs.map(linesOf), order);
    for (const { at, how } of edits) {
      const index = at % lines.length;
      lines[index] = (respellings[how] as (line: string) => string)(lines[index] as string);
    }
    for (const [from, to] of moves) {
      const [moved] = lines.splice(from % lines.length, 1);
      lines.splice(to % (lines.length + 1), 0, moved as string);
    }
    const bytes = bytesOf(`${lines.join('\n')}${lineFeedAtEnd ? '\n' : ''}`);
    for (const { at, to } of changes) bytes[at % bytes.length] = to;
    return bytes;
  });

function interleave(streams: string[][], order: readonly number[]): string[] {
  const left = streams.map((lines) => [...lines]);
  const lines: string[] = [];
  for (let turn = 0; left.some((stream) => stream.length > 0); turn++) {
    const next =
      left[(order[turn % order.length] as number) % left.length]?.shift() ?? left.find((s) => s.length)?.shift();
    if (next !== undefined) lines.push(next);
  }
  return lines;
}

const limits = fc.record({
  maxOpenStreams: fc.constantFrom(0, 1, 2, 10_000),
  maxLineBytes: fc.constantFrom(1_500, 3_000, 64 * 1024 * 1024),
});

describe('the scan of canonical lines', () => {
  it('finds what the parser finds, in any state of the file', () => {
    fc.assert(
      fc.property(file, fc.array(fc.nat(1_000_000), { maxLength: 3 }), limits, (bytes, cuts, bounds) => {
        const expected = replayByParser([bytes], bounds);
        const chunks = cut(bytes, cuts);
        for (const memory of [wasmMemory() ?? portableMemory(), portableMemory()]) {
          const { swaps, errors } = replayByScanner(chunks, { ...bounds, memory });
          expect(errors).toEqual(expected.errors);
          expect(swaps).toEqual(expected.swaps);
        }
        expect(replayByParser(chunks, bounds)).toEqual(expected);
      }),
      { numRuns: draws({ sample: 20, change: 60, release: 120 }) },
    );
  });

  it('finds what the parser finds for each way to spell each line', () => {
    const refund = [
      'TakerPaymentWaitForSpendFailed',
      'TakerPaymentWaitRefundStarted',
      'TakerPaymentRefunded',
      'Finished',
    ];
    const logs = [
      buildSwap({ role: 'taker', seed: 5, path: successPath('taker') }),
      buildSwap({ role: 'taker', seed: 6, path: [...successPath('taker').slice(0, 8), ...refund] }),
      buildSwap({ role: 'maker', seed: 7, path: successPath('maker') }),
    ];
    for (const lines of logs.map(linesOf)) {
      for (const [at, line] of lines.entries()) {
        if (at % draws({ sample: 5, change: 1 }) > 0) continue;
        for (const spelled of new Set(respellings.map((respell) => respell(line)))) {
          const bytes = bytesOf(`${lines.with(at, spelled).join('\n')}\n`);
          const { swaps, errors } = replayByScanner([bytes]);
          const expected = replayByParser([bytes]);
          if (!isDeepStrictEqual({ swaps, errors }, expected)) expect({ spelled, swaps, errors }).toEqual(expected);
        }
      }
    }
  });

  it('accepts a line as long as the bound, and none that is longer', () => {
    const lines = linesOf(buildSwap({ role: 'taker', seed: 8, path: successPath('taker') }));
    const bytes = bytesOf(`${lines.join('\n')}\n`);
    const longest = Math.max(...lines.map((line) => line.length));
    for (const maxLineBytes of [longest, longest - 1]) {
      const { swaps, errors } = replayByScanner([bytes], { maxLineBytes });
      expect({ swaps, errors }).toEqual(replayByParser([bytes], { maxLineBytes }));
      expect(errors).toHaveLength(longest - maxLineBytes);
    }
  });

  it('reads every line of its own writer without the parser, except watcher messages', () => {
    fc.assert(
      fc.property(fc.array(log, { minLength: 1, maxLength: 3 }), (logs) => {
        const lines = logs.flatMap(linesOf);
        const bytes = bytesOf(`${lines.join('\n')}\n`);
        const { counts } = replayByScanner([bytes]);
        const expected = lines.filter((line) => line.includes('"type":"WatcherMessageSent"')).length;
        expect({ lines: counts.lines, parsed: counts.parsed }).toEqual({ lines: lines.length, parsed: expected });
      }),
      { numRuns: draws({ sample: 10, change: 30, release: 60 }) },
    );
  });

  it('gives the same result wherever a chunk ends', () => {
    const logs = [
      buildSwap({ role: 'taker', seed: 3, path: ['Started', 'Negotiated', 'TakerFeeSent'] }),
      buildSwap({ role: 'maker', seed: 4, path: ['Started', 'NegotiateFailed', 'Finished'] }),
    ];
    const bytes = bytesOf(interleave(logs.map(linesOf), [0, 1, 1]).join('\n'));
    const expected = replayByParser([bytes]);
    expect(expected.swaps).toHaveLength(2);
    for (let at = 0; at <= bytes.length; at += draws({ sample: 7, change: 1 })) {
      const { swaps, errors } = replayByScanner([bytes.subarray(0, at), bytes.subarray(at)]);
      if (errors.length > 0 || JSON.stringify(swaps) !== JSON.stringify(expected.swaps)) {
        expect({ at, swaps, errors }).toEqual({ at, ...expected });
      }
    }
  });

  it('gives the same result byte by byte', () => {
    const bytes = bytesOf(`${linesOf(buildSwap({ role: 'taker', seed: 9, path: successPath('taker') })).join('\n')}\n`);
    const single = Array.from(bytes, (byte) => Uint8Array.of(byte));
    expect(replayByScanner(single).swaps).toEqual(replayByParser([bytes]).swaps);
  });

  it('keeps no view of a chunk in what it hands out or sets aside', () => {
    const unfinished = buildSwap({ role: 'taker', seed: 1, path: successPath('taker').slice(0, 8) });
    const other = buildSwap({ role: 'taker', seed: 2, path: successPath('taker') });
    const chunk = bytesOf(`${[...linesOf(unfinished), ...linesOf(other)].join('\n')}\n`);
    const noise = new Uint8Array(chunk.length).fill(0x7a);
    noise[noise.length - 1] = 10;
    const { swaps } = replayByScanner([chunk, noise]);
    expect(swaps).toEqual(replayByParser([chunk]).swaps);
  });
});
