import type { StreamSummary } from '../../ports/event-log.ts';
import type { Millis } from '../../primitives/time.ts';
import { logUnavailable } from '../errors.ts';
import { ALARMING, type Loop, noteUndriven, schedule } from '../loop/loop.ts';
import { open } from '../loop/streams.ts';
import { tellResumed } from '../loop/tell-resumed.ts';

/** What the start found in the log. */
export type Resumed = {
  /** Streams that are driven again. */
  readonly resumed: number;
  /** Streams whose runner could not be created; their status says why. */
  readonly failed: readonly string[];
  /** Streams whose records do not verify. */
  readonly quarantined: readonly string[];
};

/** How old a finished swap may be to be watched again after a restart, in milliseconds since its start. */
const LONGEST_SWAP = 31 * 86_400_000;

/**
 * Loads every stream that needs a runner, then lets all of them continue: nothing is spent before everything promised
 * is reserved.
 *
 * @throws RuntimeError LOG_UNAVAILABLE when the log cannot be searched.
 */
export async function resumeStreams(loop: Loop): Promise<Resumed> {
  const streams = await unfinished(loop);
  await loadAll(loop, streams);
  const failed = streams.filter((stream) => loop.slots.get(stream)?.state.doing.mode === 'failed');
  const quarantined = loop.log.quarantined().map(({ stream }) => stream);
  tellResumed(loop);
  loop.held = loop.draining;
  for (const slot of loop.slots.values()) if (slot.state.doing.mode === 'ready') schedule(loop, slot);
  return { resumed: streams.length - failed.length, failed, quarantined };
}

async function unfinished(loop: Loop): Promise<readonly string[]> {
  const { log, kinds, clock, policy } = loop;
  const since = clock.now() - policy.guardFor * 1000;
  const found: StreamSummary[] = [];
  try {
    for (const machine of kinds.keys()) {
      for (const open of await log.find({ machine, finished: false })) found.push(open);
      const from = Math.max(0, since - LONGEST_SWAP) as Millis;
      const ended = await log.find({ machine, finished: true, from });
      for (const summary of ended) if (summary.lastAt >= since) found.push(summary);
      for (const outcome of ALARMING) {
        const told = await log.find({ machine, finished: true, outcome });
        for (const { stream, labels, lastAt } of told) if (lastAt < since) noteUndriven(loop, stream, labels);
      }
    }
  } catch (error) {
    throw logUnavailable('all streams', error);
  }
  const damaged = new Set(log.quarantined().map(({ stream }) => stream));
  return found.map(({ stream }) => stream).filter((stream) => !damaged.has(stream));
}

/** A few at a time, so that memory never holds the records of all. */
async function loadAll(loop: Loop, streams: readonly string[]): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let stream = streams[next++]; stream !== undefined; stream = streams[next++]) {
      const name = stream;
      await new Promise<void>((resolve) => {
        if (open(loop, name, resolve) === undefined) resolve();
      });
    }
  };
  await Promise.all(Array.from({ length: Math.min(loop.policy.loading, streams.length) }, worker));
}
