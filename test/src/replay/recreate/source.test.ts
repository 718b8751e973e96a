import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../../../src/events/decode-event.ts';
import type { SwapLog } from '../../../../src/events/saved-swap.ts';
import { millisOf } from '../../../../src/primitives/time.ts';
import {
  bareTransaction,
  counting,
  ground,
  originText,
  type SourceEvent,
  sourceOf,
} from '../../../../src/replay/recreate/source.ts';
import { buildSwap } from '../../../../src/testing/logs/swap-builder.ts';

const log = buildSwap({ role: 'taker', seed: 'source', path: ['Started', 'Negotiated', 'TakerFeeSent', 'Finished'] });

/** The log with its n-th event as an event that this version does not know. */
const withUnknown = (seq: number): SwapLog => ({
  ...log,
  events: log.events.map((event, index) => (index === seq ? ({ ...event, known: false } as StoredEvent) : event)),
});

describe('a log taken apart', () => {
  it('gives its first two events and the rest, each with its position', () => {
    const { started, negotiated, rest } = sourceOf(log);
    expect([started, negotiated, ...rest]).toEqual(log.events.map((event, seq) => ({ ...event, seq })));
    expect([started.seq, negotiated.seq, ...rest.map(({ seq }) => seq)]).toEqual([0, 1, 2, 3]);
  });

  it('leaves out later events of unknown type, and keeps the positions of the others', () => {
    expect(sourceOf(withUnknown(2)).rest.map(({ seq }) => seq)).toEqual([3]);
  });

  it('is refused if one of the first two events is unknown, whatever its name', () => {
    expect(() => sourceOf(withUnknown(0))).toThrow("Expected 'Started' event");
    expect(() => sourceOf(withUnknown(1))).toThrow("Expected 'Negotiated' event");
  });
});

describe('the text of a failure of the other party', () => {
  const event = (data: unknown) => ({ type: 'NegotiateFailed', at: millisOf(0), data, known: true }) as StoredEvent;

  it('is that of the real node', () => {
    expect(originText('taker', event({ error: 'An error' }))).toBe(
      'Origin Taker error event: NegotiateFailed(SwapError { error: "An error" })',
    );
    expect(originText('maker', event({ error: 'a "b"\n' }))).toBe(
      'Origin Maker error event: NegotiateFailed(SwapError { error: "a \\"b\\"\\n" })',
    );
  });

  it('is empty inside if the event holds none', () => {
    for (const data of [null, {}, { error: 5 }, 'text', ['error']]) {
      expect(originText('maker', event(data))).toBe(
        'Origin Maker error event: NegotiateFailed(SwapError { error: "" })',
      );
    }
  });
});

describe('the events that count', () => {
  const rest = ['AFailed', 'Paid', 'BFailed', 'CFailedAgain', 'Paid', 'DFailed', 'EFailed'].map(
    (type, seq) => ({ type, seq }) as SourceEvent,
  );
  const progress = new Set(['Paid']);
  const types = (form: 'kdf' | 'replayable', events = rest) =>
    counting(events, { form, progress }).map(({ type }) => type);

  it('are all in the form of the real node', () => {
    expect(types('kdf')).toEqual(rest.map(({ type }) => type));
  });

  it('are in the other form all but failures before the last progress', () => {
    expect(types('replayable')).toEqual(['Paid', 'CFailedAgain', 'Paid', 'DFailed', 'EFailed']);
    const failed = rest.filter(({ type }) => type !== 'Paid');
    expect(types('replayable', failed)).toEqual(failed.map(({ type }) => type));
  });
});

describe('a copy of a source', () => {
  it('of a transaction holds its bytes and its id alone', () => {
    expect(bareTransaction({ tx_hex: 'aa', tx_hash: 'bb', from: ['x'] })).toEqual({ tx_hex: 'aa', tx_hash: 'bb' });
  });

  it('names the event that it rests on with its position', () => {
    const [fee] = sourceOf(log).rest;
    expect(ground(fee as SourceEvent, { certainty: 'assumed', because: 'It is so.' })).toEqual({
      certainty: 'assumed',
      from: 'TakerFeeSent at 2',
      because: 'It is so.',
    });
  });
});
