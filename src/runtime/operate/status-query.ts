import type { QuarantinedStream, StreamQuery } from '../../ports/event-log.ts';
import { SwapfoldError } from '../../primitives/error.ts';
import { isDamage, RuntimeError, runnerFailed } from '../errors.ts';
import type { Loop } from '../loop/loop.ts';
import type { Slot } from '../loop/slot.ts';
import { errorOf, statusOf } from '../loop/slot-state.ts';
import { fold, kindOf, readStream } from '../loop/streams.ts';
import { swapStreams } from './operate.ts';
import { type SwapStatus, statusOfDriven, statusOfUnread, waitingOf } from './status.ts';

const MOST_LISTED = 100;

/** Status of a swap; of the taker's side if both are on this node. Null if the log holds none. */
export async function statusOfSwap(loop: Loop, uuid: string): Promise<SwapStatus | null> {
  try {
    const [stream] = await swapStreams(loop, uuid);
    return stream === undefined ? null : await statusOfStream(loop, stream);
  } catch (error) {
    const damaged = loop.log.quarantined().find(({ stream }) => stream.endsWith(`/${uuid}`));
    if (damaged === undefined || !isDamage(error)) throw error;
    return statusOfUnread(damaged.stream, {
      runner: 'failed',
      error: loop.redactor.error(error as SwapfoldError),
      waiting: null,
    });
  }
}

/** Status of every side of a swap that the log holds, the taker's first, and of its watches. @throws LogError, RuntimeError LOG_UNAVAILABLE */
export async function statusOfSides(loop: Loop, uuid: string): Promise<readonly SwapStatus[]> {
  const damaged = damagedStatuses(loop).filter((status) => status.uuid === uuid.toLowerCase());
  const read: SwapStatus[] = [];
  const lost = new Set(damaged.map(({ stream }) => stream));
  for (const stream of await swapStreams(loop, uuid, lost)) read.push(await statusOfStream(loop, stream));
  return [...read, ...damaged];
}

/** Statuses in the order of the log, then those of damaged streams; streams of other machines are omitted. */
export async function listStatus(loop: Loop, query: StreamQuery): Promise<readonly SwapStatus[]> {
  const summaries = await loop.log.find({ ...query, limit: query.limit ?? MOST_LISTED });
  const statuses: SwapStatus[] = [];
  for (const { stream } of summaries) {
    if (kindOf(loop, stream) !== undefined) statuses.push(await statusOfStream(loop, stream));
  }
  return [...statuses, ...damagedStatuses(loop)];
}

/** An unreadable stream matches every query, because its content is unknown. */
function damagedStatuses(loop: Loop): readonly SwapStatus[] {
  return loop.log
    .quarantined()
    .filter(({ stream }) => kindOf(loop, stream) !== undefined)
    .map((found) =>
      statusOfUnread(found.stream, {
        runner: 'failed',
        error: loop.redactor.error(streamError(found)),
        waiting: null,
      }),
    );
}

function streamError({ stream, seq, why }: QuarantinedStream): RuntimeError {
  return new RuntimeError('SWAP_UNREADABLE', 'The stream is damaged; none of it can be trusted.', {
    facts: { stream, seq, why },
    next: 'Restore the log from a backup, or look at both chains and settle the swap by hand.',
    retry: 'operator',
  });
}

async function statusOfStream(loop: Loop, stream: string): Promise<SwapStatus> {
  const slot = loop.slots.get(stream);
  if (slot !== undefined) return statusOfSlot(slot);
  const records = await readStream(loop, stream);
  try {
    return statusOfDriven(fold(loop, stream, records), null);
  } catch (error) {
    const known = error instanceof SwapfoldError ? error : runnerFailed(stream, error);
    return statusOfUnread(stream, { runner: 'failed', error: loop.redactor.error(known), waiting: null });
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
    // A runner that stopped because of a bug may not even be able to report its status.
    return statusOfUnread(stream, { ...unread, error: error ?? runnerFailed(stream, fault) });
  }
}
