import { runWorld } from '../../src/testing/world/advance.ts';
import type { Scenario } from '../../src/testing/world/scenario.ts';
import { storedStream } from '../../src/testing/world/stored-log.ts';
import { createWorld, type WorldOptions } from '../../src/testing/world/world.ts';

/** Runs a scenario and gives both parties' streams. */
export function engineStreams(scenario: Scenario, options: WorldOptions = {}) {
  const world = createWorld(scenario, options);
  runWorld(world);
  return { maker: storedStream(world.nodes.maker), taker: storedStream(world.nodes.taker) };
}
