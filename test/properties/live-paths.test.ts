import { describe, expect, it } from 'vitest';
import { swapMachines } from '../../src/replay/swaps.ts';
import { runWorld } from '../../src/sim/world/advance.ts';
import { generateScenario } from '../../src/sim/world/generate.ts';
import { createJudge } from '../../src/sim/world/judge.ts';
import { liveEvents } from '../../src/sim/world/simulate.ts';
import { createWorld } from '../../src/sim/world/world.ts';
import { chartEdges } from '../../src/testing/drawn/paths.ts';
import { draws } from '../support/draws.ts';
import { together } from '../support/observers.ts';
import { FOREIGN_EDGES, LIVE_EDGES } from './live-edges.ts';
import { edgesByName, expectStored, livePaths, publicTypes } from './live-paths.ts';
import { makerSchedule, type Schedule, takerSchedule } from './live-schedules.ts';

const ROLES = ['taker', 'maker'] as const;
type Role = (typeof ROLES)[number];

const liveNames = (role: Role) =>
  Object.entries(LIVE_EDGES[role]).flatMap(([state, types]) => types.map((type) => `${state} ${type}`));

describe.each(ROLES)('the orders that a %s chart accepts', (role) => {
  const edges = edgesByName(role);
  const foreign = FOREIGN_EDGES[role].flatMap(([, ...names]) => names);

  it('are either emitted live or not, with a reason', () => {
    const reached = new Set(['created', ...liveNames(role).map((name) => edges.get(name)?.to)]);
    const wanted = chartEdges(swapMachines[role].definition)
      .filter(({ from, origin }) => reached.has(from) && !origin.every((one) => one === 'legacy'))
      .map(({ from, type }) => `${from} ${type}`);
    expect([...liveNames(role), ...foreign].sort()).toEqual(wanted.sort());
  });
});

it('the events of the tables are those that the coverage of a simulation counts', () => {
  const live = ROLES.flatMap((role) =>
    [...new Set(Object.values(LIVE_EDGES[role]).flat())].map((type) => `${role}/${type}`),
  );
  expect(live.sort()).toEqual([...liveEvents()].sort());
});

it('random runs of all kinds of chains follow no other order than the tables say', () => {
  const live = { taker: new Set(liveNames('taker')), maker: new Set(liveNames('maker')) };
  const edges = { taker: edgesByName('taker'), maker: edgesByName('maker') };
  const strange = new Set<string>();
  for (let seed = 0; seed < draws({ sample: 40, change: 100, release: 200 }); seed++) {
    const world = createWorld(generateScenario(seed));
    runWorld(world);
    for (const role of ROLES) {
      const node = world.nodes[role];
      if (node.plan.conduct.kind !== 'honest') continue;
      let state = 'created';
      for (const type of publicTypes(node)) {
        const name = `${state} ${type}`;
        if (!live[role].has(name)) strange.add(`${role}: ${name} in seed ${seed}`);
        state = edges[role].get(name)?.to ?? state;
      }
    }
  }
  expect([...strange]).toEqual([]);
});

function run({ scenario, observer }: Schedule) {
  const judge = createJudge();
  const both = together(judge.observer, observer ?? {});
  const world = createWorld(scenario, { observer: both });
  runWorld(world);
  return { world, violations: judge.conclude(world).violations };
}

describe.each(ROLES)('every way to the end that a live %s goes', (role) => {
  it.each(livePaths(role).map((path) => [path.name, path] as const))('%s', (_, { events, states }) => {
    const { world, violations } = run(role === 'taker' ? takerSchedule(events, states) : makerSchedule(events));
    const node = world.nodes[role];
    expect(publicTypes(node)).toEqual(events);
    expect(violations).toEqual([]);
    expectStored(node);
  });
});
