import { generateScenario } from '../../src/sim/world/generate.ts';
import { type Behaviour, SOUND } from '../../src/sim/world/node.ts';
import { runScenario } from '../../src/sim/world/run-scenario.ts';
import type { Scenario } from '../../src/sim/world/scenario.ts';
import { type PlantedBug, plantedBugs } from '../support/planted-bugs.ts';
import { plantedFeeBugs } from '../support/planted-fee-bugs.ts';
import { plantedLegBugs } from '../support/planted-leg-bugs.ts';

/** A broken rule. */
export type Found = { readonly rule: string; readonly party: string; readonly text: string };

/** What the judge says of a scenario in which some parties' engines have the bug; nothing for the sound engine. */
export function judged(scenario: Scenario, bug?: PlantedBug): readonly Found[] {
  const behaviour: Behaviour = bug === undefined ? SOUND : bug.plant(SOUND);
  const behaviours = Object.fromEntries((bug?.parties ?? []).map((party) => [party, behaviour]));
  return runScenario(scenario, { behaviours }).violations;
}

/** Seeds that a search looks through before it counts as failed. */
export const SEARCHED = 10_000;

/** The first seed, from the given one on, whose run shows the bug. */
export function findBug(bug: PlantedBug, from: number): (Found & { readonly seed: number }) | undefined {
  for (let seed = from; seed < from + SEARCHED; seed++) {
    const [found] = judged(generateScenario(seed), bug);
    if (found !== undefined) return { seed, ...found };
  }
  return undefined;
}

export { plantedBugs, plantedFeeBugs, plantedLegBugs };
