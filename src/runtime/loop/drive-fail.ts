import type { SwapfoldError } from '../../primitives/error.ts';
import { isTaken } from '../errors.ts';
import { backoffMillis } from '../policy.ts';
import { about, type Engine, end, noteStanding, setMode, setModeUntil } from './engine.ts';
import { giveBackAll } from './give-back.ts';
import type { Letter, Slot } from './slot.ts';

/** Gives up whatever is under way for a slot, except an append: its end is always awaited. */
export function release(engine: Engine, slot: Slot): void {
  const { permit, gate, mode } = slot;
  slot.permit = null;
  slot.gate = null;
  slot.asked = null;
  slot.token += 1;
  permit?.leave();
  if (mode === 'queued') gate?.withdraw();
  if (mode === 'asking') gate?.abandon();
  if (mode === 'asking' || mode === 'sending') end(engine);
}

/**
 * Stops a slot over an error. The others are not touched. A fault of this package is given another chance with a runner that
 * knows nothing but its log: what set it off may have been an answer that does not come again, and money waits.
 */
export function fail(engine: Engine, slot: Slot, given: SwapfoldError): void {
  const error = engine.redactor.error(given);
  release(engine, slot);
  slot.error = error;
  slot.failures += 1;
  const again = error.code === 'RUNNER_FAILED' || isTaken(error);
  const pause = backoffMillis(engine.policy.faultBackoff, slot.failures);
  setModeUntil(engine, slot, { mode: 'failed', until: again ? engine.steady.now() + pause : Number.MAX_SAFE_INTEGER });
  engine.logger.error('runner stopped', about(slot, { code: error.code, reason: reasonOf(error) }));
  rejectLetters(slot, error);
}

function reasonOf({ facts }: SwapfoldError): string | undefined {
  const { reason, where } = facts;
  return reason === undefined ? undefined : [reason, where].filter((part) => part !== undefined).join(' at ');
}

export function rejectLetters(slot: Slot, error: SwapfoldError): void {
  const { letters } = slot;
  slot.letters = null;
  for (const letter of letters ?? []) letter.reject(error);
}

export function takeLetter(slot: Slot): Letter | undefined {
  const letter = slot.letters?.shift();
  if (slot.letters?.length === 0) slot.letters = null;
  return letter;
}

/** The slot is done with: its id is free for another. */
export function retire(engine: Engine, slot: Slot): void {
  release(engine, slot);
  giveBackAll(engine, slot);
  setMode(engine, slot, 'gone');
  noteStanding(engine, slot);
  engine.scheduler.never(slot.id);
  engine.detach(slot);
  engine.locks.forget(slot.stream);
  engine.redactor.forget(slot.stream);
  engine.claims.forget(slot.stream);
  engine.slots.delete(slot.stream);
  engine.turns.free(slot.id);
}
