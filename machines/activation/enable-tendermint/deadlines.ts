import { activationDeadline, lateness, type TaskDeadline } from '../task/deadlines.ts';
import { type EnableTendermintContext, enableTendermintReducers } from './context.ts';
import { phaseOf } from './status.ts';

export type EnableTendermintDeadline = TaskDeadline<'ActivationTimedOut'>;

/**
 * Times on the host's clock at which a wait ends: none, unless the task was started with a limit for the whole
 * activation.
 */
export function enableTendermintDeadlines(
  state: string,
  context: EnableTendermintContext,
): readonly EnableTendermintDeadline[] {
  return activationDeadline(phaseOf(state), context);
}

export const { dueEvent, afterDeadline } = lateness<EnableTendermintContext, 'ActivationTimedOut'>({
  deadlines: enableTendermintDeadlines,
  reducers: enableTendermintReducers,
  stateAfter: { ActivationTimedOut: 'activationTimedOut' },
});
