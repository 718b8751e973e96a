import { describe, expect, it } from 'vitest';
import { generateScenario } from '../../src/sim/world/generate.ts';
import { findBug, judged, plantedBugs, plantedFeeBugs, plantedLegBugs, SEARCHED } from './planted-bugs.ts';

describe('a search over drawn schedules, from the first seed on', () => {
  it.each(Object.entries({ ...plantedBugs, ...plantedLegBugs, ...plantedFeeBugs }))(
    `finds %s within ${SEARCHED} of them`,
    (name, bug) => {
      const found = findBug(bug, 0);
      if (found !== undefined) {
        console.log(`${name}: seed ${found.seed}, ${found.rule} (${found.party}): ${found.text}`);
      }
      expect(found?.seed).toBeLessThan(SEARCHED);
    },
  );

  it(`finds nothing wrong with the sound engine in ${SEARCHED} of them`, () => {
    const wrong: string[] = [];
    for (let seed = 0; seed < SEARCHED; seed++) {
      for (const { rule, party, text } of judged(generateScenario(seed)))
        wrong.push(`seed ${seed}: ${rule} (${party}) ${text}`);
    }
    expect(wrong).toEqual([]);
  });
});
