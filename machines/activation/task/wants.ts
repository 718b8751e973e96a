import type { Want } from '../../definition.ts';
import type { StartedTask, TaskContext } from './context.ts';
import { activationDeadline } from './deadlines.ts';
import { requestWithheld } from './errors.ts';
import { holdsCoin, type TaskPhase, withheldIn } from './status.ts';

/** Effects of an activation task of any family. An effect that is no longer wanted is given up, with all that it holds. */
export type TaskEffect = 'activateCoin' | 'registerCoins' | 'reportWithheldRequest' | 'abortActivation';

type Known = Pick<TaskContext<StartedTask>, 'started' | 'startedAt' | 'restarts'>;

/**
 * What a task wants done, by state alone, so that a process that starts again knows it from the log.
 *
 * Everything from the first step to the last is one want, which stays the same while somebody is asked and answers: it holds what the work holds. A
 * process that was lost makes it another want, since its session is gone. A task that succeeded wants its coins registered until they are taken out, in
 * the process that activated them and in each one after it.
 *
 * @param family of the task, as frames of errors name it
 */
export function taskWants(family: string, phaseOf: (state: string) => TaskPhase) {
  return (state: string, context: Known): readonly Want[] => {
    if (holdsCoin(state)) return [{ effect: 'registerCoins' satisfies TaskEffect, params: workOf(context) }];
    const phase = phaseOf(state);
    if (phase === 'cancelling') return [{ effect: 'abortActivation' satisfies TaskEffect, params: workOf(context) }];
    if (phase !== 'inProgress' && phase !== 'awaiting') return [];
    const lacks = withheldIn(context);
    if (lacks.length > 0) return [reportWant('reportWithheldRequest', requestWithheld(lacks, family), context)];
    const [until] = activationDeadline('inProgress', context);
    const effect: TaskEffect = 'activateCoin';
    return [{ effect, ...(until === undefined ? {} : { until: until.at }), params: workOf(context) }];
  };
}

type Reported = { readonly error: string; readonly error_type: string };

/** The worker appends `Failed` with this error. */
export function reportWant(effect: string, { error, error_type }: Reported, context: Known): Want {
  return { effect, params: { ...workOf(context), error_type, error } };
}

function workOf({ started, restarts }: Known) {
  return { task_id: started?.task_id ?? null, ticker: started?.params.ticker ?? null, restarts };
}
