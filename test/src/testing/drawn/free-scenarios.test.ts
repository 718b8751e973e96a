import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toBigNumber } from '../../../../src/primitives/decimal.ts';
import { conductOf } from '../../../../src/sim/world/build.ts';
import { checkScenario } from '../../../../src/sim/world/check-scenario.ts';
import type { Scenario } from '../../../../src/sim/world/scenario.ts';
import { runScenario } from '../../../../src/sim/world/simulate.ts';
import { freeAbsences, freeScenario, freeTerms, freeTimes } from '../../../../src/testing/drawn/free-scenarios.ts';
import { draws } from '../../../support/draws.ts';

function sampled(scenarios: fc.Arbitrary<Scenario>): Scenario {
  const [one] = fc.sample(scenarios, { seed: 1, numRuns: 1 });
  if (one === undefined) throw new Error('nothing was drawn');
  return one;
}

describe('freely drawn terms', () => {
  const options = {
    decimals: { maker: 6, taker: 8 },
    amount: { min: 2, max: 50 },
    lockDuration: { min: 5000, max: 9000 },
    confirmations: { min: 1, max: 3 },
  } as const;

  it('lie within their ranges, and use all of them', () => {
    const numRuns = draws({ sample: 150, change: 250, release: 500 });
    const drawn = fc.sample(freeTerms(options), { seed: 1, numRuns });
    for (const { makerAmount, takerAmount, lockDuration, confirmations } of drawn) {
      for (const amount of [makerAmount, takerAmount]) {
        expect(toBigNumber(amount).gte(2) && toBigNumber(amount).lte(50)).toBe(true);
      }
      expect(toBigNumber(makerAmount).decimalPlaces()).toBeLessThanOrEqual(6);
      expect(lockDuration).toBeGreaterThanOrEqual(5000);
      expect(lockDuration).toBeLessThanOrEqual(9000);
      for (const depth of [confirmations.maker, confirmations.taker]) expect([1, 2, 3]).toContain(depth);
    }
    expect(drawn.some(({ takerAmount }) => toBigNumber(takerAmount).decimalPlaces() === 8)).toBe(true);
    expect(drawn.some(({ confirmations: { maker, taker } }) => maker !== taker)).toBe(true);
    expect(new Set(drawn.map(({ lockDuration }) => lockDuration)).size).toBeGreaterThan(0.6 * numRuns);
  });

  it('swap whatever they are, if nothing goes wrong', () => {
    fc.assert(
      fc.property(freeScenario({ absences: { most: 0 } }), (drawn) => {
        const { endings, violations } = runScenario(drawn);
        expect(violations).toEqual([]);
        expect(endings.map(({ money }) => money)).toEqual(['swapped', 'swapped']);
      }),
      { numRuns: draws({ sample: 10, change: 30, release: 60 }) },
    );
  });
});

it('freely drawn times differ between the two sides, and put nothing else into a scenario', () => {
  const drawn = fc.sample(freeTimes(), { seed: 1, numRuns: 200 });
  expect(drawn.every(({ latency: [least, most] }) => least <= most)).toBe(true);
  expect(drawn.filter(({ skew }) => skew.maker !== skew.taker).length).toBeGreaterThan(150);
  expect(drawn.filter(({ blockTime }) => blockTime.maker !== blockTime.taker).length).toBeGreaterThan(150);
  const one = sampled(freeScenario({ times: { blockTime: { min: 77, max: 77 } } }));
  expect([one.chains.maker.blockTime, one.chains.taker.blockTime]).toEqual([77, 77]);
  expect(checkScenario(JSON.parse(JSON.stringify(one)))).toEqual(one);
});

describe('freely drawn absences', () => {
  it('lie within their ranges', () => {
    const options = { parties: ['taker'], most: 2, from: { min: 50, max: 60 }, length: { min: 7, max: 9 } } as const;
    const drawn = fc.sample(freeAbsences(options), { seed: 1, numRuns: 200 });
    expect(new Set(drawn.map((list) => list.length))).toEqual(new Set([0, 1, 2]));
    for (const { party, from, until } of drawn.flat()) {
      expect(party).toBe('taker');
      expect(from >= 50 && from <= 60 && until - from >= 7 && until - from <= 9).toBe(true);
    }
  });

  it('keep a party from its nodes and from messages', () => {
    const away = freeScenario({
      absences: { parties: ['maker'], most: 1, from: { min: 0, max: 0 }, length: { min: 30_000, max: 30_000 } },
    });
    const drawn = sampled(away.filter(({ network }) => network.partitions.length > 0));
    expect(drawn.parties.maker.nodes.maker).toEqual([{ kind: 'outage', from: 0, until: 30_000 }]);
    expect(drawn.parties.maker.nodes.taker).toHaveLength(1);
    const { endings } = runScenario(drawn);
    expect(endings.map(({ money }) => money)).toEqual(['untouched', 'untouched']);
  });

  it('cost an honest party nothing that it has no excuse for', () => {
    fc.assert(
      fc.property(freeScenario({ changes: [conductOf('maker', { kind: 'greedy' })] }), (drawn) => {
        expect(runScenario(drawn).violations).toEqual([]);
      }),
      { numRuns: draws({ sample: 10, change: 30, release: 60 }) },
    );
  });

  it('shrink to the one that it takes, with plain terms and true clocks', () => {
    const drawn = freeScenario({ absences: { parties: ['taker'] }, changes: [conductOf('maker', { kind: 'greedy' })] });
    const isLost = (planned: Scenario) => runScenario(planned).endings.some(({ money }) => money === 'lost');
    const { counterexample } = fc.check(
      fc.property(drawn, (planned) => !isLost(planned)),
      { seed: 4, numRuns: 500 },
    );
    const [smallest] = counterexample ?? [];
    if (smallest === undefined) throw new Error('no counterexample');
    expect(isLost(smallest)).toBe(true);
    expect(smallest.network.partitions).toHaveLength(1);
    expect([smallest.makerAmount, smallest.takerAmount, smallest.lockDuration]).toEqual(['1', '1', 3600]);
    expect([smallest.parties.maker.skew, smallest.parties.taker.skew, smallest.confirmations.maker]).toEqual([0, 0, 0]);
  });
});

it.each([
  [() => freeTerms({ ammount: { min: 1, max: 2 } } as never), 'did you mean amount'],
  [() => freeTerms({ lockDuration: { min: 9, max: 8 } }), 'options.lockDuration.max is 8'],
  [() => freeTimes({ latency: { min: -1, max: 8 } }), 'options.latency.min is -1'],
  [() => freeAbsences({ parties: [] }), 'at least one party'],
  [() => freeAbsences({ parties: ['makr' as never] }), 'did you mean maker'],
  [() => freeScenario({ terms: { amount: { min: 0, max: 1 } } }), 'options.terms.amount.min is 0'],
  [() => freeScenario({ change: [] } as never), 'did you mean changes'],
])('what cannot be meant is refused', (make, message) => {
  expect(make).toThrow(message);
});
