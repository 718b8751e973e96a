import type { Invariant } from '../../definition.ts';
import { outcomeIn, taskInvariants, waitedLongEnough } from '../task/invariants.ts';
import type { EnableEthContext } from './context.ts';
import { phaseOf } from './status.ts';

function awaitingFits(state: string, context: EnableEthContext): boolean {
  if (phaseOf(state) !== 'awaiting') return context.awaiting === null;
  const { awaiting, status, waitingSince } = context;
  const asked = state === 'awaitingPin' ? 'EnterTrezorPin' : 'EnterTrezorPassphrase';
  return awaiting === asked && status !== null && status !== 'Finishing' && waitingSince !== null;
}

const limitOfState = {
  userActionTimedOut: 'user_action',
  deviceConnectTimedOut: 'device_connect',
  activationTimedOut: 'activation',
} as const;

function waitFits(state: string, context: EnableEthContext): boolean {
  if (!Object.hasOwn(limitOfState, state)) return true;
  const limit = limitOfState[state as keyof typeof limitOfState];
  return waitedLongEnough(context, {
    limit,
    since: limit === 'activation' ? context.startedAt : context.waitingSince,
  });
}

const hasOutcome = outcomeIn(phaseOf);

function wrongActionFits(state: string, { wrongAction }: EnableEthContext): boolean {
  if (wrongAction === null) return state !== 'wrongUserAction';
  if (wrongAction.expected === wrongAction.given) return false;
  return hasOutcome(state) || ['wrongUserAction', 'cancelling', 'cancelled'].includes(state);
}

const { I1, I3, I4, I5, I6, I9, I10 } = taskInvariants(phaseOf);

/** What holds after every event of an ETH activation task. */
export const enableEthInvariants: readonly Invariant<EnableEthContext>[] = [
  I1,
  {
    id: 'I2',
    text: 'A task that awaits a user action knows what the device asks for, since when, and the status to which the task returns.',
    holds: awaitingFits,
  },
  I3,
  I4,
  I5,
  I6,
  { id: 'I7', text: 'No wait ends before its limit.', holds: waitFits },
  { id: 'I8', text: 'An answer of the wrong kind never leads back to work.', holds: wrongActionFits },
  I9,
  I10,
];
