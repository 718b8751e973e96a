import { z } from 'zod';
import { type Millis, millisOf } from '../primitives/time.ts';
import { DecodeError, pointerStep } from './decode-error.ts';
import { loggedEnableEthRequest } from './enable-eth-request.ts';
import { enableEthDetails } from './enable-eth-result.ts';
import { kindOf, text, whole } from './fields.ts';
import { noData } from './payloads.ts';
import { taskError } from './task-error.ts';

/** Longest waits in whole seconds: for a PIN, passphrase or button; for a device; for everything (null: no limit). */
const limits = z.object({
  user_action: whole.optional().default(300),
  device_connect: whole.optional().default(300),
  activation: whole.nullish().transform((seconds) => seconds ?? null),
});

/** The waits of the real node: 300 s for a user action and for a device, none for the whole activation. */
export const defaultTaskLimits: TaskLimits = { user_action: 300, device_connect: 300, activation: null };

const taskStarted = z.object(
  {
    task_id: whole,
    /** Receiver of pushed status updates, 0 for none in particular. */
    client_id: whole.optional().default(0),
    params: loggedEnableEthRequest,
    /**
     * Members of the request that the log holds without a secret part of theirs, as JSON pointers. A process that is started again cannot make the
     * request from `params` where there are any.
     */
    withheld: z.array(text).optional().default([]),
    limits: limits.optional().default(defaultTaskLimits),
  },
  { error: (issue) => `expected an object, found ${kindOf(issue.input)}` },
);

const tokenReleased = z.object(
  { ticker: text },
  { error: (issue) => `expected an object, found ${kindOf(issue.input)}` },
);

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
  TaskStarted: taskStarted,
  ActivatingCoin: noData,
  RequestingWalletBalance: noData,
  Finishing: noData,
  WaitingForDeviceToConnect: noData,
  FollowHwDeviceInstructions: noData,
  EnterTrezorPin: noData,
  EnterTrezorPassphrase: noData,
  UserActionProvided: userAction,
  WrongUserActionProvided: userAction,
  UserActionTimedOut: noData,
  DeviceConnectTimedOut: noData,
  ActivationTimedOut: noData,
  /** The process that worked on the task has ended, and with it the device's session and all that is in no log. */
  SessionLost: noData,
  CancelRequested: noData,
  Cancelled: noData,
  Completed: z.object({ details: enableEthDetails }),
  /** The coin that the task activated was taken out. */
  CoinReleased: noData,
  /** A token of it was taken out, and the coin was not: it is activated without that token from then on. */
  TokenReleased: tokenReleased,
  /** The same where nobody reads the result of the task any more. */
  KeptTokenReleased: tokenReleased,
  /** The coin was taken out, and tokens of it stay in use: they are activated without it from then on. */
  CoinPassivated: noData,
  /** The same where nobody reads the result of the task any more. */
  KeptCoinPassivated: noData,
  Failed: taskError,
  /** Nobody reads the result of the task any more; the coin that it activated is in use. */
  ResultForgotten: noData,
  Forgotten: noData,
} as const;

export type EnableEthEventType = keyof typeof enableEthPayloads;

/** An event of an ETH activation task: what happened, when (milliseconds UTC), and its payload in canonical spelling. */
export type EnableEthEvent = {
  [T in EnableEthEventType]: {
    readonly type: T;
    readonly at: Millis;
    readonly data: z.output<(typeof enableEthPayloads)[T]>;
  };
}[EnableEthEventType];

export type TaskStarted = z.output<typeof taskStarted>;
export type TaskLimits = z.output<typeof limits>;

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
 */
export function readEnableEthEvent(stored: { type: string; at: number; data?: unknown }, seq = 0): EnableEthEvent {
  const type = enableEthEventType(stored.type);
  if (type === undefined) {
    throw unreadable(`/${seq}/type`, { seq, expected: 'an event type of an activation task', found: 'another text' });
  }
  if (!Number.isSafeInteger(stored.at) || stored.at < 0) {
    throw unreadable(`/${seq}/at`, {
      seq,
      event: type,
      expected: 'whole milliseconds since 1970',
      found: 'another value',
    });
  }
  const parsed = enableEthPayloads[type].safeParse(stored.data);
  if (parsed.success) return { type, at: millisOf(stored.at), data: parsed.data } as EnableEthEvent;
  const issue = parsed.error.issues[0];
  const pointer = `/${seq}/data${(issue?.path ?? []).map((step) => pointerStep(String(step))).join('')}`;
  const [expected = '', found] = (issue?.message ?? '').replace(/^expected /, '').split(', found ');
  throw unreadable(pointer, { seq, event: type, expected, found });
}

function unreadable(
  path: string,
  place: { seq: number; event?: string; expected: string; found: string | undefined },
): DecodeError {
  const code = place.found === 'nothing' ? 'FIELD_MISSING' : 'FIELD_INVALID';
  return new DecodeError(code, 'An event of an activation task cannot be read.', { path, ...place });
}
