import { watcherDefinition } from '../../machines/watcher/definition.ts';
import { machineOfRole } from '../events/catalog.ts';
import { parseUuid } from '../primitives/ids.ts';
import { submit } from './drive.ts';
import type { Engine } from './engine.ts';
import { draining, swapNotFound } from './errors.ts';
import { open, readStream } from './streams.ts';

export type OperatorAction = {
  readonly action: 'pause' | 'resume' | 'retry' | 'recover' | 'cancelRecovery';
  /** Why, for those who read the log later. */
  readonly reason: string | null;
};

const LONGEST_REASON = 500;

/**
 * Records what an operator wants, from whatever state; the runner acts on it because it is in the log.
 *
 * @throws RuntimeError SWAP_NOT_FOUND, LOG_UNAVAILABLE, RUNTIME_DRAINING, RUNNER_FAILED; LogDamagedError
 */
export async function operate(engine: Engine, uuid: string, { action, reason }: OperatorAction): Promise<void> {
  if (engine.draining) throw draining();
  const streams = await swapStreams(engine, uuid);
  if (streams.length === 0) throw swapNotFound(uuid.slice(0, 100));
  const data = { action, reason: reason?.slice(0, LONGEST_REASON) ?? null };
  await Promise.all(
    streams.map((stream) => {
      const slot = open(engine, stream);
      return slot === undefined ? undefined : submit(engine, slot, [{ type: 'OperatorActed', data }]);
    }),
  );
}

/**
 * The streams of a swap that the log holds: one, or two where both sides are on this node; and its watches, of which there is more
 * than one while a stranger has asked for one under the same uuid.
 */
export async function swapStreams(engine: Engine, uuid: string): Promise<readonly string[]> {
  const id = parseUuid(uuid);
  if (id === undefined) return [];
  const found: string[] = [];
  for (const machine of [machineOfRole.taker, machineOfRole.maker, watcherDefinition.id]) {
    const stream = `${machine}/${id}`;
    if (!engine.kinds.has(machine)) continue;
    if (engine.slots.has(stream) || (await readStream(engine, stream)).length > 0) found.push(stream);
  }
  const others = [...engine.slots.values()].filter(({ driven }) => driven?.watched?.uuid === id);
  return [...new Set([...found, ...others.map(({ stream }) => stream)])];
}
