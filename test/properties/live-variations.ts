import * as fc from 'fast-check';
import { expect } from 'vitest';
import type { ScenarioChange } from '../../src/sim/world/build.ts';
import type { Conduct, PartyPlan, Scenario } from '../../src/sim/world/scenario.ts';
import { runWay, type Way } from './live-runs.ts';
import { FOR_EVER } from './live-schedules.ts';

/** What is otherwise in a run than in the schedule that it is made from. Times in seconds. */
type Variation = {
  readonly seed: number;
  readonly blockTimes: readonly [maker: number, taker: number];
  readonly latency: readonly [least: number, more: number];
  /** By how much longer or shorter what goes wrong lasts, each in turn. */
  readonly shifts: readonly number[];
};

/** Small changes of a schedule: its seed, both chains' block times, the network's delay, and how long what it names lasts. */
export function variations(): fc.Arbitrary<ScenarioChange> {
  const blockTime = fc.integer({ min: 40, max: 90 });
  return fc
    .record({
      seed: fc.integer({ min: 1, max: 0xffff_ffff }),
      blockTimes: fc.tuple(blockTime, blockTime),
      latency: fc.tuple(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 0, max: 4 })),
      shifts: fc.array(fc.integer({ min: -120, max: 120 }), { minLength: 8, maxLength: 8 }),
    })
    .map(
      (variation) =>
        Object.assign((given: Scenario) => varied(given, variation), {
          toString: () => JSON.stringify(variation),
        }) as ScenarioChange,
    );
}

/** Runs a way's schedule so many times, each time otherwise; tells how often the party came to the same end. */
export function endsAround(way: Way, numRuns: number): number {
  let sameEnds = 0;
  fc.assert(
    fc.property(variations(), (vary) => {
      const { same, wrong } = runWay(way, vary);
      if (same) sameEnds += 1;
      expect(wrong).toEqual([]);
    }),
    { numRuns, seed: 7 },
  );
  return sameEnds;
}

function varied(given: Scenario, { seed, blockTimes, latency: [least, more], shifts }: Variation): Scenario {
  let turn = 0;
  const shifted = (length: number, least = 0): number => {
    if (length >= FOR_EVER) return length;
    turn += 1;
    return Math.max(least, length + (shifts[turn % shifts.length] ?? 0));
  };
  const lasting = <F extends { readonly from: number; readonly until: number }>(fault: F): F => ({
    ...fault,
    until: shifted(fault.until, fault.from + 1),
  });
  const { maker, taker } = given.chains;
  const party = (plan: PartyPlan): PartyPlan => ({
    ...plan,
    conduct: conductFor(plan.conduct, shifted),
    nodes: { maker: plan.nodes.maker.map(lasting), taker: plan.nodes.taker.map(lasting) },
  });
  return {
    ...given,
    seed,
    chains: {
      maker: { ...maker, blockTime: blockTimes[0], faults: maker.faults.map(lasting) },
      taker: { ...taker, blockTime: blockTimes[1], faults: taker.faults.map(lasting) },
    },
    network: { ...given.network, latency: [least, least + more] },
    parties: { maker: party(given.parties.maker), taker: party(given.parties.taker) },
    chainEvents: given.chainEvents.map((event) => ({ ...event, at: shifted(event.at) })),
  };
}

function conductFor(conduct: Conduct, shifted: (length: number) => number): Conduct {
  if (conduct.kind !== 'vanish' || conduct.backAfter === null) return conduct;
  return { ...conduct, backAfter: shifted(conduct.backAfter) };
}
