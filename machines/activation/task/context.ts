import type { TaskError } from '../../../src/events/task-error.ts';
import { defaultTaskLimits, type TaskLimits } from '../../../src/events/task-payloads.ts';
import type { Millis, Seconds } from '../../../src/primitives/time.ts';
import { taskTimedOut } from './errors.ts';

/** What a task of any family starts with. */
export type StartedTask = {
  readonly task_id: number;
  readonly client_id: number;
  readonly params: { readonly ticker: string };
  readonly withheld: readonly string[];
  readonly limits: TaskLimits;
};

/** Status strings of a working task (specification §3.2) of any family. */
export type WorkStatus = 'ActivatingCoin' | 'RequestingWalletBalance' | 'Finishing';

/** Everything that the log of a task of any family says. Absent facts are null. */
export type TaskContext<S extends StartedTask = StartedTask, D = unknown, W extends string = string> = {
  started: S | null;
  startedAt: Millis | null;
  /** Whether its coin was in use when a process ended: its users wait until it is active again. */
  resumes: boolean;
  /** Whether its coin was disabled while its tokens stayed in use: then only the tokens are activated again. */
  passive: boolean;
  /** Tickers of tokens that were disabled while others or the coin stayed active, each once. */
  released: string[];
  /** How often the process that worked on the task ended, from 0. */
  restarts: number;
  /** The status in progress. */
  status: W | null;
  cancelRequestedAt: Millis | null;
  result: D | null;
  error: TaskError | null;
  /** When the task succeeded, failed or was cancelled. */
  endedAt: Millis | null;
  forgottenAt: Millis | null;
  lastEventAt: Millis | null;
};

/** Where every task starts. */
export const freshTask = {
  started: null,
  startedAt: null,
  resumes: false,
  passive: false,
  restarts: 0,
  status: null,
  cancelRequestedAt: null,
  result: null,
  error: null,
  endedAt: null,
  forgottenAt: null,
  lastEventAt: null,
} as const;

export type Told = { readonly type: string; readonly at: Millis };

/** The members that family-independent recipes change. */
type Ending = Pick<TaskContext, 'lastEventAt' | 'endedAt'>;

export function endTask(draft: Ending, { at }: Told): void {
  draft.lastEventAt = at;
  draft.endedAt = at;
}

/** The limit that the task was started with, in seconds; null if there is none. */
export function limitOf({ started }: Pick<TaskContext, 'started'>, limit: keyof TaskLimits): Seconds | null {
  return (started?.limits ?? defaultTaskLimits)[limit];
}

/** The task ended in the error of a wait that exceeded the limit. */
export function timeOutTask(limit: keyof TaskLimits, family: string) {
  return (draft: Ending & Pick<TaskContext, 'error' | 'started'>, event: Told): void => {
    endTask(draft, event);
    draft.error = taskTimedOut(limitOf(draft, limit) ?? 0, family);
  };
}

type TokenTold = Told & { readonly data: { readonly ticker: string } };

function releaseToken(draft: Pick<TaskContext, 'lastEventAt' | 'released'>, { at, data }: TokenTold): void {
  draft.lastEventAt = at;
  if (!draft.released.includes(data.ticker)) draft.released.push(data.ticker);
}

function passivate(draft: Pick<TaskContext, 'lastEventAt' | 'passive'>, { at }: Told): void {
  draft.lastEventAt = at;
  draft.passive = true;
}

function forget(draft: Pick<TaskContext, 'lastEventAt' | 'forgottenAt'>, { at }: Told): void {
  draft.lastEventAt = at;
  draft.forgottenAt = at;
}

/**
 * One total recipe for each event that all families share.
 *
 * @param family as error frames name it
 */
export function taskReducers<S extends StartedTask, D, W extends string>(family: string) {
  type Draft = TaskContext<S, D, W | WorkStatus>;
  const work = (draft: Draft, { type, at }: Told & { readonly type: WorkStatus }): void => {
    draft.lastEventAt = at;
    draft.status = type;
  };
  return {
    TaskStarted(draft: Draft, { at, data }: Told & { readonly data: S }): void {
      draft.lastEventAt = at;
      draft.started = data;
      draft.startedAt = at;
      draft.status = 'ActivatingCoin';
    },
    ActivatingCoin: work,
    RequestingWalletBalance: work,
    Finishing: work,
    ActivationTimedOut: timeOutTask('activation', family),
    SessionLost(draft: Draft, { at }: Told): void {
      draft.lastEventAt = at;
      draft.restarts += 1;
      draft.resumes ||= draft.result !== null;
      draft.status = 'ActivatingCoin';
      // What a process activated is active only in that process; the task can say how to activate it again.
      draft.result = null;
      draft.endedAt = null;
      draft.forgottenAt = null;
    },
    CancelRequested(draft: Draft, { at }: Told): void {
      draft.lastEventAt = at;
      draft.cancelRequestedAt = at;
    },
    Cancelled: endTask,
    Completed(draft: Draft, event: Told & { readonly data: { readonly details: D } }): void {
      endTask(draft, event);
      draft.result = event.data.details;
    },
    CoinReleased(draft: Pick<Draft, 'lastEventAt'>, { at }: Told): void {
      draft.lastEventAt = at;
    },
    TokenReleased: releaseToken,
    KeptTokenReleased: releaseToken,
    CoinPassivated: passivate,
    KeptCoinPassivated: passivate,
    Failed(draft: Ending & Pick<Draft, 'error'>, event: Told & { readonly data: TaskError }): void {
      endTask(draft, event);
      draft.error = event.data;
    },
    ResultForgotten: forget,
    Forgotten: forget,
  };
}
