import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { crashAt, outage, reorgAt, scenario } from '../../../../src/sim/world/build.ts';
import { calmScenario } from '../../../../src/sim/world/scenario.ts';
import { shrinkScenario, simplerScenarios } from '../../../../src/sim/world/shrink.ts';
import { arbitraryScenario } from '../../../../src/testing/drawn/scenario-arbitraries.ts';

describe('shrinking', () => {
  it('leaves a calm scenario with nothing to leave out but the delay of messages', () => {
    const calm = calmScenario();
    expect(simplerScenarios(calm)).toEqual([{ ...calm, network: { ...calm.network, latency: [0, 0] } }]);
  });

  it('keeps only what the finding needs', () => {
    const rough = scenario(
      crashAt('taker', { at: 3, when: 'after', downFor: 60 }),
      crashAt('taker', { at: 5, when: 'after', downFor: 90 }),
      reorgAt('maker', { at: 30, depth: 1 }),
      outage('maker', { from: 0, until: 10 }),
    );
    const smallest = shrinkScenario(rough, ({ parties }) => parties.taker.crashes.some(({ downFor }) => downFor > 70));
    const network = { ...calmScenario().network, latency: [0, 0] as const };
    expect(smallest).toEqual(scenario({ network }, crashAt('taker', { at: 5, when: 'after', downFor: 90 })));
  });

  it('never goes round in circles', () => {
    fc.assert(
      fc.property(arbitraryScenario(), (drawn) => {
        const seen: string[] = [];
        const smallest = shrinkScenario(drawn, (candidate) => {
          seen.push(JSON.stringify(candidate));
          return true;
        });
        expect(new Set(seen).size).toBe(seen.length);
        expect(simplerScenarios(smallest)).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });
});
