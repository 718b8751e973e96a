import type { Want } from '../../definition.ts';
import { withheldIn } from '../task/status.ts';
import { type TaskEffect, taskWants } from '../task/wants.ts';
import type { EnableTendermintContext } from './context.ts';
import { phaseOf } from './status.ts';

/** Effects of an activation task. An effect that is no longer wanted is given up, with all that it holds. */
export type EnableTendermintEffect = TaskEffect | 'forgetOutcome';

const common = taskWants('enable_tendermint', phaseOf);

/** What the task wants done, by state alone. An outcome for which one call had waited is read by nobody once the process of that call is gone. */
export function enableTendermintWants(state: string, context: EnableTendermintContext): readonly Want[] {
  const { started, restarts, error } = context;
  if (started?.answered_at_once !== true || restarts === 0) return common(state, context);
  // A coin that was in use, and that only a new request brings back, is told of until then.
  const isLost = context.resumes && withheldIn(context).length > 0;
  const forgets = phaseOf(state) === 'finished' && error !== null && !isLost;
  if (!forgets) return common(state, context);
  const effect: EnableTendermintEffect = 'forgetOutcome';
  return [{ effect, params: { task_id: started.task_id, restarts } }];
}
