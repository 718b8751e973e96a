import { runWorld } from '../../src/testing/world/advance.ts';
import { generateScenario } from '../../src/testing/world/generate.ts';
import { createJudge, type Violation } from '../../src/testing/world/judge.ts';
import { type Behaviour, SOUND } from '../../src/testing/world/node.ts';
import type { Scenario } from '../../src/testing/world/scenario.ts';
import { createWorld } from '../../src/testing/world/world.ts';
import { type PlantedBug, plantedBugs } from '../support/planted-bugs.ts';

/** A broken rule; `stuck` where a run did not even come to rest. */
export type Found = { readonly rule: string; readonly party: string; readonly text: string };

/** What the judge says of a scenario in which some parties' engines have the bug; nothing for the sound engine. */
export function judged(scenario: Scenario, bug?: PlantedBug): readonly Found[] {
  const behaviour: Behaviour = bug === undefined ? SOUND : bug.plant(SOUND);
  const behaviours = Object.fromEntries((bug?.parties ?? []).map((party) => [party, behaviour]));
  const judge = createJudge();
  const world = createWorld(scenario, { observer: judge.observer, behaviours });
  try {
    runWorld(world);
  } catch (error) {
    return [{ rule: 'stuck', party: 'both', text: error instanceof Error ? error.message : String(error) }];
  }
  return judge.conclude(world).violations satisfies readonly Violation[];
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

export { plantedBugs };
