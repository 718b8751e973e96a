import { describe, expect, it } from 'vitest';
import { envelopeLine, toEnvelopes } from '../../../../src/events/jsonl.ts';
import type { Envelope } from '../../../../src/primitives/envelope.ts';
import {
  CanonicalScanner,
  giveBackCanonicalScanner,
  takeCanonicalScanner,
} from '../../../../src/replay/jsonl/canonical-line.ts';
import { portableMemory } from '../../../../src/replay/jsonl/wasm-hex.ts';
import { buildSwap, successPath } from '../../../../src/testing/logs/swap-builder.ts';
import { loadText } from '../../../support/scan-memory.ts';

const refunded = ['TakerPaymentWaitForSpendFailed', 'TakerPaymentWaitRefundStarted', 'TakerPaymentRefunded'];
const taker = toEnvelopes(buildSwap({ role: 'taker', seed: 1, path: successPath('taker') }));
const back = toEnvelopes(
  buildSwap({ role: 'taker', seed: 2, path: [...successPath('taker').slice(0, 8), ...refunded, 'Finished'] }),
);
const maker = toEnvelopes(buildSwap({ role: 'maker', seed: 3, path: successPath('maker') }));
const lineOf = (stream: readonly Envelope[], type: string) => {
  const envelope = stream.find((one) => one.type === type);
  if (envelope === undefined) throw new Error(`no ${type} in the stream`);
  return envelopeLine(envelope);
};

/** Whether the scanner takes the text, to its last byte. */
function takes(scanner: CanonicalScanner, text: string, { short = 0 } = {}): boolean {
  const { at, until } = loadText(scanner.memory, text);
  const end = scanner.scan(at, until - short);
  if (end < 0) return false;
  expect(end).toBe(until);
  return true;
}

const read = (value: unknown, like: unknown): unknown => {
  if (value === null || typeof value !== 'object') return value;
  const names = Object.keys(like as object);
  return Object.fromEntries(
    names.map((name) => [
      name,
      read((value as Record<string, unknown>)[name], (like as Record<string, unknown>)[name]),
    ]),
  );
};

describe('a line in canonical form', () => {
  it('is every one that the writer makes, and reads as what was written', () => {
    const scanner = new CanonicalScanner(portableMemory());
    for (const envelope of [...taker, ...back, ...maker, ...taker]) {
      expect(takes(scanner, envelopeLine(envelope)), envelope.type).toBe(true);
      const { role, seq, at, type, data } = scanner.line;
      expect({ role, seq, at, type }).toEqual({
        role: envelope.stream.slice(0, 5),
        ...{ seq: envelope.seq, at: envelope.at, type: envelope.type },
      });
      // Of the head a replay needs nothing but that it is there.
      if (type !== 'Imported') expect(read(data, envelope.data)).toEqual(envelope.data);
    }
  });

  it('leaves its payload in the memory until somebody takes a copy', () => {
    const scanner = new CanonicalScanner(portableMemory());
    for (const [stream, type, isLazy] of [
      [taker, 'Started', true],
      [taker, 'TakerFeeSent', true],
      [taker, 'TakerPaymentSpent', true],
      [taker, 'Imported', false],
      [taker, 'Finished', false],
    ] as const) {
      takes(scanner, lineOf(stream, type));
      const { lazy, data } = scanner.line;
      expect(lazy !== undefined, type).toBe(isLazy);
      lazy?.detach();
      loadText(scanner.memory, '#'.repeat(20_000));
      const { data: written } = stream.find((one) => one.type === type) as Envelope;
      if (isLazy) expect(read(data, written)).toEqual(written);
      else expect(data).toBeNull();
    }
  });

  it('is invalid with any other byte in any place', () => {
    const scanner = new CanonicalScanner(portableMemory());
    for (const [stream, type] of [
      [taker, 'Imported'],
      [taker, 'TakerPaymentSpent'],
      [back, 'TakerPaymentRefunded'],
      [maker, 'Finished'],
    ] as const) {
      const line = lineOf(stream, type);
      for (let at = 0; at < line.length; at++) {
        const changed = `${line.slice(0, at)}!${line.slice(at + 1)}`;
        if (takes(scanner, changed)) expect(changed).toBe('refused');
      }
      expect(takes(scanner, line)).toBe(true);
    }
  });

  it.each([
    ['a transaction with half a byte', /"tx_hex":"../, '"tx_hex":"a'],
    ['a transaction id with half a byte', /"tx_hash":"../, '"tx_hash":"a'],
    ['hex in upper case', /"tx_hex":"../, '"tx_hex":"AA'],
    ['a shorter secret', /"secret":"../, '"secret":"'],
    ['a longer secret', /"secret":"/, '"secret":"ab'],
    ['a shorter hash', /"hash":"../, '"hash":"'],
    ['a longer hash', /"hash":"/, '"hash":"ab'],
    ['more behind it', /$/, ' '],
    ['a number with a leading zero', /"seq":/, '"seq":0'],
    ['a time with a fraction', /("at":\d+)/, '$1.5'],
    ['another version', /"version":1/, '"version":2'],
    ['a type that nobody knows', /"type":"\w+"/, '"type":"Unheard"'],
    ['a stream of another kind', /taker-swap/, 'other-swap'],
    ['a uuid in upper case', /swap\/......../, 'swap/ABCDEF01'],
  ])('is invalid with %s', (_, pattern, spelled) => {
    const line = lineOf(taker, 'TakerPaymentSpent');
    const changed = line.replace(pattern, spelled);
    expect(changed).not.toBe(line);
    const scanner = new CanonicalScanner(portableMemory());
    expect(takes(scanner, changed)).toBe(false);
    expect(scanner.line.lazy === undefined || changed.includes('"tx_hash"')).toBe(true);
    expect(takes(scanner, line)).toBe(true);
  });

  it('is invalid if it ends too early, or continues beyond the run of lines', () => {
    const scanner = new CanonicalScanner(portableMemory());
    for (const type of ['Imported', 'Started', 'TakerFeeSent', 'TakerPaymentSpent', 'Finished']) {
      const line = lineOf(taker, type);
      expect(takes(scanner, line, { short: 1 }), type).toBe(false);
      for (let length = 0; length < line.length; length += 7) expect(takes(scanner, line.slice(0, length))).toBe(false);
    }
  });

  it('has a null only if the vocabulary allows one', () => {
    const scanner = new CanonicalScanner(portableMemory());
    const nulled = (stream: readonly Envelope[], type: string) =>
      takes(scanner, lineOf(stream, type).replace(/"data":.*,"hash"/, '"data":null,"hash"'));
    expect(nulled(back, 'TakerPaymentRefunded')).toBe(true);
    expect(scanner.line.data).toBeNull();
    for (const type of ['TakerFeeSent', 'Started', 'TakerPaymentSpent', 'Imported']) {
      expect(nulled(taker, type), type).toBe(false);
    }
    const filled = lineOf(taker, 'Finished').replace('"data":null', '"data":{}');
    expect(takes(scanner, filled)).toBe(false);
  });
});

describe('the stream of a line', () => {
  const [first, second] = [lineOf(taker, 'TakerFeeSent'), lineOf(taker, 'Finished')];
  const key = taker[0]?.stream as string;
  const noted = () => {
    const scanner = new CanonicalScanner(portableMemory());
    takes(scanner, first);
    expect(scanner.line.sameStream).toBe(false);
    return scanner;
  };
  const same = (scanner: CanonicalScanner, line: string) => {
    expect(takes(scanner, line)).toBe(true);
    return scanner.line.sameStream;
  };

  it('is reported when it is noted, and recognized in the lines that follow', () => {
    const scanner = noted();
    expect(scanner.note(scanner.memory.base)).toEqual({ key, uuid: key.slice('taker-swap/'.length) });
    expect(same(scanner, second)).toBe(true);
    expect(scanner.line.role).toBe('taker');
    expect(same(scanner, lineOf(back, 'Finished'))).toBe(false);
    expect(same(scanner, lineOf(maker, 'Finished'))).toBe(false);
    expect(scanner.line.role).toBe('maker');
    expect(same(scanner, second)).toBe(true);
    expect(scanner.line.role).toBe('taker');
  });

  it('is recognized if a line in another spelling had it', () => {
    const scanner = noted();
    scanner.noteKey(key);
    expect(same(scanner, second)).toBe(true);
    expect(scanner.line.role).toBe('taker');
    scanner.noteKey(maker[0]?.stream as string);
    expect(same(scanner, lineOf(maker, 'Finished'))).toBe(true);
    expect(scanner.line.role).toBe('maker');
    expect(same(scanner, second)).toBe(false);
  });

  it('is forgotten with the latest line', () => {
    const scanner = noted();
    scanner.noteKey(key);
    scanner.forget();
    expect([scanner.line.data, scanner.line.lazy]).toEqual([null, undefined]);
    expect(same(scanner, second)).toBe(false);
  });
});

describe('the scanner at hand', () => {
  it('is one and the same for one replay after the other, without what it noted', () => {
    const scanner = takeCanonicalScanner();
    expect(takeCanonicalScanner()).not.toBe(scanner);
    takes(scanner, lineOf(taker, 'TakerFeeSent'));
    scanner.note(scanner.memory.base);
    giveBackCanonicalScanner(scanner);
    expect(takeCanonicalScanner()).toBe(scanner);
    expect(scanner.line.lazy).toBeUndefined();
    takes(scanner, lineOf(taker, 'TakerFeeSent'));
    expect(scanner.line.sameStream).toBe(false);
  });

  it('is not kept once a long line has made its memory large', () => {
    const scanner = takeCanonicalScanner();
    scanner.memory.reserve(33 * 1024 * 1024);
    giveBackCanonicalScanner(scanner);
    expect(takeCanonicalScanner()).not.toBe(scanner);
  });
});
