import type { SwapfoldError } from '../../primitives/error.ts';
import { isTaken } from '../errors.ts';
import { backoffMillis } from '../policy.ts';
import { about, type Engine, move, noteStanding } from './engine.ts';
import { giveBackAll } from './give-back.ts';
import { rejectLetters } from './letters.ts';
import type { Slot } from './slot.ts';

/**
 * Stops a slot because of an error. Other slots are not affected. After a bug in this package, a new runner that knows
 * only its log gets another chance: an answer that does not come again may have triggered it, and money waits.
 */
export function fail(engine: Engine, slot: Slot, given: SwapfoldError): void {
  const error = engine.redactor.error(given);
  const again = error.code === 'RUNNER_FAILED' || isTaken(error);
  const pause = backoffMillis(engine.policy.faultBackoff, slot.state.counts.failures + 1);
  move(engine, slot, { type: 'fail', error, until: again ? engine.steady.now() + pause : null });
  engine.logger.error('runner stopped', about(slot, { code: error.code, reason: reasonOf(error) }));
  rejectLetters(slot, error);
}

function reasonOf({ facts }: SwapfoldError): string | undefined {
  const { reason, where } = facts;
  return reason === undefined ? undefined : [reason, where].filter((part) => part !== undefined).join(' at ');
}

/** The slot is done; its id is free for another. */
export function retire(engine: Engine, slot: Slot): void {
  giveBackAll(engine, slot);
  if (!move(engine, slot, { type: 'retire' })) return;
  noteStanding(engine, slot);
  engine.detach(slot);
  engine.locks.forget(slot.stream);
  engine.redactor.forget(slot.stream);
  engine.claims.forget(slot.stream);
  engine.slots.delete(slot.stream);
  engine.turns.free(slot.id);
}
