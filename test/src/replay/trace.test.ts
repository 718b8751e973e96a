import { describe, expect, it } from 'vitest';
import type { Anomaly } from '../../../src/events/anomaly.ts';
import type { StoredEvent } from '../../../src/events/decode-event.ts';
import type { SwapLog } from '../../../src/events/saved-swap.ts';
import { replaySwap, swapMachines } from '../../../src/replay/swaps.ts';
import { traceSwap } from '../../../src/replay/trace.ts';
import { buildSwap, successPath } from '../../../src/testing/logs/swap-builder.ts';

const path = successPath('taker');
const log = buildSwap({ role: 'taker', path, seed: 'trace' });
const note = (seq: number | null, code: Anomaly['code']): Anomaly => ({ seq, code, severity: 'fault', message: code });

describe('a trace', () => {
  const steps = traceSwap(log);

  it('has a step for each event, each from the state that the previous one led to', () => {
    expect(steps.map(({ seq, event }) => [seq, event])).toEqual(log.events.map((event, seq) => [seq, event]));
    expect(steps[0]?.from).toBe('created');
    steps.forEach(({ from }, index) => {
      if (index > 0) expect(from).toBe(steps[index - 1]?.state);
    });
    expect(steps.at(-1)?.state).toBe('finished');
  });

  it('says after each event what a replay of the log up to there says', () => {
    steps.forEach(({ state, verdict }, seq) => {
      const { outcome, funds, next, ...cut } = replaySwap({ ...log, events: log.events.slice(0, seq + 1) });
      expect({ state, verdict }).toEqual({ state: cut.state, verdict: { outcome, funds, next } });
    });
  });

  it('shows what the machine wants, and its deadlines, in that state', () => {
    const { definition } = swapMachines.taker;
    for (const { state, context, wants, deadlines } of steps) {
      expect(wants).toEqual(definition.wants(state, context));
      expect(deadlines).toEqual(definition.deadlines(state, context));
    }
    expect(steps.some(({ wants }) => wants.length > 0)).toBe(true);
    expect(steps.some(({ deadlines }) => deadlines.length > 0)).toBe(true);
  });

  it('gives a sentence of its own side for each event', () => {
    expect(steps[0]?.sentence).toMatch(/^The swap started: the taker gives/);
    const [started] = traceSwap(buildSwap({ role: 'maker', path: ['Started', 'StartFailed', 'Finished'] }));
    expect(started?.sentence).toMatch(/^The swap started: the maker gives/);
    expect(new Set(steps.map(({ sentence }) => sentence)).size).toBe(steps.length);
  });

  it('keeps each context as it was, although the replay continues', () => {
    const failed = [...path.slice(0, -3), 'MakerPaymentSpendFailed', 'MakerPaymentSpendFailed', 'Finished'];
    const errors = traceSwap(buildSwap({ role: 'taker', path: failed, seed: 'trace' })).map(({ context }) => {
      return Object.values(context as object).map((value) => (Array.isArray(value) ? value.length : value));
    });
    for (const [index, { context }] of traceSwap(
      buildSwap({ role: 'taker', path: failed.slice(0, -2), seed: 'trace' }),
    ).entries()) {
      const lengths = Object.values(context as object).map((value) => (Array.isArray(value) ? value.length : value));
      expect(lengths).toEqual(errors[index]);
    }
  });
});

describe('what is wrong with an event', () => {
  it('is at that event, with the reader’s notes before those of the replay', () => {
    const twice = buildSwap({ role: 'taker', path: ['Started', 'Negotiated', 'Negotiated'], seed: 'trace' });
    const noted = [note(2, 'SEQ_GAP'), note(null, 'UUID_MISMATCH'), note(0, 'SEQ_REPEATED'), note(2, 'SEQ_REPEATED')];
    const codes = traceSwap({ ...twice, anomalies: noted }).map(({ anomalies }) => anomalies.map(({ code }) => code));
    expect(codes).toEqual([['SEQ_REPEATED'], [], ['SEQ_GAP', 'SEQ_REPEATED', 'DUPLICATE_EVENT']]);
  });

  it('does not keep an event of unknown type from being named', () => {
    const unknown = { ...log.events[1], type: 'BrandNew', known: false } as StoredEvent;
    const changed: SwapLog = { ...log, events: [log.events[0] as StoredEvent, unknown] };
    const [first, second] = traceSwap(changed);
    expect(second?.sentence).toBe('An event of unknown type: BrandNew.');
    expect([second?.from, second?.state]).toEqual([first?.state, first?.state]);
    expect(second?.anomalies.map(({ code }) => code)).toEqual(['UNKNOWN_EVENT']);
  });
});
