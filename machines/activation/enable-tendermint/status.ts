import type { EnableTendermintDetails } from '../../../src/events/enable-tendermint.ts';
import type { WorkStatus } from '../task/context.ts';
import { type CommonStatus, commonPhases, commonStatus, phaseIn, type TaskPhase } from '../task/status.ts';
import type { EnableTendermintContext } from './context.ts';
import type { EnableTendermintState } from './machine.ts';

const phases: Readonly<Record<EnableTendermintState, TaskPhase>> = commonPhases;

/** The phase of a state of the chart; `unknown` for other names. */
export const phaseOf: (state: string) => TaskPhase = phaseIn(phases);

/** Result of `task::enable_tendermint::status`, in the form of the other tasks (specification §4.7). */
export type TendermintStatus = CommonStatus<EnableTendermintDetails, WorkStatus>;

/** What `task::enable_tendermint::status` answers; undefined if the task is unknown or being cancelled. */
export function statusResult(state: string, context: EnableTendermintContext): TendermintStatus | undefined {
  return commonStatus(phaseOf(state), context);
}
