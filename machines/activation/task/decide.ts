import { defaultTaskLimits, type TaskLimits } from '../../../src/events/task-payloads.ts';
import type { Millis } from '../../../src/primitives/time.ts';
import type { InitCommand, StatusCommand, TaskCommand, UserActionCommand } from './commands.ts';
import { holdsCoin, type TaskPhase } from './status.ts';

type Method = TaskCommand<unknown, unknown>['method'];

/** Error object of a call (specification §7), without the members of the envelope around it. */
export type RpcError = {
  readonly error: string;
  readonly error_path: string;
  readonly error_trace: string;
  readonly error_type: 'NoSuchTask' | 'TaskFinished' | 'Internal' | 'PlatformIsAlreadyActivated';
  readonly error_data: string | number;
};

export type Refusal = { readonly http: number; readonly error: RpcError };

/** What the caller gets: a result, or an error with the HTTP status of the real node. */
export type TaskAnswer<T> =
  | { readonly ok: true; readonly result: { readonly task_id: number } | T | 'success' }
  | ({ readonly ok: false } & Refusal);

/**
 * The answer, the events to append before giving it, and what to hand to the worker: what it needs and a log must not
 * hold.
 */
export type TaskDecision<T, E, H> = {
  readonly answer: TaskAnswer<T>;
  readonly events: readonly E[];
  readonly handover: H | null;
};

export type TaskAt<C> = { readonly state: string; readonly context: C; readonly at: Millis };

/** Events that calls append in every family. */
export type CallEvent<S> =
  | { readonly type: 'TaskStarted'; readonly at: Millis; readonly data: S }
  | { readonly type: 'ResultForgotten' | 'Forgotten' | 'CancelRequested'; readonly at: Millis; readonly data: null };

/** Members that every family's start of a task has. */
export type StartedBy = {
  readonly task_id: number;
  readonly client_id: number;
  readonly limits: TaskLimits;
};

/** The types of a family of tasks. */
export type TaskTypes = {
  readonly context: unknown;
  readonly request: unknown;
  /** What `status` answers. */
  readonly result: unknown;
  /** What a task starts with, as recorded in the log. */
  readonly started: unknown;
  /** What it appends besides {@link CallEvent}. */
  readonly event: unknown;
  readonly handover: unknown;
  readonly action: unknown;
};

type Moment<F extends TaskTypes> = { readonly context: F['context']; readonly at: Millis };
type CommandOf<F extends TaskTypes> = TaskCommand<F['request'], F['action']>;
type DecisionOf<F extends TaskTypes> = TaskDecision<F['result'], F['event'] | CallEvent<F['started']>, F['handover']>;

export type TaskRules<F extends TaskTypes> = {
  /** Its name in error frames. */
  readonly family: string;
  readonly phaseOf: (state: string) => TaskPhase;
  readonly statusResult: (state: string, context: F['context']) => F['result'] | undefined;
  readonly started: (request: F['request'], by: StartedBy) => F['started'];
  readonly handover: (request: F['request']) => F['handover'];
  /** The event of a deadline that has passed, and where the task stands after it. */
  readonly late: (state: string, moment: Moment<F>) => Late<F> | undefined;
  /**
   * What an answer does to a task that awaits one; null if the task does not know what it awaits, as in a family that
   * never asks for input.
   */
  readonly answered: (
    action: F['action'],
    at: TaskAt<F['context']>,
  ) => Pick<DecisionOf<F>, 'events' | 'handover'> | null;
};

type Late<F extends TaskTypes> = {
  readonly event: F['event'];
  readonly state: string;
  readonly context: F['context'];
};

/**
 * Decides calls of `task::<family>::*` (specification §3.2, §4.6 to §4.9, §7) against a task's state. For the id of no
 * task, pass the machine's initial state. The state accepts every event that this function returns.
 *
 * A deadline that has passed comes first, whether or not a timer has fired yet, so all calls agree on whether the wait
 * is over.
 */
export function taskDecider<F extends TaskTypes>(rules: TaskRules<F>) {
  return (command: CommandOf<F>, at: TaskAt<F['context']>): DecisionOf<F> => {
    const late = rules.late(at.state, at);
    if (late === undefined) return decideCall(command, at, rules);
    const { event, state, context } = late;
    const { events, ...decision } = decideCall(command, { ...at, state, context }, rules);
    return { ...decision, events: [event, ...events] };
  };
}

function decideCall<F extends TaskTypes>(
  command: CommandOf<F>,
  at: TaskAt<F['context']>,
  rules: TaskRules<F>,
): DecisionOf<F> {
  switch (command.method) {
    case 'init':
      return decideInit(command, at, rules);
    case 'status':
      return decideStatus(command, at, rules);
    case 'user_action':
      return decideUserAction(command, at, rules);
    case 'cancel':
      return decideCancel(command.task_id, at, rules);
  }
}

function decideInit<F extends TaskTypes>(
  { task_id, request, client_id, platformActive, limits = defaultTaskLimits }: InitCommand<F['request']>,
  { state, at }: TaskAt<F['context']>,
  { family, started, handover }: TaskRules<F>,
): DecisionOf<F> {
  const call = { family, method: 'init' } as const;
  if (state !== 'created') return refuse(internal(call, `task id ${task_id} is in use`));
  const { ticker } = request as { readonly ticker: string };
  if (platformActive) {
    return refuse({ http: 400, error: rpcError('PlatformIsAlreadyActivated', ticker, { ...call, text: ticker }) });
  }
  return {
    answer: { ok: true, result: { task_id } },
    events: [{ type: 'TaskStarted', at, data: started(request, { task_id, client_id, limits }) }],
    handover: handover(request),
  };
}

function decideStatus<F extends TaskTypes>(
  { task_id, forget_if_finished }: StatusCommand,
  { state, context, at }: TaskAt<F['context']>,
  { family, statusResult, phaseOf }: TaskRules<F>,
): DecisionOf<F> {
  const result = statusResult(state, context);
  if (result === undefined) return refuse(noSuchTask(task_id, { family, method: 'status', http: 400 }));
  const forgets = forget_if_finished && phaseOf(state) === 'finished';
  // The coin outlives the result.
  const type = holdsCoin(state) ? 'ResultForgotten' : 'Forgotten';
  return { answer: { ok: true, result }, events: forgets ? [{ type, at, data: null }] : [], handover: null };
}

function decideUserAction<F extends TaskTypes>(
  { task_id, action }: UserActionCommand<F['action']>,
  at: TaskAt<F['context']>,
  { family, phaseOf, answered }: TaskRules<F>,
): DecisionOf<F> {
  const phase = phaseOf(at.state);
  const call = { family, method: 'user_action' } as const;
  if (phase === 'unknown') return refuse(noSuchTask(task_id, { ...call, http: 400 }));
  const done = phase === 'awaiting' ? answered(action, at) : null;
  if (done === null) return refuse(unexpectedStatus(call, { task_id, phase, expected: 'AwaitingUserAction' }));
  return { answer: { ok: true, result: 'success' }, ...done };
}

function decideCancel<F extends TaskTypes>(
  task_id: number,
  { state, at }: TaskAt<F['context']>,
  { family, phaseOf }: TaskRules<F>,
): DecisionOf<F> {
  const phase = phaseOf(state);
  const call = { family, method: 'cancel' } as const;
  switch (phase) {
    case 'unknown':
      return refuse(noSuchTask(task_id, { ...call, http: 404 }));
    case 'finished':
      return refuse({
        http: 409,
        error: rpcError('TaskFinished', task_id, { ...call, text: 'Task is finished already' }),
      });
    case 'cancelling':
      return refuse(unexpectedStatus(call, { task_id, phase, expected: 'InProgress' }));
    default:
      return {
        answer: { ok: true, result: 'success' },
        events: [{ type: 'CancelRequested', at, data: null }],
        handover: null,
      };
  }
}

function refuse<F extends TaskTypes>(refusal: Refusal): DecisionOf<F> {
  return { answer: { ok: false, ...refusal }, events: [], handover: null };
}

type Call = { readonly family: string; readonly method: Method };

function rpcError(
  error_type: RpcError['error_type'],
  error_data: string | number,
  { text, family, method }: Call & { readonly text: string },
): RpcError {
  return {
    error: text,
    error_path: `${family}.${method}`,
    error_trace: `${family}] ${method}]`,
    error_type,
    error_data,
  };
}

function noSuchTask(id: number, { http, ...call }: Call & { readonly http: number }): Refusal {
  return { http, error: rpcError('NoSuchTask', id, { ...call, text: `No such task '${id}'` }) };
}

function internal(call: Call, reason: string): Refusal {
  return { http: 500, error: rpcError('Internal', reason, { ...call, text: `Internal error: ${reason}` }) };
}

const phaseWord: Readonly<Record<TaskPhase, string>> = {
  unknown: 'Idle',
  inProgress: 'InProgress',
  awaiting: 'AwaitingUserAction',
  cancelling: 'Cancelled',
  finished: 'Finished',
};

type Unexpected = { readonly task_id: number; readonly phase: TaskPhase; readonly expected: string };

function unexpectedStatus(call: Call, { task_id, phase, expected }: Unexpected): Refusal {
  const reason = `RPC '${task_id}' task is in unexpected status. Actual: '${phaseWord[phase]}', expected: '${expected}'`;
  return internal(call, reason);
}
