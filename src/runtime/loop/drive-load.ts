import type { SwapHold } from '../../htlc/locked-amount.ts';
import type { Envelope } from '../../primitives/envelope.ts';
import { SwapfoldError } from '../../primitives/error.ts';
import type { Millis } from '../../primitives/time.ts';
import { isDamage, logUnavailable, runnerFailed, shortReason, swapUnreadable } from '../errors.ts';
import { backoffMillis } from '../policy.ts';
import { type Drivable, reservationsOf } from './drivable.ts';
import { fail, rejectLetters, release } from './drive-fail.ts';
import { about, begin, type Engine, end, momentOf, noteStanding, setMode, setModeUntil } from './engine.ts';
import { carryOver } from './give-back.ts';
import { settle } from './settle.ts';
import type { Slot } from './slot.ts';
import { tellResumed } from './tell-resumed.ts';

const NO_LOCKS: SwapHold = { amounts: new Map(), fees: new Map() };

/** Called with the slot once its stream has been read, or could not be. */
export type Loaded = (slot: Slot) => void;

/**
 * Makes the slot's drivable anew from its log. What it had seen is lost, as after a crash; what counts is in the log.
 */
export function load(engine: Engine, slot: Slot, next: Loaded): void {
  release(engine, slot);
  setMode(engine, slot, 'loading');
  engine.scheduler.never(slot.id);
  const { token } = slot;
  begin(engine);
  const conclude = (action: () => void): void => {
    if (slot.token === token && slot.mode === 'loading') {
      action();
      if (!engine.held) tellResumed(engine);
      next(slot);
    }
    end(engine);
  };
  settle(() => engine.log.read(slot.stream), {
    done: (records) => conclude(() => loaded(engine, slot, records)),
    failed: (error) => conclude(() => notLoaded(engine, slot, error)),
  });
}

function loaded(engine: Engine, slot: Slot, records: readonly Envelope[]): void {
  engine.claims.restore(slot.stream, records);
  if (slot.uncertain !== null && records.length > slot.uncertain) slot.uncertain = null;
  try {
    const known = notAfter(momentOf(engine, slot), records);
    adopt(engine, slot, slot.kind.create(slot.stream, known, engine.inputs));
  } catch (error) {
    const typed = error instanceof SwapfoldError;
    fail(engine, slot, typed ? swapUnreadable(slot.stream, error) : runnerFailed(slot.stream, error));
  }
}

/**
 * Records as they are waited by: one that a clock stamped which has been set back since counts from now on, because its time would
 * come hours late.
 */
function notAfter(now: Millis, records: readonly Envelope[]): readonly Envelope[] {
  if (records.every(({ at }) => at <= now)) return records;
  return records.map((record) => (record.at > now ? { ...record, at: now } : record));
}

/** Puts a drivable that has taken the stream's records into the slot. */
export function adopt(engine: Engine, slot: Slot, driven: Drivable): void {
  const before = slot.driven;
  slot.driven = driven;
  slot.error = null;
  slot.logErrors = 0;
  slot.burst = 0;
  slot.stale = 0;
  slot.unsent = null;
  engine.redactor.learn(slot.stream, driven.secrets?.() ?? []);
  engine.attach(slot);
  engine.locks.set(slot.stream, driven.holds?.() ?? NO_LOCKS);
  reserve(engine, driven);
  carryOver(engine, slot, before);
  noteStanding(engine, slot);
  setMode(engine, slot, driven.missing.length > 0 ? 'dormant' : 'ready');
}

/** What was signed before and may still confirm must not be spent by others. */
export function reserve({ gates, logger }: Engine, driven: Drivable): void {
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

function notLoaded(engine: Engine, slot: Slot, error: unknown): void {
  if (isDamage(error)) {
    fail(engine, slot, error as SwapfoldError);
    return;
  }
  rejectLetters(slot, logUnavailable(slot.stream, error));
  loadLater(engine, slot, error);
}

/** Reads the log again after a while: what was perhaps stored is found there. */
export function loadLater(engine: Engine, slot: Slot, error: unknown): void {
  slot.logErrors += 1;
  const pause = backoffMillis(engine.policy.logBackoff, slot.logErrors);
  engine.logger.warn('log unavailable', about(slot, { reason: shortReason(error), tries: slot.logErrors }));
  setModeUntil(engine, slot, { mode: 'reloading', until: engine.steady.now() + pause });
}
