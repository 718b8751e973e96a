import type { NewRecord } from '../../ports/event-log.ts';
import type { Envelope } from '../../primitives/envelope.ts';
import { SwapfoldError } from '../../primitives/error.ts';
import { isConflict, isDamage, isRefused, logUnavailable, runnerFailed, swapUnreadable } from '../errors.ts';
import type { Drivable, DrivableKind } from './drivable.ts';
import { writeLetter } from './drive-append.ts';
import { adopt, load } from './drive-load.ts';
import { type Loop, noteUndriven } from './loop.ts';
import { createSlot, type Slot } from './slot.ts';

/** The kind of a stream, by the machine in its name; undefined for a machine that is not driven here. */
export function kindOf({ kinds }: Pick<Loop, 'kinds'>, stream: string): DrivableKind | undefined {
  return kinds.get(stream.slice(0, stream.indexOf('/')));
}

function place(loop: Loop, stream: string, kind: DrivableKind): Slot {
  const slot = loop.ids.takeSlot((id) => createSlot(id, stream, kind));
  loop.slots.set(stream, slot);
  return slot;
}

/** The slot of a stream in the log; if there is none yet, it is created and its log read. */
export function open(loop: Loop, stream: string, loaded: () => void = () => {}): Slot | undefined {
  const known = loop.slots.get(stream);
  if (known !== undefined) {
    loaded();
    return known;
  }
  const kind = kindOf(loop, stream);
  if (kind === undefined) return undefined;
  const slot = place(loop, stream, kind);
  load(loop, slot, () => {
    writeLetter(loop, slot);
    loaded();
  });
  return slot;
}

/** The records of a stream. @throws LogDamagedError; RuntimeError LOG_UNAVAILABLE for any other error of the log. */
export async function readStream({ log }: Pick<Loop, 'log'>, stream: string): Promise<readonly Envelope[]> {
  try {
    return await log.read(stream);
  } catch (error) {
    throw isDamage(error) ? error : logUnavailable(stream, error);
  }
}

/** A drivable of records that are not in the log yet, or no longer driven. @throws RuntimeError SWAP_UNREADABLE */
export function fold(
  { kinds, inputs }: Pick<Loop, 'kinds' | 'inputs'>,
  stream: string,
  records: readonly NewRecord[],
): Drivable {
  const kind = kindOf({ kinds }, stream);
  if (kind === undefined) {
    const cause = new RangeError('no machine of this name is driven here');
    throw swapUnreadable(stream, cause);
  }
  try {
    return kind.create(stream, records, inputs);
  } catch (error) {
    throw error instanceof SwapfoldError ? swapUnreadable(stream, error) : runnerFailed(stream, error);
  }
}

/** Whether a finished swap is still watched: it ended recently, and its chains can be asked. */
function isGuarded({ clock, policy }: Loop, driven: Drivable, records: readonly NewRecord[]): boolean {
  const endedAt = records.at(-1)?.at ?? 0;
  return driven.missing.length === 0 && clock.now() - endedAt <= policy.guardFor * 1000;
}

/**
 * Makes the first records of a new stream durable, then drives it. False when the log holds a stream of this name by now.
 *
 * @throws RuntimeError SWAP_UNREADABLE for records that do not fold, LogError LOG_RECORD_INVALID for such as no log takes: then
 * nothing was written. LOG_UNAVAILABLE
 */
export async function beginStream(loop: Loop, stream: string, records: readonly NewRecord[]): Promise<boolean> {
  const driven = fold(loop, stream, records);
  const labels = driven.preview([]);
  const since = loop.clock.now();
  const note = (ok: boolean) => {
    loop.metrics.appended({ seconds: (loop.clock.now() - since) / 1000, records: records.length, ok });
  };
  try {
    loop.claims.restore(stream, records);
    await loop.log.append({ stream, expected: 0, records, labels });
    note(true);
  } catch (error) {
    note(false);
    const isKnown = isConflict(error) || isDamage(error) || isRefused(error);
    // A log that did not answer may still hold the records: what they take stays taken.
    if (!isKnown) throw logUnavailable(stream, error);
    loop.claims.release(stream, records);
    if (isConflict(error)) return false;
    throw error;
  }
  const kind = kindOf(loop, stream);
  // A finished stream needs no slot; meanwhile somebody may have opened it and read the records from the log.
  if (kind === undefined || loop.slots.has(stream)) return true;
  if (labels.finished === true && !isGuarded(loop, driven, records)) {
    loop.claims.putAway(stream, records);
    noteUndriven(loop, stream, labels);
    return true;
  }
  adopt(loop, place(loop, stream, kind), driven);
  return true;
}

/** Records of a stream, and further ones that were written elsewhere and follow them. */
export type Growth = { readonly stored: readonly Envelope[]; readonly more: readonly NewRecord[] };

/**
 * Makes records that follow those of a stream durable, then reads it again. False if the stream has other records by
 * now.
 *
 * @throws RuntimeError SWAP_UNREADABLE for records that do not fold, LOG_UNAVAILABLE
 */
export async function growStream(loop: Loop, stream: string, { stored, more }: Growth): Promise<boolean> {
  const all = [...stored, ...more];
  const labels = fold(loop, stream, all).preview([]);
  try {
    loop.claims.restore(stream, all);
    await loop.log.append({ stream, expected: stored.length, records: more, labels });
  } catch (error) {
    const isKnown = isConflict(error) || isDamage(error) || isRefused(error);
    if (!isKnown) throw logUnavailable(stream, error);
    loop.claims.restore(stream, stored);
    if (isConflict(error)) return false;
    throw error;
  }
  const slot = loop.slots.get(stream);
  if (slot === undefined) open(loop, stream);
  else load(loop, slot, () => writeLetter(loop, slot));
  return true;
}
