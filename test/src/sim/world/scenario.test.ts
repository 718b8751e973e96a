import { describe, expect, it } from 'vitest';
import { generateScenario } from '../../../../src/sim/world/generate.ts';
import { calmScenario, type Scenario, uniformScenario } from '../../../../src/sim/world/scenario.ts';

/** The same with the members of every object turned round. */
function turned<T>(value: T): T {
  if (Array.isArray(value) || typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, turned(member)]);
  return Object.fromEntries(members.reverse()) as T;
}

describe('a scenario with its members in one order', () => {
  it('says the same in any order', () => {
    for (let seed = 0; seed < 100; seed += 1) {
      const drawn: Scenario = generateScenario(seed);
      expect(uniformScenario(drawn)).toStrictEqual(drawn);
      expect(uniformScenario(turned(drawn))).toStrictEqual(drawn);
    }
  });

  it('has them in that order down to the plans of its parties and chains', () => {
    const calm = calmScenario();
    const names = ({ chains, parties, network, ...scenario }: Scenario) =>
      [scenario, chains, chains.maker, parties, parties.taker, parties.taker.nodes, network].map((part) =>
        Object.keys(part),
      );
    expect(names(uniformScenario(turned(calm)))).toEqual(names(calm));
  });
});
