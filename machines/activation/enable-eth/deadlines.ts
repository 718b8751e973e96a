import { produce } from 'immer';
import type { EnableEthEvent, EnableEthEventType } from '../../../src/events/enable-eth.ts';
import type { Millis } from '../../../src/primitives/time.ts';
import type { Deadline } from '../../definition.ts';
import { type EnableEthContext, enableEthReducers, limitOf } from './context.ts';
import type { EnableEthState } from './machine.ts';
import { phaseOf } from './status.ts';

/** The event that is to be appended once a deadline of this machine has passed. */
export type EnableEthDeadlineKind = Extract<
  EnableEthEventType,
  'UserActionTimedOut' | 'DeviceConnectTimedOut' | 'ActivationTimedOut'
>;

export type EnableEthDeadline = Deadline & { readonly kind: EnableEthDeadlineKind };

/**
 * Moments by the host's clock at which a wait ends: 300 s for a device and for a user's answer, none for the whole
 * activation, unless the task was started with other limits. The kind is the event to append then.
 */
export function enableEthDeadlines(state: string, context: EnableEthContext): readonly EnableEthDeadline[] {
  return [...waitDeadline(state, context), ...activationDeadline(state, context)];
}

/** Where a task stands at a moment of the host's clock. */
export type TaskMoment = { readonly context: EnableEthContext; readonly at: Millis };

/** The event of a deadline. */
export type DeadlineEvent = Extract<EnableEthEvent, { readonly type: EnableEthDeadlineKind }>;

/** The event of the first deadline that has passed at this moment, of several the one that passed first; undefined while there is none. */
export function dueEvent(state: string, { context, at }: TaskMoment): DeadlineEvent | undefined {
  const passed = enableEthDeadlines(state, context).filter((deadline) => deadline.at <= at);
  const first = passed.sort((left, right) => left.at - right.at)[0];
  return first === undefined ? undefined : { type: first.kind, at, data: null };
}

const stateAfter = {
  UserActionTimedOut: 'userActionTimedOut',
  DeviceConnectTimedOut: 'deviceConnectTimedOut',
  ActivationTimedOut: 'activationTimedOut',
} as const satisfies Record<EnableEthDeadlineKind, EnableEthState>;

/** Where the task stands once the event of a deadline is taken. */
export function afterDeadline(event: DeadlineEvent, { context }: TaskMoment) {
  const after = produce(context, (draft) => {
    (enableEthReducers[event.type] as (draft: EnableEthContext, event: DeadlineEvent) => void)(draft, event);
  });
  return { state: stateAfter[event.type], context: after };
}

function waitDeadline(state: string, context: EnableEthContext): readonly EnableEthDeadline[] {
  switch (state) {
    case 'waitingForDevice':
      return deadline('DeviceConnectTimedOut', context.waitingSince, limitOf(context, 'device_connect'));
    case 'followingDevice':
    case 'awaitingPin':
    case 'awaitingPassphrase':
      return deadline('UserActionTimedOut', context.waitingSince, limitOf(context, 'user_action'));
    default:
      return [];
  }
}

function activationDeadline(state: string, context: EnableEthContext): readonly EnableEthDeadline[] {
  const phase = phaseOf(state);
  // A wrong answer has already decided how the task ends.
  if ((phase !== 'inProgress' && phase !== 'awaiting') || state === 'wrongUserAction') return [];
  return deadline('ActivationTimedOut', context.startedAt, limitOf(context, 'activation'));
}

function deadline(kind: EnableEthDeadlineKind, since: Millis | null, seconds: number | null): EnableEthDeadline[] {
  return since === null || seconds === null ? [] : [{ kind, at: (since + seconds * 1000) as Millis, clock: 'host' }];
}
