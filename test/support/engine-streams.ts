import { runWorld } from '../../src/sim/world/advance.ts';
import type { Scenario } from '../../src/sim/world/scenario.ts';
import { storedStream } from '../../src/sim/world/stored-log.ts';
import { createWorld, type WorldOptions } from '../../src/sim/world/world.ts';

/** Runs a scenario and gives both parties' streams. */
export function engineStreams(scenario: Scenario, options: WorldOptions = {}) {
  const world = createWorld(scenario, options);
  runWorld(world);
  return { maker: storedStream(world.nodes.maker), taker: storedStream(world.nodes.taker) };
}
