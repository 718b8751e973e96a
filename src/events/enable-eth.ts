import { z } from 'zod';
import { loggedEnableEthRequest } from './enable-eth-request.ts';
import { enableEthDetails } from './enable-eth-result.ts';
import { kindOf } from './fields.ts';
import { noData } from './payloads.ts';
import { startedMembers, type TaskEventOf, taskEventReader, taskPayloads } from './task-payloads.ts';

export { defaultTaskLimits, type TaskLimits } from './task-payloads.ts';

/** What a device asks the user for, as the real node names the answers. */
export const userActionTypes = ['TrezorPin', 'TrezorPassphrase'] as const;
export type UserActionType = (typeof userActionTypes)[number];

/** The kind of an answer only. The PIN or passphrase has no place in any event. */
const userAction = z.object(
  { action_type: z.enum(userActionTypes, { error: `expected one of ${userActionTypes.join(', ')}` }) },
  { error: (issue) => `expected an object, found ${kindOf(issue.input)}` },
);

/**
 * Payload schema of every event of an ETH activation task. Events that change the status bear the name that
 * `task::enable_eth::status` answers (specification §3.2; `EnterTrezorPin` and `EnterTrezorPassphrase` as the real node).
 */
export const enableEthPayloads = {
  ...taskPayloads(startedMembers(loggedEnableEthRequest), enableEthDetails),
  WaitingForDeviceToConnect: noData,
  FollowHwDeviceInstructions: noData,
  EnterTrezorPin: noData,
  EnterTrezorPassphrase: noData,
  UserActionProvided: userAction,
  WrongUserActionProvided: userAction,
  UserActionTimedOut: noData,
  DeviceConnectTimedOut: noData,
} as const;

export type EnableEthEventType = keyof typeof enableEthPayloads;

/** An event of an ETH activation task: what happened, when (milliseconds UTC), and its payload in canonical spelling. */
export type EnableEthEvent = TaskEventOf<typeof enableEthPayloads>;

export type TaskStarted = z.output<(typeof enableEthPayloads)['TaskStarted']>;

export const enableEthEventTypes = Object.keys(enableEthPayloads) as readonly EnableEthEventType[];

/** Names that the real node uses, and the specification's for the same thing. */
const aliases: Readonly<Record<string, EnableEthEventType>> = {
  WaitingForTrezorToConnect: 'WaitingForDeviceToConnect',
};

/** The specification's name of an event type, for either spelling; undefined for a type of no activation task. */
export function enableEthEventType(name: string): EnableEthEventType | undefined {
  const type = Object.hasOwn(aliases, name) ? aliases[name] : name;
  return enableEthEventTypes.find((known) => known === type);
}

/**
 * Reads an event of an activation task's log. Unknown members of the event are dropped.
 *
 * @throws DecodeError FIELD_INVALID or FIELD_MISSING, which points at the member at fault.
 *
 * @example
 * ```ts
 * import { readEnableEthEvent } from 'swapfold/events';
 *
 * readEnableEthEvent({ type: 'WaitingForTrezorToConnect', at: 1734560398123 }); // → {
 * //   type: 'WaitingForDeviceToConnect', at: 1734560398123, data: null,
 * // }
 * readEnableEthEvent({ type: 'UserActionProvided', at: 1734560398123 }); // throws FIELD_MISSING
 * ```
 */
export const readEnableEthEvent = taskEventReader(enableEthPayloads, enableEthEventType);
