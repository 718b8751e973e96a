import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generateScenario } from '../../../../src/sim/world/generate.ts';
import type { Scenario } from '../../../../src/sim/world/scenario.ts';
import { simplerScenarios } from '../../../../src/sim/world/shrink.ts';
import { arbitraryScenario } from '../../../../src/testing/drawn/scenario-arbitraries.ts';

const crashes = ({ parties }: Scenario) => parties.maker.crashes.length + parties.taker.crashes.length;

describe('arbitrary scenarios', () => {
  it('are those of the generator, with its options', () => {
    fc.assert(
      fc.property(arbitraryScenario({ kinds: ['account'], adversaries: false }), ({ chains, parties }) => {
        expect([chains.maker.kind, chains.taker.kind]).toEqual(['account', 'account']);
        expect([parties.maker.conduct.kind, parties.taker.conduct.kind]).toEqual(['honest', 'honest']);
      }),
      { numRuns: 50 },
    );
    const [real] = fc.sample(arbitraryScenario({ fidelity: 'real', trouble: 0 }), 1);
    expect(real?.fidelity).toBe('real');
    expect(real?.chainEvents).toEqual([]);
  });

  it('are the same for the same seed', () => {
    const draw = () => fc.sample(arbitraryScenario(), { seed: 7, numRuns: 20 });
    expect(draw()).toEqual(draw());
    expect(new Set(draw().map(({ seed }) => seed)).size).toBeGreaterThan(15);
  });

  it('shrink to one in which nothing can be left out', () => {
    const result = fc.check(
      fc.property(arbitraryScenario(), (drawn) => crashes(drawn) < 2),
      { seed: 1, numRuns: 500 },
    );
    const [smallest] = result.counterexample ?? [];
    if (smallest === undefined) throw new Error('no counterexample');
    expect(crashes(smallest)).toBe(2);
    expect(simplerScenarios(smallest).filter((simpler) => crashes(simpler) >= 2)).toEqual([]);
    // Its path leads there again.
    const again = fc.check(
      fc.property(arbitraryScenario(), (drawn) => crashes(drawn) < 2),
      { seed: 1, path: result.counterexamplePath ?? '' },
    );
    expect(again.counterexample).toEqual([smallest]);
  });

  it('shrink from an example that was given as well', () => {
    const example = Array.from({ length: 200 }, (_, seed) => generateScenario(seed)).find((one) => crashes(one) > 2);
    if (example === undefined) throw new Error('no example');
    const { counterexample } = fc.check(
      fc.property(arbitraryScenario({ trouble: 0 }), (drawn) => crashes(drawn) === 0),
      { examples: [[example]] },
    );
    expect(crashes(counterexample?.[0] as Scenario)).toBe(1);
  });
});
