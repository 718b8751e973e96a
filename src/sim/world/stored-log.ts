import { envelopeLine } from '../../events/jsonl.ts';
import type { SwapLog } from '../../events/saved-swap.ts';
import { type Envelope, sealStream } from '../../primitives/envelope.ts';
import { createJsonlReader } from '../../replay/jsonl/reader.ts';
import type { SimNode } from './node.ts';

/**
 * A simulated party's log as an event log holds it: every record with its position and its seal.
 *
 * @example
 * ```ts
 * import { calmScenario, createWorld, runWorld, storedStream } from 'swapfold/testing';
 *
 * const world = createWorld(calmScenario());
 * runWorld(world);
 * const stream = storedStream(world.nodes.maker);
 * stream.every(({ seq }, place) => seq === place); // → true
 * stream.length === world.nodes.maker.records.length; // → true
 * ```
 */
export function storedStream({ runner, records }: Pick<SimNode, 'runner' | 'records'>): readonly Envelope[] {
  const { stream } = runner;
  return sealStream(records.map((record, seq) => ({ stream, seq, ...record })));
}

/**
 * The same, written as JSON Lines and read back: an ordinary log, for replay, explanation and audit.
 *
 * @example
 * ```ts
 * import { replaySwap } from 'swapfold';
 * import { conductOf, createWorld, runWorld, scenario, storedLog } from 'swapfold/testing';
 *
 * const conduct = { kind: 'vanish', after: 'MakerPaymentSent', backAfter: null } as const;
 * const world = createWorld(scenario(conductOf('maker', conduct)));
 * runWorld(world);
 * replaySwap(storedLog(world.nodes.taker)).outcome; // → 'refunded'
 * ```
 */
export function storedLog(node: Pick<SimNode, 'runner' | 'records'>): SwapLog {
  return readStream(storedStream(node));
}

/**
 * What the reader of JSON Lines makes of one stream.
 *
 * @throws RangeError for a stream that is not a swap; the reader's error for a faulty line.
 *
 * @example
 * ```ts
 * import { replaySwap } from 'swapfold';
 * import { calmScenario, createWorld, readStream, runWorld, storedStream } from 'swapfold/testing';
 *
 * const world = createWorld(calmScenario());
 * runWorld(world);
 * const log = readStream(storedStream(world.nodes.taker));
 * [log.role, replaySwap(log).outcome]; // → ['taker', 'completed']
 * readStream([]); // throws RangeError
 * ```
 */
export function readStream(stream: readonly Envelope[]): SwapLog {
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
  if (log === undefined) throw new RangeError('the records are no log of a swap');
  return log;
}
