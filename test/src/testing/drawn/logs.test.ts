import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SwapLog } from '../../../../src/events/saved-swap.ts';
import { auditSwap } from '../../../../src/replay/audit/audit-swap.ts';
import { replaySwap } from '../../../../src/replay/swaps.ts';
import { damagedText, mutation, storedText } from '../../../../src/testing/drawn/arbitraries.ts';
import { swapLog, swapTermsOptions } from '../../../../src/testing/drawn/logs.ts';
import { draws } from '../../../support/draws.ts';

const FEW = draws({ sample: 60, change: 100, release: 200 });
const startOf = ({ events: [first] }: SwapLog) => (first?.data ?? {}) as Readonly<Record<string, unknown>>;
const typesOf = ({ events }: SwapLog) => events.map(({ type }) => type);

describe.each(['taker', 'maker'] as const)('a drawn log of a %s', (role) => {
  it('is consistent, unless asked not to be', () => {
    fc.assert(
      fc.property(swapLog(role), (log) => {
        expect(replaySwap(log).anomalies).toEqual([]);
        expect(auditSwap(log).violated).toBe(0);
        const { maker_coin, taker_coin } = startOf(log);
        if (maker_coin !== undefined) expect(maker_coin).not.toBe(taker_coin);
      }),
      { numRuns: draws({ sample: 38, change: 150, release: 300 }) },
    );
    const any = fc.sample(swapLog(role, { consistent: false }), {
      seed: 1,
      numRuns: draws({ sample: 120, change: 150, release: 300 }),
    });
    const codes = new Set(any.flatMap((log) => replaySwap(log).anomalies.map(({ code }) => code)));
    expect([...codes].sort()).toEqual(['CONTRADICTION', 'ENGINE_ORDER', 'LEGACY_ORDER']);
  });

  it('reports nothing that nodes of its time could not', () => {
    const early = fc.sample(swapLog(role, { terms: { era: '2019' } }), { seed: 1, numRuns: FEW });
    expect(early.flatMap(typesOf).filter((type) => /Watcher|Instructions|SpendConfirm/.test(type))).toEqual([]);
    for (const log of early) expect(startOf(log)['started_at'] ?? 1_560_000_000).toBeLessThan(1_577_840_000);
    const late = fc.sample(swapLog(role, { terms: { startedAt: 1_750_000_000 } }), { seed: 1, numRuns: FEW });
    const started = late.filter(({ events }) => events[0]?.type === 'Started');
    expect(started.every((log) => 'maker_coin_htlc_pubkey' in startOf(log))).toBe(true);
  });

  it('comes in many kinds all the same', () => {
    const logs = fc.sample(swapLog(role, { complete: true }), {
      seed: 1,
      numRuns: draws({ sample: 250, change: 300, release: 600 }),
    });
    expect(new Set(logs.map((log) => replaySwap(log).outcome)).size).toBeGreaterThan(3);
    expect(new Set(logs.flatMap(typesOf)).size).toBeGreaterThan(role === 'taker' ? 24 : 20);
  });

  it('stays consistent while it shrinks', () => {
    const event = role === 'taker' ? 'TakerPaymentRefunded' : 'MakerPaymentRefunded';
    const { counterexample } = fc.check(
      fc.property(swapLog(role, { to: { event } }), (log) => {
        expect(replaySwap(log).anomalies).toEqual([]);
        return startOf(log)['maker_coin'] !== 'BTC';
      }),
      { seed: 3, numRuns: 500 },
    );
    const [log] = counterexample ?? [];
    expect(log === undefined ? [] : typesOf(log).at(-1)).toBe(event);
  });
});

it('terms are those of two coins, at a time at which nodes of the era ran', () => {
  fc.assert(
    fc.property(swapTermsOptions, ({ makerCoin, takerCoin, era, startedAt = 0 }) => {
      expect(makerCoin).not.toBe(takerCoin);
      expect(startedAt > 1_733_000_000).toBe(era === 'current');
    }),
  );
});

it('one coin on both sides is refused, unless any log is meant', () => {
  const terms = { makerCoin: 'DOC', takerCoin: 'DOC' };
  expect(() => swapLog('taker', { terms })).toThrow("terms.takerCoin is DOC, the maker's coin too");
  expect(fc.sample(swapLog('taker', { terms, consistent: false }), 3)).toHaveLength(3);
  expect(() => swapLog('taker', { consistant: false } as never)).toThrow('did you mean consistent');
  for (const make of [swapLog, storedText, damagedText, mutation]) {
    expect(() => make('takr' as never)).toThrow('role is "takr"; did you mean taker');
    expect(() => make(undefined as never)).toThrow('role is undefined; allowed: maker, taker.');
  }
});
