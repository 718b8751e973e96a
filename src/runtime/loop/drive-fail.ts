import type { SwapfoldError } from '../../primitives/error.ts';
import { isTaken } from '../errors.ts';
import { backoffMillis } from '../policy.ts';
import { giveBackAll } from './give-back.ts';
import { rejectLetters } from './letters.ts';
import { about, type Loop, move, noteStanding } from './loop.ts';
import type { Slot } from './slot.ts';

/**
 * Stops a slot because of an error. Other slots are not affected. After a bug in this package, a new runner that knows
 * only its log gets another chance: an answer that does not come again may have triggered it, and money waits.
 */
export function fail(loop: Loop, slot: Slot, given: SwapfoldError): void {
  const error = loop.redactor.error(given);
  const again = error.code === 'RUNNER_FAILED' || isTaken(error);
  const pause = backoffMillis(loop.policy.faultBackoff, slot.state.counts.failures + 1);
  move(loop, slot, { type: 'fail', error, until: again ? loop.steady.now() + pause : null });
  loop.logger.error('runner stopped', about(slot, { code: error.code, reason: reasonOf(error) }));
  rejectLetters(slot, error);
}

function reasonOf({ facts }: SwapfoldError): string | undefined {
  const { reason, where } = facts;
  return reason === undefined ? undefined : [reason, where].filter((part) => part !== undefined).join(' at ');
}

/** The slot is done; its id is free for another. */
export function retire(loop: Loop, slot: Slot): void {
  giveBackAll(loop, slot);
  if (!move(loop, slot, { type: 'retire' })) return;
  noteStanding(loop, slot);
  loop.detach(slot);
  loop.locks.forget(slot.stream);
  loop.redactor.forget(slot.stream);
  loop.claims.forget(slot.stream);
  loop.slots.delete(slot.stream);
  loop.ids.free(slot.id);
}
