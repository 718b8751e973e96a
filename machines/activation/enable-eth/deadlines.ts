import type { EnableEthEvent, EnableEthEventType } from '../../../src/events/enable-eth.ts';
import { limitOf } from '../task/context.ts';
import {
  activationDeadline,
  deadlineOf,
  lateness,
  type TaskMoment as MomentOf,
  type TaskDeadline,
} from '../task/deadlines.ts';
import { type EnableEthContext, enableEthReducers } from './context.ts';
import type { EnableEthState } from './machine.ts';
import { phaseOf } from './status.ts';

/** The event to append once a deadline of this machine has passed. */
export type EnableEthDeadlineKind = Extract<
  EnableEthEventType,
  'UserActionTimedOut' | 'DeviceConnectTimedOut' | 'ActivationTimedOut'
>;

export type EnableEthDeadline = TaskDeadline<EnableEthDeadlineKind>;

/**
 * Times on the host's clock at which a wait ends: 300 s for a device or a user's answer, none for the whole activation,
 * unless the task was started with other limits. The kind is the event to append then.
 */
export function enableEthDeadlines(state: string, context: EnableEthContext): readonly EnableEthDeadline[] {
  // A wrong answer has already decided how the task ends.
  const whole = state === 'wrongUserAction' ? [] : activationDeadline(phaseOf(state), context);
  return [...waitDeadline(state, context), ...whole];
}

/** Where a task stands at a moment of the host's clock. */
export type TaskMoment = MomentOf<EnableEthContext>;

export type DeadlineEvent = Extract<EnableEthEvent, { readonly type: EnableEthDeadlineKind }>;

const stateAfter = {
  UserActionTimedOut: 'userActionTimedOut',
  DeviceConnectTimedOut: 'deviceConnectTimedOut',
  ActivationTimedOut: 'activationTimedOut',
} as const satisfies Record<EnableEthDeadlineKind, EnableEthState>;

export const { dueEvent, afterDeadline } = lateness<EnableEthContext, EnableEthDeadlineKind>({
  deadlines: enableEthDeadlines,
  reducers: enableEthReducers,
  stateAfter,
});

function waitDeadline(state: string, context: EnableEthContext): readonly EnableEthDeadline[] {
  const { waitingSince: since } = context;
  switch (state) {
    case 'waitingForDevice':
      return deadlineOf('DeviceConnectTimedOut', { since, seconds: limitOf(context, 'device_connect') });
    case 'followingDevice':
    case 'awaitingPin':
    case 'awaitingPassphrase':
      return deadlineOf('UserActionTimedOut', { since, seconds: limitOf(context, 'user_action') });
    default:
      return [];
  }
}
