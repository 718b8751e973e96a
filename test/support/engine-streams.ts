import { envelopeLine } from '../../src/events/jsonl.ts';
import type { SwapLog } from '../../src/events/saved-swap.ts';
import { type Envelope, sealStream } from '../../src/primitives/envelope.ts';
import { createJsonlReader } from '../../src/replay/jsonl/reader.ts';
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

/** What a reader makes of a stream that was written as JSON Lines. @throws the first error of the reader. */
export function logOfStream(stream: readonly Envelope[]): SwapLog {
  const logs: SwapLog[] = [];
  const reader = createJsonlReader({
    onLog: (log) => logs.push(log),
    onError: ({ error }) => {
      throw error;
    },
  });
  reader.push(new TextEncoder().encode(stream.map((envelope) => `${envelopeLine(envelope)}\n`).join('')));
  reader.end();
  const [log] = logs;
  if (log === undefined) throw new Error('nothing was read');
  return log;
}
