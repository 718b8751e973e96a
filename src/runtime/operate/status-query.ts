import type { QuarantinedStream, StreamQuery } from '../../ports/event-log.ts';
import { SwapfoldError } from '../../primitives/error.ts';
import { isDamage, RuntimeError, runnerFailed } from '../errors.ts';
import type { Engine } from '../loop/engine.ts';
import type { Slot } from '../loop/slot.ts';
import { errorOf, statusOf } from '../loop/slot-state.ts';
import { fold, kindOf, readStream } from '../loop/streams.ts';
import { swapStreams } from './operate.ts';
import { type SwapStatus, statusOfDriven, statusOfUnread, waitingOf } from './status.ts';

const MOST_LISTED = 100;

/** Status of a swap; of the taker's side where both are on this node. Null when the log holds none. */
export async function statusOfSwap(engine: Engine, uuid: string): Promise<SwapStatus | null> {
  try {
    const [stream] = await swapStreams(engine, uuid);
    return stream === undefined ? null : await statusOfStream(engine, stream);
  } catch (error) {
    const damaged = engine.log.quarantined().find(({ stream }) => stream.endsWith(`/${uuid}`));
    if (damaged === undefined || !isDamage(error)) throw error;
    return statusOfUnread(damaged.stream, {
      runner: 'failed',
      error: engine.redactor.error(error as SwapfoldError),
      waiting: null,
    });
  }
}

/** Status of every side of a swap that the log holds, the taker's first, and of its watches. @throws LogError, RuntimeError LOG_UNAVAILABLE */
export async function statusOfSides(engine: Engine, uuid: string): Promise<readonly SwapStatus[]> {
  const damaged = damagedStatuses(engine).filter((status) => status.uuid === uuid.toLowerCase());
  const read: SwapStatus[] = [];
  const lost = new Set(damaged.map(({ stream }) => stream));
  for (const stream of await swapStreams(engine, uuid, lost)) read.push(await statusOfStream(engine, stream));
  return [...read, ...damaged];
}

/** Statuses in the order of the log, then those of damaged streams; streams that other machines drive are left out. */
export async function listStatus(engine: Engine, query: StreamQuery): Promise<readonly SwapStatus[]> {
  const summaries = await engine.log.find({ ...query, limit: query.limit ?? MOST_LISTED });
  const statuses: SwapStatus[] = [];
  for (const { stream } of summaries) {
    if (kindOf(engine, stream) !== undefined) statuses.push(await statusOfStream(engine, stream));
  }
  return [...statuses, ...damagedStatuses(engine)];
}

/** What cannot be read fits every query: nobody knows what it would have said. */
function damagedStatuses(engine: Engine): readonly SwapStatus[] {
  return engine.log
    .quarantined()
    .filter(({ stream }) => kindOf(engine, stream) !== undefined)
    .map((found) =>
      statusOfUnread(found.stream, {
        runner: 'failed',
        error: engine.redactor.error(streamError(found)),
        waiting: null,
      }),
    );
}

function streamError({ stream, seq, why }: QuarantinedStream): RuntimeError {
  return new RuntimeError('SWAP_UNREADABLE', 'The stream is damaged; nothing of it can be trusted.', {
    facts: { stream, seq, why },
    next: 'Restore the log from a backup, or look at both chains and settle the swap by hand.',
    retry: 'operator',
  });
}

async function statusOfStream(engine: Engine, stream: string): Promise<SwapStatus> {
  const slot = engine.slots.get(stream);
  if (slot !== undefined) return statusOfSlot(slot);
  const records = await readStream(engine, stream);
  try {
    return statusOfDriven(fold(engine, stream, records), null);
  } catch (error) {
    const known = error instanceof SwapfoldError ? error : runnerFailed(stream, error);
    return statusOfUnread(stream, { runner: 'failed', error: engine.redactor.error(known), waiting: null });
  }
}

function statusOfSlot(slot: Slot): SwapStatus {
  const { driven, stream, state } = slot;
  const error = errorOf(state.doing);
  const unread = { runner: statusOf(state.doing) ?? 'none', error, waiting: waitingOf(slot, null) } as const;
  if (driven === null) return statusOfUnread(stream, unread);
  try {
    return statusOfDriven(driven, slot);
  } catch (fault) {
    // A runner that stopped over a fault may not even be able to tell how it stands.
    return statusOfUnread(stream, { ...unread, error: error ?? runnerFailed(stream, fault) });
  }
}
