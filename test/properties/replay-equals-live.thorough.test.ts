import { describe, expect, it } from 'vitest';
import { crashAt } from '../../src/sim/world/build.ts';
import { generateScenario } from '../../src/sim/world/generate.ts';
import { commandsOf, crashEverywhere, outcomeOf, RUNS } from './crashes.ts';

describe.each(RUNS)('%s', (_, calm, money) => {
  it.each(['maker', 'taker'] as const)(
    'ends the same wherever the %s crashes, before or after any command',
    (party) => {
      const at = commandsOf(calm, party, 'all');
      expect(crashEverywhere(calm, { party, at, money })).toEqual([]);
    },
  );
});

it('in drawn runs no crash anywhere breaks a rule', () => {
  const wrong: string[] = [];
  for (let seed = 0; seed < 60; seed++) {
    const drawn = generateScenario(seed);
    for (const party of ['maker', 'taker'] as const) {
      for (const at of commandsOf(drawn, party, 'telling')) {
        const { violations } = outcomeOf(crashAt(party, { at, when: 'after', downFor: 60 })(drawn));
        for (const { rule, text } of violations) wrong.push(`seed ${seed}, ${party} at ${at}: ${rule} ${text}`);
      }
    }
  }
  expect(wrong).toEqual([]);
});
