import { produce } from 'immer';
import type { TaskLimits } from '../../../src/events/task-payloads.ts';
import type { Millis } from '../../../src/primitives/time.ts';
import type { Deadline } from '../../definition.ts';
import { limitOf, type TaskContext } from './context.ts';
import type { TaskPhase } from './status.ts';

/** A time on the host's clock at which a wait ends. The kind is the event to append then. */
export type TaskDeadline<K extends string> = Deadline & { readonly kind: K };

/** None if nothing waits, or nothing bounds the wait. */
export function deadlineOf<K extends string>(
  kind: K,
  { since, seconds }: { readonly since: Millis | null; readonly seconds: number | null },
): TaskDeadline<K>[] {
  return since === null || seconds === null ? [] : [{ kind, at: (since + seconds * 1000) as Millis, clock: 'host' }];
}

/** For the whole activation: none, unless the task was started with a limit. */
export function activationDeadline(
  phase: TaskPhase,
  context: Pick<TaskContext, 'started' | 'startedAt'>,
): TaskDeadline<'ActivationTimedOut'>[] {
  if (phase !== 'inProgress' && phase !== 'awaiting') return [];
  const limit: keyof TaskLimits = 'activation';
  return deadlineOf('ActivationTimedOut', { since: context.startedAt, seconds: limitOf(context, limit) });
}

/** Where a task stands at a moment of the host's clock. */
export type TaskMoment<C> = { readonly context: C; readonly at: Millis };

export type DeadlineEvent<K extends string> = { readonly type: K; readonly at: Millis; readonly data: null };

type Rules<C, K extends string> = {
  readonly deadlines: (state: string, context: C) => readonly TaskDeadline<K>[];
  readonly reducers: { readonly [T in K]: (draft: C, event: DeadlineEvent<T>) => void };
  /** Where the event of a deadline leads. */
  readonly stateAfter: { readonly [T in K]: string };
};

export type Lateness<C, K extends string> = {
  /** The event of the deadline that passed first by this time; undefined while none has passed. */
  readonly dueEvent: (state: string, moment: TaskMoment<C>) => EventOfKind<K> | undefined;
  /** Where the task stands after the event of a deadline. */
  readonly afterDeadline: (
    event: EventOfKind<K>,
    moment: TaskMoment<C>,
  ) => { readonly state: string; readonly context: C };
};

type EventOfKind<K extends string> = { [T in K]: DeadlineEvent<T> }[K];

/** A family's deadlines that pass by the clock alone. */
export function lateness<C extends object, K extends string>(rules: Rules<C, K>): Lateness<C, K> {
  return {
    dueEvent(state, { context, at }) {
      const passed = rules.deadlines(state, context).filter((deadline) => deadline.at <= at);
      const first = passed.sort((left, right) => left.at - right.at)[0];
      return first === undefined ? undefined : { type: first.kind, at, data: null };
    },
    afterDeadline(event, { context }) {
      const reduce = rules.reducers[event.type] as (draft: C, event: EventOfKind<K>) => void;
      const after = produce(context, (draft) => reduce(draft as C, event));
      return { state: rules.stateAfter[event.type], context: after };
    },
  };
}
