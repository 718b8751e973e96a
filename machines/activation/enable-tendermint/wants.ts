import type { Want } from '../../definition.ts';
import { withheldIn } from '../task/status.ts';
import { type TaskEffect, taskWants } from '../task/wants.ts';
import type { EnableTendermintContext } from './context.ts';
import { phaseOf } from './status.ts';

/**
 * Effects of an activation task. The host abandons an effect that is no longer wanted, with everything that it holds.
 */
export type EnableTendermintEffect = TaskEffect | 'forgetOutcome';

const common = taskWants('enable_tendermint', phaseOf);

/**
 * What the task wants done, from its state only. If one call waited for an outcome, nobody reads the outcome after that
 * call's process has ended.
 */
export function enableTendermintWants(state: string, context: EnableTendermintContext): readonly Want[] {
  const { started, restarts, error } = context;
  if (started?.answered_at_once !== true || restarts === 0) return common(state, context);
  // Reports a coin that was in use until a new request activates it again.
  const isLost = context.resumes && withheldIn(context).length > 0;
  const forgets = phaseOf(state) === 'finished' && error !== null && !isLost;
  if (!forgets) return common(state, context);
  const effect: EnableTendermintEffect = 'forgetOutcome';
  return [{ effect, params: { task_id: started.task_id, restarts } }];
}
