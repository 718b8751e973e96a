import type { SwapHold } from '../../htlc/locked-amount.ts';
import type { Envelope } from '../../primitives/envelope.ts';
import { SwapfoldError } from '../../primitives/error.ts';
import type { Millis } from '../../primitives/time.ts';
import { isDamage, logUnavailable, runnerFailed, shortReason, swapUnreadable } from '../errors.ts';
import { backoffMillis } from '../policy.ts';
import { type Drivable, reservationsOf } from './drivable.ts';
import { fail } from './drive-fail.ts';
import { carryOver, noteStored } from './give-back.ts';
import { rejectLetters } from './letters.ts';
import { about, begin, end, type Loop, momentOf, move, noteStanding } from './loop.ts';
import { settle } from './settle.ts';
import type { Slot } from './slot.ts';
import { tellResumed } from './tell-resumed.ts';

const NO_LOCKS: SwapHold = { amounts: new Map(), fees: new Map() };

/** Called with the slot once its stream has been read, or could not be. */
export type Loaded = (slot: Slot) => void;

/**
 * Rebuilds the slot's drivable from its log. Its observations are lost, as after a crash; what matters is in the log.
 */
export function load(loop: Loop, slot: Slot, next: Loaded): void {
  if (move(loop, slot, { type: 'load' })) read(loop, slot, next);
}

/** The slot's chains are others than before: its drivable is made anew, once nothing is being written. */
export function reload(loop: Loop, slot: Slot, next: Loaded): void {
  const { doing } = slot.state;
  move(loop, slot, { type: 'reload' });
  if (slot.state.doing !== doing) read(loop, slot, next);
}

function read(loop: Loop, slot: Slot, next: Loaded): void {
  const { doing } = slot.state;
  begin(loop);
  const conclude = (action: () => void): void => {
    if (slot.state.doing === doing) {
      action();
      if (!loop.held) tellResumed(loop);
      next(slot);
    }
    end(loop);
  };
  settle(() => loop.log.read(slot.stream), {
    done: (records) => conclude(() => loaded(loop, slot, records)),
    failed: (error) => conclude(() => notLoaded(loop, slot, error)),
  });
}

function loaded(loop: Loop, slot: Slot, records: readonly Envelope[]): void {
  loop.claims.restore(slot.stream, records);
  noteStored(slot, records.length);
  try {
    const known = notAfter(momentOf(loop, slot), records);
    adopt(loop, slot, slot.kind.create(slot.stream, known, loop.inputs));
  } catch (error) {
    const typed = error instanceof SwapfoldError;
    fail(loop, slot, typed ? swapUnreadable(slot.stream, error) : runnerFailed(slot.stream, error));
  }
}

/**
 * Records as waits use them: a record stamped by a clock that has since been set back counts from now on, because its
 * time would come hours late.
 */
function notAfter(now: Millis, records: readonly Envelope[]): readonly Envelope[] {
  if (records.every(({ at }) => at <= now)) return records;
  return records.map((record) => (record.at > now ? { ...record, at: now } : record));
}

/** Puts a drivable that has applied the stream's records into the slot. */
export function adopt(loop: Loop, slot: Slot, driven: Drivable): void {
  const before = slot.driven;
  const writable: { driven: Drivable | null } = slot;
  writable.driven = driven;
  loop.redactor.learn(slot.stream, driven.secrets?.() ?? []);
  loop.attach(slot);
  loop.locks.set(slot.stream, driven.holds?.() ?? NO_LOCKS);
  reserve(loop, driven);
  carryOver(loop, slot, before);
  noteStanding(loop, slot);
  move(loop, slot, { type: 'loaded', dormant: driven.missing.length > 0 });
}

/** Others must not spend what was signed before and may still confirm. */
export function reserve({ gates, logger }: Loop, driven: Drivable): void {
  for (const { leg, tx } of reservationsOf(driven.look())) {
    const gate = gates.get(driven.coins[leg] ?? '');
    try {
      gate?.chain.reserve([tx]);
    } catch (error) {
      const { stream } = driven;
      logger.error('reservation failed', { stream, coin: gate?.coin, reason: shortReason(error) });
    }
  }
}

function notLoaded(loop: Loop, slot: Slot, error: unknown): void {
  if (isDamage(error)) {
    fail(loop, slot, error as SwapfoldError);
    return;
  }
  rejectLetters(slot, logUnavailable(slot.stream, error));
  loadLater(loop, slot, error);
}

/** Reads the log again after a while, and finds what may have been stored. */
export function loadLater(loop: Loop, slot: Slot, error: unknown): void {
  const tries = slot.state.counts.logErrors + 1;
  const pause = backoffMillis(loop.policy.logBackoff, tries);
  loop.logger.warn('log unavailable', about(slot, { reason: shortReason(error), tries }));
  move(loop, slot, { type: 'logFailed', until: loop.steady.now() + pause });
}
