import type { TaskCommand } from '../../../machines/activation/task/commands.ts';
import type { StartedTask, TaskContext } from '../../../machines/activation/task/context.ts';
import type { TaskAt, TaskDecision } from '../../../machines/activation/task/decide.ts';
import type { TaskPhase } from '../../../machines/activation/task/status.ts';
import type { MachineDefinition, MachineEvent } from '../../../machines/definition.ts';
import { finalStates } from '../../../machines/graph.ts';
import type { TaskError } from '../../events/task-error.ts';
import type { Millis } from '../../primitives/time.ts';
import { compile } from '../../replay/compile.ts';
import type { TaskKind, TaskPosition } from '../../runtime/tasks/kind.ts';

/** What the worker and the owner of coins append, in every family. */
export type WorkEvent<D> =
  | {
      readonly type:
        | 'ActivatingCoin'
        | 'RequestingWalletBalance'
        | 'Finishing'
        | 'SessionLost'
        | 'Cancelled'
        | 'CoinReleased'
        | 'CoinPassivated'
        | 'KeptCoinPassivated'
        | 'Forgotten';
      readonly at: Millis;
      readonly data: null;
    }
  | {
      readonly type: 'TokenReleased' | 'KeptTokenReleased';
      readonly at: Millis;
      readonly data: { readonly ticker: string };
    }
  | { readonly type: 'Completed'; readonly at: Millis; readonly data: { readonly details: D } }
  | { readonly type: 'Failed'; readonly at: Millis; readonly data: TaskError };

/** The types of a family of activation tasks. */
export type FamilyTypes = {
  readonly context: TaskContext<StartedTask>;
  readonly event: MachineEvent;
  /** What `init` is called with. */
  readonly request: { readonly ticker: string };
  readonly action: unknown;
  /** What `status` answers. */
  readonly result: unknown;
  readonly details: unknown;
  readonly handover: unknown;
  /** What a process holds of a task beside its log. */
  readonly session: object;
};

export type TaskFamily<F extends FamilyTypes> = {
  /** As frames of errors name it. */
  readonly name: string;
  readonly kind: TaskKind<F['context'], F['event']>;
  /** The same event, as one of the family's. */
  readonly event: (event: WorkEvent<F['details']>) => F['event'];
  readonly phaseOf: (state: string) => TaskPhase;
  readonly decide: (
    command: TaskCommand<F['request'], F['action']>,
    at: TaskAt<F['context']>,
  ) => TaskDecision<F['result'], F['event'], F['handover']>;
  /** Tickers of the task's tokens that were not taken out, each once. */
  readonly tokensHeld: (context: F['context']) => readonly string[];
  /** The same text for the same request, its secrets included: it is held for the comparison alone. */
  readonly keyOf: (request: F['request']) => string;
  /** The same of what a task was begun with, as far as the process knows it; null where the log lacks something of it, and for a task that no one else may have. */
  readonly keyOfTask: (context: F['context'], session: F['session'] | undefined) => string | null;
  /** By which call a client begins such a task anew. */
  readonly callOf: (context: F['context']) => string;
  readonly newSession: () => F['session'];
  readonly handOver: (session: F['session'], handover: F['handover']) => void;
};

type Hosted<C, E extends MachineEvent> = {
  readonly definition: MachineDefinition<C, E>;
  readonly read: TaskKind<C, E>['read'];
  readonly dueEvent: (state: string, moment: { readonly context: C; readonly at: Millis }) => E | undefined;
  readonly lost: TaskKind<C, E>['lost'];
};

/** How the tasks of a machine are hosted. */
export function taskKind<C, E extends MachineEvent>({
  definition,
  read,
  dueEvent,
  lost,
}: Hosted<C, E>): TaskKind<C, E> {
  const over: ReadonlySet<string> = new Set(finalStates(definition.graph));
  return {
    ...{ machine: compile(definition), read, lost },
    due: ({ state, context }: TaskPosition<C>, at: Millis) => dueEvent(state, { context, at }),
    labels: ({ state }) => ({ state, finished: over.has(state) }),
  };
}

type OfMachine = { readonly machine: { readonly definition: { readonly id: string } } };

export function taskStream({ machine }: OfMachine, id: number): string {
  return `${machine.definition.id}/${id}`;
}

/** The id of a task, by its stream. */
export function taskIdOf(stream: string): number {
  return Number(stream.slice(stream.indexOf('/') + 1));
}
