import { envelopeLine } from '../../events/jsonl.ts';
import type { SwapLog } from '../../events/saved-swap.ts';
import { type Envelope, sealStream } from '../../primitives/envelope.ts';
import { createJsonlReader } from '../../replay/jsonl/reader.ts';
import type { SimNode } from './node.ts';

/** A simulated party's log as an event log holds it: every record with its place and its seal. */
export function storedStream({ runner, records }: Pick<SimNode, 'runner' | 'records'>): readonly Envelope[] {
  const { stream } = runner;
  return sealStream(records.map((record, seq) => ({ stream, seq, ...record })));
}

/** The same as JSON Lines and read back: a log as any other, for replay, explanation and audit. */
export function storedLog(node: Pick<SimNode, 'runner' | 'records'>): SwapLog {
  return readStream(storedStream(node));
}

/**
 * What the reader of JSON Lines makes of one stream.
 *
 * @throws RangeError for a stream that is no swap; what the reader finds wrong with a line.
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
