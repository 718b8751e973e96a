import { describe, expect, it } from 'vitest';
import { completeFeedOf } from '../../../../src/sim/world/complete-feeds.ts';
import { generateScenario } from '../../../../src/sim/world/generate.ts';
import type { Scenario } from '../../../../src/sim/world/scenario.ts';

const drawn = Array.from({ length: 3000 }, (_, seed) => generateScenario(seed));

function share(holds: (scenario: Scenario) => boolean, of: readonly Scenario[] = drawn): number {
  return of.filter(holds).length / of.length;
}

const LEGS = ['maker', 'taker'] as const;

describe('what is drawn apart', () => {
  it('has feeds that promise to report everything: some do, some lose messages', () => {
    const feeds = (is: (losesPerMille: number) => boolean) =>
      share(({ parties }) => {
        return LEGS.some((leg) => {
          const plan = completeFeedOf(parties.maker, leg);
          return plan !== null && is(plan.losesPerMille);
        });
      });
    expect(feeds((loses) => loses === 0)).toBeGreaterThan(0.04);
    expect(feeds((loses) => loses === 1000)).toBeGreaterThan(0.005);
    expect(feeds((loses) => loses > 0 && loses < 1000)).toBeGreaterThan(0.005);
    const both = share(({ parties: { maker, taker } }) => {
      return JSON.stringify(maker.completeFeeds) !== JSON.stringify(taker.completeFeeds);
    });
    expect(both).toBeGreaterThan(0.08);
  });

  it('loses no message if nothing else goes wrong', () => {
    for (let seed = 0; seed < 200; seed += 1) {
      const { parties } = generateScenario(seed, { trouble: 0 });
      const lost = LEGS.map((leg) => completeFeedOf(parties.taker, leg)?.losesPerMille ?? 0);
      expect(lost).toEqual([0, 0]);
    }
  });
});
