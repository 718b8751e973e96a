import { describe, expect, it } from 'vitest';
import { generateScenario } from '../../src/sim/world/generate.ts';
import type { Scenario } from '../../src/sim/world/scenario.ts';
import { shrinkScenario, simplerScenarios } from '../../src/sim/world/shrink.ts';
import { oneIn } from '../support/draws.ts';
import { findBug, judged, plantedBugs } from './planted-bugs.ts';

/** A seed shortly before one that shows the bug: the search from 0 on is in planted-bugs.thorough.test.ts. */
const START: Readonly<Record<string, number>> = {
  giveUpAfterOneFailure: 22,
  refundAfterSecret: 1,
  actBeforeAppend: 47,
  publishBeforeAppend: 9,
  forgetDeadlineAfterRestart: 77,
  errorIsFact: 74,
  payTooLate: 64,
  ignoreReorg: 337,
  payFeeTwice: 5,
  wallClock: 41,
  acceptShortLock: 279,
  swapLocks: 0,
};

/** How many things go wrong in a scenario. */
function sizeOf({ chains, parties, network, chainEvents }: Scenario): number {
  const plans = [parties.maker, parties.taker].map(
    ({ skew, crashes, storage, conduct, nodes }) =>
      crashes.length +
      storage.length +
      nodes.maker.length +
      nodes.taker.length +
      (skew === 0 ? 0 : 1) +
      (conduct.kind === 'honest' ? 0 : 1),
  );
  const lossy = [network.lossPerMille, network.duplicatePerMille, network.latency[1]].filter((value) => value > 0);
  return (
    plans.reduce((sum, size) => sum + size, 0) +
    chains.maker.faults.length +
    chains.taker.faults.length +
    chainEvents.length +
    lossy.length
  );
}

describe('an engine with one planted bug', () => {
  it('has a start seed for every bug', () => {
    expect(Object.keys(START).sort()).toEqual(Object.keys(plantedBugs).sort());
  });

  it.each(oneIn(8, Object.entries(plantedBugs)))(
    '%s is found, and shrinks to a schedule that still shows it',
    (name, bug) => {
      const found = findBug(bug, START[name] ?? 0);
      if (found === undefined) throw new Error('not found');
      const { seed, rule, party, text } = found;
      console.log(`${name}: seed ${seed}, ${rule} (${party}): ${text}`);
      for (let sound = START[name] ?? 0; sound <= seed; sound++) {
        expect(judged(generateScenario(sound)), `the sound engine over seed ${sound}`).toEqual([]);
      }
      const drawn = generateScenario(seed);
      const shows = (scenario: Scenario) => judged(scenario, bug).some((one) => one.rule === rule);
      const smallest = shrinkScenario(drawn, shows);
      expect(shows(smallest)).toBe(true);
      expect(sizeOf(smallest)).toBeLessThanOrEqual(sizeOf(drawn));
      expect(simplerScenarios(smallest).filter(shows)).toEqual([]);
      expect(judged(smallest), 'the sound engine over the shrunk schedule').toEqual([]);
    },
  );
});
