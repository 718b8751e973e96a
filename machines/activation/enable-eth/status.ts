import type { EnableEthDetails } from '../../../src/events/enable-eth-result.ts';
import type { TaskError } from '../../../src/events/task-error.ts';
import type { AwaitingStatus, EnableEthContext, InProgressStatus } from './context.ts';
import type { EnableEthState } from './machine.ts';

/** What a client can tell about a task. A task that was cancelled or forgotten is unknown, as one that never was. */
export type TaskPhase = 'unknown' | 'inProgress' | 'awaiting' | 'cancelling' | 'finished';

const phases: Readonly<Record<EnableEthState, TaskPhase>> = {
  created: 'unknown',
  started: 'inProgress',
  activatingCoin: 'inProgress',
  requestingBalance: 'inProgress',
  finishing: 'inProgress',
  waitingForDevice: 'inProgress',
  followingDevice: 'inProgress',
  userActionProvided: 'inProgress',
  sessionLost: 'inProgress',
  wrongUserAction: 'inProgress',
  awaitingPin: 'awaiting',
  awaitingPassphrase: 'awaiting',
  cancelling: 'cancelling',
  completed: 'finished',
  reduced: 'finished',
  passive: 'finished',
  kept: 'unknown',
  keptReduced: 'unknown',
  keptPassive: 'unknown',
  released: 'finished',
  failed: 'finished',
  userActionTimedOut: 'finished',
  deviceConnectTimedOut: 'finished',
  activationTimedOut: 'finished',
  cancelled: 'unknown',
  forgotten: 'unknown',
};

/** The phase of a state of the chart; `unknown` for a name that is no state. */
export function phaseOf(state: string): TaskPhase {
  return Object.hasOwn(phases, state) ? phases[state as EnableEthState] : 'unknown';
}

/** Result of `task::enable_eth::status` (specification §4.7). An error lies one level deeper than in the real node. */
export type StatusResult =
  | { readonly status: 'InProgress'; readonly details: InProgressStatus }
  | { readonly status: 'UserActionRequired'; readonly details: AwaitingStatus }
  | { readonly status: 'Ok'; readonly details: EnableEthDetails }
  | { readonly status: 'Error'; readonly details: { readonly result: TaskError } };

/** What `task::enable_eth::status` answers; undefined where the task is unknown or being cancelled. */
export function statusResult(state: string, context: EnableEthContext): StatusResult | undefined {
  switch (phaseOf(state)) {
    case 'inProgress':
      return { status: 'InProgress', details: context.status ?? 'ActivatingCoin' };
    case 'awaiting':
      return { status: 'UserActionRequired', details: context.awaiting ?? 'EnterTrezorPin' };
    case 'finished':
      if (context.result !== null) return { status: 'Ok', details: context.result };
      return context.error === null ? undefined : { status: 'Error', details: { result: context.error } };
    default:
      return undefined;
  }
}
