import type { Want } from '../../definition.ts';
import type { StartedTask, TaskContext } from './context.ts';
import { activationDeadline } from './deadlines.ts';
import { requestWithheld } from './errors.ts';
import { holdsCoin, type TaskPhase, withheldIn } from './status.ts';

/**
 * Effects of an activation task of any family. The host abandons an effect that is no longer wanted, with everything
 * that it holds.
 */
export type TaskEffect = 'activateCoin' | 'registerCoins' | 'reportWithheldRequest' | 'abortActivation';

type Known = Pick<TaskContext<StartedTask>, 'started' | 'startedAt' | 'restarts'>;

/**
 * What a task wants done, from its state only, so a restarted process knows it from the log.
 *
 * Everything from the first step to the last is one want. It stays the same during a request for input and its answer,
 * because it holds what the work holds. The loss of a process makes it another want, because the session is lost. A
 * successful task wants its coins registered until they are disabled, in the process that activated them and in every
 * later one.
 *
 * @param family of the task, as error frames name it
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
