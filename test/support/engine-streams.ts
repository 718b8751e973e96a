import { type Envelope, sealStream } from '../../src/primitives/envelope.ts';
import type { SimNode } from '../../src/testing/world/node.ts';
import type { Scenario } from '../../src/testing/world/scenario.ts';
import { createWorld, runWorld, type WorldOptions } from '../../src/testing/world/world.ts';

/** The stream of a simulated party as the log holds it. */
export function streamOfNode({ runner, records }: SimNode): readonly Envelope[] {
  const { stream } = runner;
  return sealStream(records.map((record, seq) => ({ stream, seq, ...record })));
}

/** Runs a scenario and gives both parties' streams. */
export function engineStreams(scenario: Scenario, options: WorldOptions = {}) {
  const world = createWorld(scenario, options);
  runWorld(world);
  return { maker: streamOfNode(world.nodes.maker), taker: streamOfNode(world.nodes.taker) };
}
