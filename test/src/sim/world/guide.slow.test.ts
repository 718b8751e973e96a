import { describe, expect, it } from 'vitest';
import { outage, scenario } from '../../../../src/sim/world/build.ts';
import { FAULT_KINDS } from '../../../../src/sim/world/faults.ts';
import { generateScenario } from '../../../../src/sim/world/generate.ts';
import { GUIDED_BLOCK } from '../../../../src/sim/world/guide.ts';
import { LIVE_EDGES } from '../../../../src/sim/world/live-edges.ts';
import { meetingCounter, meetingsOf, meetingTable, unreachedOf } from '../../../../src/sim/world/meetings.ts';
import { SOUND } from '../../../../src/sim/world/node.ts';
import { runOnce, runScenario } from '../../../../src/sim/world/run-scenario.ts';
import type { Scenario } from '../../../../src/sim/world/scenario.ts';
import { isVariable, MOST_SEED, partsOfSeed, ROOT_SEEDS, variationOf } from '../../../../src/sim/world/seeds.ts';
import { mergeReports, simulate } from '../../../../src/sim/world/simulate.ts';
import { plantedBugs } from '../../../support/planted-bugs.ts';

describe('the seed of a variation', () => {
  it('names its origin, and draws the same again', () => {
    const child = variationOf(31, 5);
    const grandchild = variationOf(child, 127);
    expect(partsOfSeed(grandchild)).toEqual({ root: 31, variations: [5, 127] });
    expect(generateScenario(grandchild)).toEqual(generateScenario(grandchild));
    const drawn = [31, child, grandchild].map((seed) => JSON.stringify({ ...generateScenario(seed), seed: 0 }));
    expect(new Set(drawn).size).toBe(3);
    expect(runScenario(generateScenario(child)).repeat).toBe(`swapfold sim --seed ${child} --runs 1`);
  });

  it('ends when no exact number is left', () => {
    const last = variationOf(variationOf(variationOf(ROOT_SEEDS - 1, 127), 127), 127);
    expect([last, isVariable(last), Number.isSafeInteger(last)]).toEqual([MOST_SEED, false, true]);
    expect(generateScenario(last).seed).toBe(MOST_SEED);
    expect(() => generateScenario(MOST_SEED + 1)).toThrow(/seed/);
  });

  it('lets nobody break the protocol unless allowed, and adds no excuses', () => {
    for (let n = 1; n <= 127; n += 2) {
      const options = { adversaries: false, excuses: false };
      const drawn = generateScenario(variationOf(variationOf(n * 3, n), 128 - n), options);
      expect([drawn.parties.maker.conduct.kind, drawn.parties.taker.conduct.kind]).toEqual(['honest', 'honest']);
      const { endings } = runScenario(drawn);
      expect(endings.flatMap(({ broken }) => broken)).toEqual([]);
    }
  });
});

const reached = (report: ReturnType<typeof simulate>) =>
  Object.values(report.meetings).flatMap((row) => Object.values(row).filter((count) => count > 0)).length;

describe('a guided simulation', () => {
  it('reaches more states with more events under more faults than seeds in a row', () => {
    const task = { seed: 1, runs: 2 * GUIDED_BLOCK };
    const guided = simulate(task);
    const plain = simulate({ ...task, guided: false });
    expect(guided.violations).toEqual([]);
    expect(reached(guided)).toBeGreaterThan(reached(plain));
    expect(guided.unreached.flatMap(({ faults }) => faults).length).toBeLessThan(
      plain.unreached.flatMap(({ faults }) => faults).length,
    );
  }, 120_000);

  it('is the same on several threads, and every time', () => {
    const whole = simulate({ seed: 70, runs: GUIDED_BLOCK + 60 });
    const parts = [simulate({ seed: 70, runs: GUIDED_BLOCK }), simulate({ seed: 70 + GUIDED_BLOCK, runs: 60 })];
    expect(mergeReports(parts)).toEqual(whole);
  }, 60_000);

  it('names seeds that show again what was found', () => {
    const behaviours = { taker: (plantedBugs['payTooLate'] as (typeof plantedBugs)[string]).plant(SOUND) };
    const { violations } = simulate({ seed: 1, runs: GUIDED_BLOCK, run: { behaviours } });
    const led = violations.filter(({ seed }) => seed >= ROOT_SEEDS);
    expect(led.length).toBeGreaterThan(0);
    for (const { seed, ...found } of led) {
      expect(runScenario(generateScenario(seed), { behaviours }).violations).toContainEqual(found);
    }
  }, 60_000);
});

describe('the table of states, events and faults', () => {
  const counted = (planned: Scenario) => {
    const table = meetingTable();
    const counter = meetingCounter(table);
    runOnce(planned, {}, { counter });
    return { meetings: meetingsOf(table), found: counter.found() };
  };

  it('counts a fault only if it was in force at that moment', () => {
    const { meetings } = counted(scenario(outage('taker', { chain: 'maker', from: 1, until: 200 })));
    expect(meetings['taker/created/Started']).toMatchObject({ met: 1, outage: 0 });
    expect(meetings['taker/sendingTakerFee/TakerFeeSent']).toMatchObject({ met: 1, outage: 1, lag: 0 });
    expect(meetings['taker/claimConfirmed/Finished']).toMatchObject({ met: 1, outage: 0, messageDelay: 1 });
    expect(meetings['maker/created/Started']).toMatchObject({ met: 1, outage: 0 });
    expect(meetings['taker/refunding/TakerPaymentRefunded']).toMatchObject({ met: 0 });
  });

  it('names what no run reached, and what is new in a run', () => {
    const edges = Object.values(LIVE_EDGES).flatMap((states) => Object.values(states).flat()).length;
    const nothing = unreachedOf(meetingsOf(meetingTable()));
    expect(nothing).toHaveLength(edges);
    expect(nothing.every(({ met }) => !met)).toBe(true);
    const { meetings, found } = counted(scenario());
    expect(found).toBe(
      Object.values(meetings).flatMap((row) => Object.values(row).filter((count) => count > 0)).length,
    );
    const left = unreachedOf(meetings).find(({ at }) => at === 'taker/created/Started');
    expect([left?.met, left?.faults.length]).toEqual([true, FAULT_KINDS.length - 1]);
  });
});
