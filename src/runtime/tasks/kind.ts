import type { MachineEvent, Want } from '../../../machines/definition.ts';
import type { StreamLabels } from '../../ports/event-log.ts';
import type { Millis } from '../../primitives/time.ts';
import type { CompiledMachine } from '../../replay/compile.ts';

export type TaskPosition<C> = { readonly state: string; readonly context: C };

/** How the streams of one machine are hosted as tasks. */
export type TaskKind<C, E extends MachineEvent> = {
  readonly machine: CompiledMachine<C, E>;
  /** An event of the log. @throws SwapfoldError for one that cannot be read */
  readonly read: (stored: { readonly type: string; readonly at: number; readonly data: unknown }, seq: number) => E;
  /** The event of the first deadline that has passed. */
  readonly due: (position: TaskPosition<C>, at: Millis) => E | undefined;
  /** The record for a task whose process was lost. It is left out if the state does not accept it. */
  readonly lost: (at: Millis) => E;
  readonly labels: (position: TaskPosition<C>) => StreamLabels;
};

/** Work on one want of a task. */
export type TaskRun<E extends MachineEvent> = {
  readonly stream: string;
  readonly want: Want;
  /** Aborted once the task no longer wants it. The worker then releases everything that it holds, and settles. */
  readonly signal: AbortSignal;
  /** Settles once all other work on the task has settled. */
  readonly others: () => Promise<void>;
  /**
   * Makes an event of the work durable, however long the log refuses, and applies it; `applied` runs in the same moment. False if the task no longer
   * wants the work: then nothing was written. The event is made for the moment, and for the state that the task has then.
   *
   * @throws ReportRefused if the state cannot accept the event, ReportUnwritten if no log ever would
   */
  readonly report: (event: (at: Millis, state: string) => E, applied?: () => void) => Promise<boolean>;
};

/**
 * Performs what tasks want. A rejected promise is a bug or an error of the log: the want is tried again after a pause. A fulfilled one leaves its
 * want alone, if it is still wanted then.
 */
export type TaskWorker<C, E extends MachineEvent> = (run: TaskRun<E>, position: TaskPosition<C>) => Promise<void>;

/** What a call learns about its task. `undefined` for a stream that does not exist. */
export type TaskDecision<E extends MachineEvent, R> = {
  readonly events: readonly E[];
  readonly answer: R;
  /** Runs once the events are durable and applied, before anything else happens to the task. */
  readonly applied?: () => void;
};
