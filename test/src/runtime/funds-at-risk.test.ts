import { describe, expect, it } from 'vitest';
import { createMemoryLog } from '../../../src/log/memory/index.ts';
import type { EventLog } from '../../../src/ports/event-log.ts';
import type { Metrics, SwapStanding } from '../../../src/runtime/index.ts';
import { foreignSwap } from '../../support/foreign-swap.ts';
import { createPair, type Pair, UUID } from '../../support/swap-pair.ts';

/** Counts streams by outcome, as a dashboard does. */
function counting() {
  const counts = new Map<string, number>();
  const add = (at: SwapStanding | null, by: number) => {
    if (at !== null) counts.set(at.outcome, (counts.get(at.outcome) ?? 0) + by);
  };
  const moved: Metrics['moved'] = (from, to) => {
    add(from, -1);
    add(to, 1);
  };
  const metrics = new Proxy({ moved } as Metrics, { get: (known, name) => Reflect.get(known, name) ?? (() => {}) });
  return { metrics, of: (outcome: string) => counts.get(outcome) ?? 0 };
}

const FAILED = [{ type: 'TakerPaymentWaitForSpendFailed', data: { error: 'x' } }, { type: 'Finished' }];

async function atRisk(): Promise<string> {
  const { text } = await foreignSwap({
    side: 'taker',
    otherDiesAfter: 'MakerPaymentSent',
    runUntil: 'TakerPaymentSent',
    stored: FAILED,
  });
  return text;
}

function counted(log: EventLog): { readonly pair: Pair; readonly of: (outcome: string) => number } {
  const { metrics, of } = counting();
  const pair = createPair({ options: (side) => (side === 'taker' ? { metrics, log } : {}) });
  Object.assign(pair.nodes.taker, { log });
  return { pair, of };
}

describe('a finished swap whose coins are at risk is counted', () => {
  it('from its import on, until it is recovered', async () => {
    const text = await atRisk();
    const log = createMemoryLog();
    const { pair, of } = counted(log);
    const { runtime } = pair.nodes.taker;
    await runtime.importText(text);
    await pair.minutes(1);
    expect([of('funds-at-risk'), runtime.sizes().runners]).toEqual([1, 0]);
    await runtime.recoverFunds(UUID);
    await pair.clock.advance(0);
    expect(of('funds-at-risk')).toBe(1);
    await runtime.cancelRecovery(UUID);
    await pair.minutes(1);
    expect([of('funds-at-risk'), runtime.sizes().runners]).toEqual([1, 0]);
  });

  it('by a runtime that finds it in its log, once, however long ago it ended and without being read', async () => {
    const text = await atRisk();
    const log = createMemoryLog();
    await counted(log).pair.nodes.taker.runtime.importText(text);
    const reads: string[] = [];
    const { read } = log;
    const spied = { ...log, read: noted(reads, read) };
    const { pair, of } = counted(spied);
    await pair.clock.advance(90_000_000);
    const { runtime } = pair.nodes.taker;
    await runtime.resumeAll();
    expect([of('funds-at-risk'), reads]).toEqual([1, []]);
    await pair.nodes.taker.runtime.recoverFunds(UUID);
    await pair.clock.advance(0);
    expect(of('funds-at-risk')).toBe(1);
  });

  it('and no longer when it is recovered', async () => {
    const { pair: scene, text } = await foreignSwap({
      side: 'taker',
      otherDiesAfter: 'MakerPaymentSent',
      runUntil: 'TakerPaymentSent',
      stored: FAILED,
      pair: { options: (side) => (side === 'taker' ? { metrics: counter.metrics } : {}) },
    });
    const { runtime } = scene.nodes.taker;
    const before = counter.of('funds-at-risk');
    await runtime.importText(text);
    expect(counter.of('funds-at-risk')).toBe(before + 1);
    await runtime.recoverFunds(UUID);
    expect(await scene.until(() => scene.types('taker').includes('FundsRecovered'), 300)).toBe(true);
    await scene.minutes(60);
    expect(counter.of('funds-at-risk')).toBe(before);
  });
});

const counter = counting();

function noted(reads: string[], read: EventLog['read']): EventLog['read'] {
  return (stream, from) => {
    reads.push(stream);
    return read(stream, from);
  };
}
