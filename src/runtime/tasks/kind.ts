import type { MachineEvent, Want } from '../../../machines/definition.ts';
import type { StreamLabels } from '../../ports/event-log.ts';
import type { Millis } from '../../primitives/time.ts';
import type { CompiledMachine } from '../../replay/compile.ts';

/** Where a task stands. */
export type TaskPosition<C> = { readonly state: string; readonly context: C };

/** How the streams of one machine are hosted as tasks. */
export type TaskKind<C, E extends MachineEvent> = {
  readonly machine: CompiledMachine<C, E>;
  /** An event of the log. @throws SwapfoldError for one that cannot be read */
  readonly read: (stored: { readonly type: string; readonly at: number; readonly data: unknown }, seq: number) => E;
  /** The event of the first deadline that has passed. */
  readonly due: (position: TaskPosition<C>, at: Millis) => E | undefined;
  /** What the log is told of a task whose process was lost. It is left out where the state does not take it. */
  readonly lost: (at: Millis) => E;
  readonly labels: (position: TaskPosition<C>) => StreamLabels;
};

/** Work on one want of a task. */
export type TaskRun<E extends MachineEvent> = {
  readonly stream: string;
  readonly want: Want;
  /** Aborted once the task wants it no more. Whoever performs it then lets go of all it holds, and settles. */
  readonly signal: AbortSignal;
  /** Settles once all other work on the task has settled. */
  readonly others: () => Promise<void>;
  /**
   * Makes an event of the work durable, however long the log takes nothing, and applies it; `applied` runs in the same moment. False where the task wants the
   * work no more: then nothing of it was written.
   *
   * @throws ReportRefused where the state cannot take the event, ReportUnwritten where no log ever would
   */
  readonly report: (event: (at: Millis) => E, applied?: () => void) => Promise<boolean>;
};

/**
 * Performs what tasks want. A promise that is rejected is a mistake or an error of the log: the want is tried again after a pause. One that settles
 * leaves its want to be, if it is still wanted then.
 */
export type TaskWorker<C, E extends MachineEvent> = (run: TaskRun<E>, position: TaskPosition<C>) => Promise<void>;

/** What a call of a task is told about it. `undefined` for a stream that does not exist. */
export type TaskDecision<E extends MachineEvent, R> = {
  readonly events: readonly E[];
  readonly answer: R;
  /** Runs once the events are durable and applied, before anything else happens to the task. */
  readonly applied?: () => void;
};
