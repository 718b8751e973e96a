import type { TaskError } from '../../../src/events/task-error.ts';
import type { StartedTask, TaskContext } from './context.ts';

/** What a client can know about a task. A cancelled or forgotten task is unknown, like one that never existed. */
export type TaskPhase = 'unknown' | 'inProgress' | 'awaiting' | 'cancelling' | 'finished';

/** For the states that every family has. */
export const commonPhases = {
  created: 'unknown',
  started: 'inProgress',
  activatingCoin: 'inProgress',
  requestingBalance: 'inProgress',
  finishing: 'inProgress',
  sessionLost: 'inProgress',
  cancelling: 'cancelling',
  completed: 'finished',
  reduced: 'finished',
  passive: 'finished',
  kept: 'unknown',
  keptReduced: 'unknown',
  keptPassive: 'unknown',
  released: 'finished',
  failed: 'finished',
  activationTimedOut: 'finished',
  cancelled: 'unknown',
  forgotten: 'unknown',
} as const satisfies Readonly<Record<string, TaskPhase>>;

/** The phase of a state of a chart; `unknown` for other names. */
export function phaseIn(phases: Readonly<Record<string, TaskPhase>>) {
  return (state: string): TaskPhase => (Object.hasOwn(phases, state) ? (phases[state] as TaskPhase) : 'unknown');
}

/**
 * What `status` answers for a working or finished task (specification §4.7). An error is nested one level deeper than
 * in the real node.
 */
export type CommonStatus<D, W extends string> =
  | { readonly status: 'InProgress'; readonly details: W }
  | { readonly status: 'Ok'; readonly details: D }
  | { readonly status: 'Error'; readonly details: { readonly result: TaskError } };

/** Undefined if the task is unknown or being cancelled. */
export function commonStatus<D, W extends string>(
  phase: TaskPhase,
  context: Pick<TaskContext<StartedTask, D, W>, 'status' | 'result' | 'error'>,
): CommonStatus<D, W | 'ActivatingCoin'> | undefined {
  const { status, result, error } = context;
  if (phase === 'inProgress') return { status: 'InProgress', details: status ?? 'ActivatingCoin' };
  if (phase !== 'finished') return undefined;
  if (result !== null) return { status: 'Ok', details: result };
  return error === null ? undefined : { status: 'Error', details: { result: error } };
}

const IN_USE: ReadonlySet<string> = new Set<keyof typeof commonPhases>([
  'completed',
  'reduced',
  'passive',
  'kept',
  'keptReduced',
  'keptPassive',
]);

/**
 * Whether the task's coin, or one of its tokens, is in use: it was activated, and neither all of it nor its process has
 * been lost since. Reading the result changes nothing.
 */
export function holdsCoin(state: string): boolean {
  return IN_USE.has(state);
}

/**
 * What the current worker process lacks of the request: the log does not hold it, and the process that had it has
 * ended.
 */
export function withheldIn({ restarts, started }: Pick<TaskContext, 'restarts' | 'started'>): readonly string[] {
  return restarts === 0 ? [] : (started?.withheld ?? []);
}
