import type {
  EnableEthEvent,
  EnableEthEventType,
  TaskLimits,
  TaskStarted,
  UserActionType,
} from '../../../src/events/enable-eth.ts';
import type { EnableEthDetails } from '../../../src/events/enable-eth-result.ts';
import type { Millis } from '../../../src/primitives/time.ts';
import type { Reducers } from '../../definition.ts';
import {
  endTask,
  freshTask,
  type TaskContext,
  type Told,
  taskReducers,
  timeOutTask,
  type WorkStatus,
} from '../task/context.ts';

/** Status strings of a task that works (specification §3.2). */
export type InProgressStatus =
  | WorkStatus
  | Extract<EnableEthEventType, 'WaitingForDeviceToConnect' | 'FollowHwDeviceInstructions'>;

/** Status strings of a task that waits for a user action. */
export type AwaitingStatus = Extract<EnableEthEventType, 'EnterTrezorPin' | 'EnterTrezorPassphrase'>;

export type WrongAction = { readonly expected: UserActionType; readonly given: UserActionType };

/** The answer to what a device asks for. */
export function actionTypeFor(awaiting: AwaitingStatus): UserActionType {
  return awaiting === 'EnterTrezorPin' ? 'TrezorPin' : 'TrezorPassphrase';
}

/**
 * Everything that a task's log says. While the task waits for a user action, `status` is the status that it will return
 * to. Absent facts are null.
 */
export type EnableEthContext = TaskContext<TaskStarted, EnableEthDetails, InProgressStatus> & {
  awaiting: AwaitingStatus | null;
  /** Since when the task waits for the device or the user. */
  waitingSince: Millis | null;
  /** The user's answer was of another kind than the device asked for. */
  wrongAction: WrongAction | null;
};

export function initialEnableEthContext(): EnableEthContext {
  return { ...freshTask, released: [], awaiting: null, waitingSince: null, wrongAction: null };
}

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

/** `waitingSince` stays, so a reader of the log can check that the wait lasted until the limit. */
function timeOut(limit: keyof TaskLimits) {
  const end = timeOutTask(limit, 'enable_eth');
  return (draft: EnableEthContext, event: Told): void => {
    end(draft, event);
    draft.awaiting = null;
  };
}

/** Tickers of the task's tokens that are still active, each once. */
export function tokensHeld({ started, released }: EnableEthContext): readonly string[] {
  const asked = started?.params.erc20_tokens_requests.map(({ ticker }) => ticker) ?? [];
  return [...new Set(asked)].filter((ticker) => !released.includes(ticker));
}

const common = taskReducers<TaskStarted, EnableEthDetails, InProgressStatus>('enable_eth');

/** One total recipe per event. */
export const enableEthReducers: Reducers<EnableEthContext, EnableEthEvent> = {
  ...common,
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
  SessionLost(draft, event) {
    common.SessionLost(draft, event);
    stopAsking(draft);
  },
  CancelRequested(draft, event) {
    common.CancelRequested(draft, event);
    stopAsking(draft);
  },
  Cancelled(draft, event) {
    endTask(draft, event);
    draft.awaiting = null;
  },
  Completed(draft, event) {
    common.Completed(draft, event);
    draft.awaiting = null;
  },
  Failed(draft, event) {
    common.Failed(draft, event);
    draft.awaiting = null;
  },
};
