import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runWorld } from '../../src/sim/world/advance.ts';
import { SOUND } from '../../src/sim/world/node.ts';
import { createWorld } from '../../src/sim/world/world.ts';
import { arbitraryScenario } from '../../src/testing/drawn/scenario-arbitraries.ts';
import { draws, oneIn } from '../support/draws.ts';
import { plantedBugs } from '../support/planted-bugs.ts';
import {
  commandsOf,
  crashEverywhere,
  failEveryAppend,
  foldOf,
  foldsAlong,
  liveOf,
  outcomeOf,
  RUNS,
} from './crashes.ts';

it('N3: after every append of random runs the engine is in the state that its log folds to', () => {
  const observer = foldsAlong();
  fc.assert(
    fc.property(arbitraryScenario(), (drawn) => {
      const world = createWorld(drawn, { observer });
      runWorld(world);
      for (const node of [world.nodes.maker, world.nodes.taker]) expect(liveOf(node)).toEqual(foldOf(node));
    }),
    { numRuns: draws({ sample: 15, change: 25, release: 50 }) },
  );
  expect(observer.count).toBeGreaterThan(draws({ sample: 100, change: 500, release: 1000 }));
});

// Every command: replay-equals-live.thorough.test.ts.
describe.each(oneIn(6, RUNS))('%s', (_, calm, money) => {
  it('ends as expected when nobody crashes', () => {
    expect(outcomeOf(calm)).toMatchObject({ money, violations: [] });
  });

  it.each(['maker', 'taker'] as const)('N1: ends the same wherever the %s crashes around its appends', (party) => {
    const at = oneIn(3, commandsOf(calm, party, 'telling'));
    expect(crashEverywhere(calm, { party, at, money })).toEqual([]);
  });

  it.each(['maker', 'taker'] as const)('ends the same whichever append of the %s fails, stored or not', (party) => {
    expect(failEveryAppend(calm, { party, money })).toEqual([]);
  });
});

it('an engine that folds less than its log after a crash is found by the same search', () => {
  const [, calm, money] = RUNS[0] as (typeof RUNS)[number];
  const taker = plantedBugs['payFeeTwice']?.plant(SOUND) ?? SOUND;
  const at = commandsOf(calm, 'taker', 'telling');
  expect(() => crashEverywhere(calm, { party: 'taker', at, money, behaviours: { taker } })).toThrow(/deeply equal/);
});

it('an engine that acts before its log is found when an append fails', () => {
  const [, calm, money] = RUNS[0] as (typeof RUNS)[number];
  const taker = plantedBugs['actBeforeAppend']?.plant(SOUND) ?? SOUND;
  const wrong = failEveryAppend(calm, { party: 'taker', money, behaviours: { taker } });
  expect(wrong.some((text) => text.includes('R8'))).toBe(true);
});
