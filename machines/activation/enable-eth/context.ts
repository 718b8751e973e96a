import type {
  EnableEthEvent,
  EnableEthEventType,
  TaskLimits,
  TaskStarted,
  UserActionType,
} from '../../../src/events/enable-eth.ts';
import { defaultTaskLimits } from '../../../src/events/enable-eth.ts';
import type { EnableEthDetails } from '../../../src/events/enable-eth-result.ts';
import type { TaskError } from '../../../src/events/task-error.ts';
import type { Millis, Seconds } from '../../../src/primitives/time.ts';
import type { Reducers } from '../../definition.ts';
import { taskTimedOut } from './errors.ts';

/** Status strings of a task that works (specification §3.2). */
export type InProgressStatus = Extract<
  EnableEthEventType,
  | 'ActivatingCoin'
  | 'RequestingWalletBalance'
  | 'Finishing'
  | 'WaitingForDeviceToConnect'
  | 'FollowHwDeviceInstructions'
>;

/** Status strings of a task that waits for a user action. */
export type AwaitingStatus = Extract<EnableEthEventType, 'EnterTrezorPin' | 'EnterTrezorPassphrase'>;

export type WrongAction = { readonly expected: UserActionType; readonly given: UserActionType };

/** The answer to what a device asks for. */
export function actionTypeFor(awaiting: AwaitingStatus): UserActionType {
  return awaiting === 'EnterTrezorPin' ? 'TrezorPin' : 'TrezorPassphrase';
}

/** All that a task's log says. Absent facts are null. */
export type EnableEthContext = {
  started: TaskStarted | null;
  startedAt: Millis | null;
  /** Whether its coin was in use when a process was lost: who uses it waits for it to be active again. */
  resumes: boolean;
  /** Whether its coin was taken out while tokens of it stayed in use: they alone are brought back. */
  passive: boolean;
  /** Tickers of tokens that were taken out while others or the coin stayed, each once. */
  released: string[];
  /** How often the process that worked on the task was lost, from 0. */
  restarts: number;
  /** The status in progress; while the task waits for a user action, the one that it will return to. */
  status: InProgressStatus | null;
  awaiting: AwaitingStatus | null;
  /** Since when the device or the user is being waited for. */
  waitingSince: Millis | null;
  /** The user's answer was not of the kind that the device asked for. */
  wrongAction: WrongAction | null;
  cancelRequestedAt: Millis | null;
  result: EnableEthDetails | null;
  error: TaskError | null;
  /** When the task succeeded, failed or was cancelled. */
  endedAt: Millis | null;
  forgottenAt: Millis | null;
  lastEventAt: Millis | null;
};

export function initialEnableEthContext(): EnableEthContext {
  return {
    started: null,
    startedAt: null,
    resumes: false,
    passive: false,
    released: [],
    restarts: 0,
    status: null,
    awaiting: null,
    waitingSince: null,
    wrongAction: null,
    cancelRequestedAt: null,
    result: null,
    error: null,
    endedAt: null,
    forgottenAt: null,
    lastEventAt: null,
  };
}

type Told = { readonly type: string; readonly at: Millis };

function work(draft: EnableEthContext, { type, at }: Told & { readonly type: InProgressStatus }): void {
  draft.lastEventAt = at;
  draft.status = type;
  stopAsking(draft);
}

function waitForDevice(draft: EnableEthContext, event: Told & { readonly type: InProgressStatus }): void {
  work(draft, event);
  draft.waitingSince = event.at;
}

function ask(draft: EnableEthContext, { type, at }: Told & { readonly type: AwaitingStatus }): void {
  draft.lastEventAt = at;
  draft.awaiting = type;
  draft.waitingSince = at;
}

function stopAsking(draft: EnableEthContext): void {
  draft.awaiting = null;
  draft.waitingSince = null;
}

function end(draft: EnableEthContext, { at }: Told): void {
  draft.lastEventAt = at;
  draft.endedAt = at;
  draft.awaiting = null;
}

function forget(draft: EnableEthContext, { at }: Told): void {
  draft.lastEventAt = at;
  draft.forgottenAt = at;
}

type TokenTold = Told & { readonly data: { readonly ticker: string } };

function releaseToken(draft: EnableEthContext, { at, data }: TokenTold): void {
  draft.lastEventAt = at;
  if (!draft.released.includes(data.ticker)) draft.released.push(data.ticker);
}

function passivate(draft: EnableEthContext, { at }: Told): void {
  draft.lastEventAt = at;
  draft.passive = true;
}

/** Tickers of the task's tokens that were not taken out, each once. */
export function tokensHeld({ started, released }: EnableEthContext): readonly string[] {
  const asked = started?.params.erc20_tokens_requests.map(({ ticker }) => ticker) ?? [];
  return [...new Set(asked)].filter((ticker) => !released.includes(ticker));
}

/** `waitingSince` stays, so that the log's reader can check that the wait was as long as the limit. */
function timeOut(limit: keyof TaskLimits) {
  return (draft: EnableEthContext, event: Told): void => {
    end(draft, event);
    draft.error = taskTimedOut(limitOf(draft, limit) ?? 0);
  };
}

/** The limit that the task was started with, in seconds; null where there is none. */
export function limitOf(context: EnableEthContext, limit: keyof TaskLimits): Seconds | null {
  return (context.started?.limits ?? defaultTaskLimits)[limit];
}

/** One total recipe per event. */
export const enableEthReducers: Reducers<EnableEthContext, EnableEthEvent> = {
  TaskStarted(draft, { at, data }) {
    draft.lastEventAt = at;
    draft.started = data;
    draft.startedAt = at;
    draft.status = 'ActivatingCoin';
  },
  ActivatingCoin: work,
  RequestingWalletBalance: work,
  Finishing: work,
  WaitingForDeviceToConnect: waitForDevice,
  FollowHwDeviceInstructions: waitForDevice,
  EnterTrezorPin: ask,
  EnterTrezorPassphrase: ask,
  UserActionProvided(draft, { at }) {
    draft.lastEventAt = at;
    stopAsking(draft);
  },
  WrongUserActionProvided(draft, { at, data }) {
    draft.lastEventAt = at;
    draft.wrongAction = { expected: actionTypeFor(draft.awaiting ?? 'EnterTrezorPin'), given: data.action_type };
    stopAsking(draft);
  },
  UserActionTimedOut: timeOut('user_action'),
  DeviceConnectTimedOut: timeOut('device_connect'),
  ActivationTimedOut: timeOut('activation'),
  SessionLost(draft, { at }) {
    draft.lastEventAt = at;
    draft.restarts += 1;
    draft.resumes ||= draft.result !== null;
    draft.status = 'ActivatingCoin';
    stopAsking(draft);
    // What a process has activated is active in that process alone, and whoever wants to know how it is activated anew may ask.
    draft.result = null;
    draft.endedAt = null;
    draft.forgottenAt = null;
  },
  CancelRequested(draft, { at }) {
    draft.lastEventAt = at;
    draft.cancelRequestedAt = at;
    stopAsking(draft);
  },
  Cancelled: end,
  Completed(draft, event) {
    end(draft, event);
    draft.result = event.data.details;
  },
  CoinReleased(draft, { at }) {
    draft.lastEventAt = at;
  },
  TokenReleased: releaseToken,
  KeptTokenReleased: releaseToken,
  CoinPassivated: passivate,
  KeptCoinPassivated: passivate,
  Failed(draft, event) {
    end(draft, event);
    draft.error = event.data;
  },
  ResultForgotten: forget,
  Forgotten: forget,
};
