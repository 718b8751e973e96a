import type { EnableEthDetails } from '../../../src/events/enable-eth-result.ts';
import { type CommonStatus, commonPhases, commonStatus, phaseIn, type TaskPhase } from '../task/status.ts';
import type { AwaitingStatus, EnableEthContext, InProgressStatus } from './context.ts';
import type { EnableEthState } from './machine.ts';

const phases: Readonly<Record<EnableEthState, TaskPhase>> = {
  ...commonPhases,
  waitingForDevice: 'inProgress',
  followingDevice: 'inProgress',
  userActionProvided: 'inProgress',
  wrongUserAction: 'inProgress',
  awaitingPin: 'awaiting',
  awaitingPassphrase: 'awaiting',
  userActionTimedOut: 'finished',
  deviceConnectTimedOut: 'finished',
};

/** The phase of a state of the chart; `unknown` for other names. */
export const phaseOf: (state: string) => TaskPhase = phaseIn(phases);

/** Result of `task::enable_eth::status` (specification §4.7). */
export type StatusResult =
  | CommonStatus<EnableEthDetails, InProgressStatus>
  | { readonly status: 'UserActionRequired'; readonly details: AwaitingStatus };

/** What `task::enable_eth::status` answers; undefined if the task is unknown or being cancelled. */
export function statusResult(state: string, context: EnableEthContext): StatusResult | undefined {
  const phase = phaseOf(state);
  if (phase === 'awaiting') return { status: 'UserActionRequired', details: context.awaiting ?? 'EnterTrezorPin' };
  return commonStatus(phase, context);
}
