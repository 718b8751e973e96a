import { describe, expect, it } from 'vitest';
import { generateMarket } from '../../src/sim/market/generate.ts';
import { runMarketScenario, simulateMarkets } from '../../src/sim/market/simulate.ts';
import { draws, oneIn } from '../support/draws.ts';

const RUNS = draws({ sample: 4, change: 20, release: 40 });

describe('drawn markets on the shipped runtime', () => {
  it('break no rule, and most parties have no excuse', async () => {
    const report = await simulateMarkets({ seed: 1, runs: RUNS });
    expect(report.violations).toEqual([]);
    expect(report.swaps).toBeGreaterThan(2 * RUNS);
    expect(report.withoutExcuse / report.honest).toBeGreaterThan(0.6);
    expect(report.excused / report.honest).toBeLessThan(draws({ sample: 5, change: 2 }) / 100);
  });
});

describe('seeds that once showed a loss', () => {
  // One secret for two orders that one payment paid; one fee for several.
  it.each(oneIn(4, [11, 24, 26, 62, 81, 94, 97, 107, 137, 230, 258, 367]))('seed %i', async (seed) => {
    expect((await runMarketScenario(generateMarket(seed))).violations).toEqual([]);
  });
});
