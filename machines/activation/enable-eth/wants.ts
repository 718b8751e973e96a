import type { Millis } from '../../../src/primitives/time.ts';
import type { Want } from '../../definition.ts';
import type { EnableEthContext } from './context.ts';
import { enableEthDeadlines } from './deadlines.ts';
import { requestWithheld, wrongUserAction } from './errors.ts';
import type { EnableEthState } from './machine.ts';
import { phaseOf } from './status.ts';

/** Effects of an activation task. An effect that is no longer wanted is given up, with all that it holds. */
export type EnableEthEffect =
  | 'activateCoin'
  | 'registerCoins'
  | 'reportWrongUserAction'
  | 'reportWithheldRequest'
  | 'abortActivation';

/**
 * What the task wants done, by state alone, so that a process that starts again knows it from the log.
 *
 * Everything from the first step to the last is one want, which stays the same while the device asks and the user answers: it holds the device's
 * session, which a prompt must not end. A process that was lost makes it another want, since its session is gone. A task that succeeded wants its
 * coins registered until they are taken out, in the process that activated them and in each one after it.
 */
export function enableEthWants(state: string, context: EnableEthContext): readonly Want[] {
  if (state === 'wrongUserAction') return [report('reportWrongUserAction', wrongAnswer(context), context)];
  if (holdsCoin(state)) return [{ effect: 'registerCoins', params: workOf(context) }];
  switch (phaseOf(state)) {
    case 'inProgress':
    case 'awaiting': {
      const lacks = withheldIn(context);
      if (lacks.length === 0) return [activation(context)];
      return [report('reportWithheldRequest', requestWithheld(lacks), context)];
    }
    case 'cancelling':
      return [{ effect: 'abortActivation', params: workOf(context) }];
    default:
      return [];
  }
}

const IN_USE: ReadonlySet<string> = new Set<EnableEthState>([
  'completed',
  'reduced',
  'passive',
  'kept',
  'keptReduced',
  'keptPassive',
]);

/**
 * Whether the task's coin, or a token of it, is in use: it was activated, and neither all of it nor its process was lost since. Whether its result was
 * read changes nothing.
 */
export function holdsCoin(state: string): boolean {
  return IN_USE.has(state);
}

/** What the process that works on the task now lacks of its request: the log holds none of it, and who had it is gone. */
export function withheldIn({ restarts, started }: EnableEthContext): readonly string[] {
  return restarts === 0 ? [] : (started?.withheld ?? []);
}

function activation(context: EnableEthContext): Want {
  const end = enableEthDeadlines('started', context).find(({ kind }) => kind === 'ActivationTimedOut')?.at;
  const effect: EnableEthEffect = 'activateCoin';
  return { effect, ...(end === undefined ? {} : { until: end as Millis }), params: workOf(context) };
}

type Reported = { readonly error: string; readonly error_type: string };

/** The worker appends `Failed` with this error. */
function report(effect: EnableEthEffect, { error, error_type }: Reported, context: EnableEthContext): Want {
  return { effect, params: { ...workOf(context), error_type, error } };
}

function wrongAnswer({ wrongAction }: EnableEthContext): Reported {
  return wrongUserAction(wrongAction?.expected ?? 'TrezorPin');
}

function workOf({ started, restarts }: EnableEthContext) {
  return { task_id: started?.task_id ?? null, ticker: started?.params.ticker ?? null, restarts };
}
