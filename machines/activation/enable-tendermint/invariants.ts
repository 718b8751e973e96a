import type { Invariant } from '../../definition.ts';
import { taskInvariants, waitedLongEnough } from '../task/invariants.ts';
import type { EnableTendermintContext } from './context.ts';
import { phaseOf } from './status.ts';

function waitFits(state: string, context: EnableTendermintContext): boolean {
  if (state !== 'activationTimedOut') return true;
  return waitedLongEnough(context, { limit: 'activation', since: context.startedAt });
}

const { I1, I3, I4, I5, I6, I9, I10 } = taskInvariants(phaseOf);

/**
 * What holds after every event of a task that activates coins of a Tendermint chain. It omits the numbers that only
 * tasks with a device have.
 */
export const enableTendermintInvariants: readonly Invariant<EnableTendermintContext>[] = [
  I1,
  I3,
  I4,
  I5,
  I6,
  { id: 'I7', text: 'No wait ends before its limit.', holds: waitFits },
  I9,
  I10,
];
