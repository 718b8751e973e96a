import { defaultTaskLimits, type EnableEthEvent, type UserActionType } from '../../../src/events/enable-eth.ts';
import { type EnableEthRequest, loggedRequest, withheldFrom } from '../../../src/events/enable-eth-request.ts';
import { Secret } from '../../../src/primitives/secret.ts';
import type { Millis } from '../../../src/primitives/time.ts';
import type { CancelCommand, EnableEthCommand, InitCommand, StatusCommand, UserActionCommand } from './commands.ts';
import { actionTypeFor, type EnableEthContext } from './context.ts';
import { afterDeadline, dueEvent } from './deadlines.ts';
import { phaseOf, type StatusResult, statusResult, type TaskPhase } from './status.ts';
import { holdsCoin } from './wants.ts';

/** Error object of a call (specification §7), without the members of the envelope around it. */
export type RpcError = {
  readonly error: string;
  readonly error_path: string;
  readonly error_trace: string;
  readonly error_type: 'NoSuchTask' | 'TaskFinished' | 'Internal' | 'PlatformIsAlreadyActivated';
  readonly error_data: string | number;
};

export type EnableEthResult = { readonly task_id: number } | StatusResult | 'success';

/** What the caller is told: a result, or an error with the HTTP status of the real node. */
export type Answer =
  | { readonly ok: true; readonly result: EnableEthResult }
  | { readonly ok: false; readonly http: number; readonly error: RpcError };

/** What a worker needs and a log must not hold. It goes from hand to hand, and is gone when the process ends. */
export type Handover =
  | { readonly kind: 'request'; readonly request: Secret<EnableEthRequest> }
  | { readonly kind: 'userAction'; readonly action_type: UserActionType; readonly value: Secret<string> };

/** The answer, the events to append before it is given, and what to hand to the worker. */
export type Decision = {
  readonly answer: Answer;
  readonly events: readonly EnableEthEvent[];
  readonly handover: Handover | null;
};

export type DecideOptions = { readonly state: string; readonly context: EnableEthContext; readonly at: Millis };

/**
 * Decides a call of `task::enable_eth::*` (specification §3.2, §4.6 to §4.9, §7) against the task's state. An id of no
 * task is the machine's initial state. Every event that it returns is one that the state takes.
 *
 * A deadline that has passed comes first, whether or not a timer has rung yet, so that all calls agree on whether the wait is over.
 */
export function decide(command: EnableEthCommand, options: DecideOptions): Decision {
  const late = dueEvent(options.state, options);
  if (late === undefined) return decideCall(command, options);
  const { state, context } = afterDeadline(late, options);
  const { events, ...decision } = decideCall(command, { ...options, state, context });
  return { ...decision, events: [late, ...events] };
}

function decideCall(command: EnableEthCommand, options: DecideOptions): Decision {
  switch (command.method) {
    case 'init':
      return decideInit(command, options);
    case 'status':
      return decideStatus(command, options);
    case 'user_action':
      return decideUserAction(command, options);
    case 'cancel':
      return decideCancel(command, options);
  }
}

function decideInit(command: InitCommand, { state, at }: DecideOptions): Decision {
  const { task_id, request, client_id, limits = defaultTaskLimits } = command;
  if (state !== 'created') return refuse(internal('init', { reason: `task id ${task_id} is in use` }));
  if (command.platformActive) {
    const error = rpcError('PlatformIsAlreadyActivated', request.ticker, { text: request.ticker, method: 'init' });
    return refuse({ http: 400, error });
  }
  const started = { task_id, client_id, params: loggedRequest(request), withheld: withheldFrom(request), limits };
  return {
    answer: { ok: true, result: { task_id } },
    events: [{ type: 'TaskStarted', at, data: started }],
    handover: { kind: 'request', request: new Secret(request) },
  };
}

function decideStatus({ task_id, forget_if_finished }: StatusCommand, { state, context, at }: DecideOptions): Decision {
  const result = statusResult(state, context);
  if (result === undefined) return refuse(noSuchTask(task_id, { method: 'status', http: 400 }));
  const forgets = forget_if_finished && phaseOf(state) === 'finished';
  // The coin outlives the result.
  const type = holdsCoin(state) ? 'ResultForgotten' : 'Forgotten';
  return {
    answer: { ok: true, result },
    events: forgets ? [{ type, at, data: null }] : [],
    handover: null,
  };
}

function decideUserAction({ task_id, action }: UserActionCommand, { state, context, at }: DecideOptions): Decision {
  const phase = phaseOf(state);
  if (phase === 'unknown') return refuse(noSuchTask(task_id, { method: 'user_action', http: 400 }));
  if (phase !== 'awaiting' || context.awaiting === null) {
    return refuse(unexpectedStatus('user_action', { task_id, phase, expected: 'AwaitingUserAction' }));
  }
  const { action_type, value } = action;
  const fits = action_type === actionTypeFor(context.awaiting);
  return {
    answer: { ok: true, result: 'success' },
    events: [{ type: fits ? 'UserActionProvided' : 'WrongUserActionProvided', at, data: { action_type } }],
    handover: fits ? { kind: 'userAction', action_type, value } : null,
  };
}

function decideCancel({ task_id }: CancelCommand, { state, at }: DecideOptions): Decision {
  const phase = phaseOf(state);
  switch (phase) {
    case 'unknown':
      return refuse(noSuchTask(task_id, { method: 'cancel', http: 404 }));
    case 'finished': {
      const error = rpcError('TaskFinished', task_id, { text: 'Task is finished already', method: 'cancel' });
      return refuse({ http: 409, error });
    }
    case 'cancelling':
      return refuse(unexpectedStatus('cancel', { task_id, phase, expected: 'InProgress' }));
    default:
      return {
        answer: { ok: true, result: 'success' },
        events: [{ type: 'CancelRequested', at, data: null }],
        handover: null,
      };
  }
}

type Refusal = { readonly http: number; readonly error: RpcError };

function refuse(refusal: Refusal): Decision {
  return { answer: { ok: false, ...refusal }, events: [], handover: null };
}

function rpcError(
  error_type: RpcError['error_type'],
  error_data: string | number,
  { text, method }: { readonly text: string; readonly method: EnableEthCommand['method'] },
): RpcError {
  return {
    error: text,
    error_path: `enable_eth.${method}`,
    error_trace: `enable_eth] ${method}]`,
    error_type,
    error_data,
  };
}

function noSuchTask(id: number, { method, http }: { method: EnableEthCommand['method']; http: number }): Refusal {
  return { http, error: rpcError('NoSuchTask', id, { text: `No such task '${id}'`, method }) };
}

function internal(method: EnableEthCommand['method'], { reason }: { readonly reason: string }): Refusal {
  return { http: 500, error: rpcError('Internal', reason, { text: `Internal error: ${reason}`, method }) };
}

const phaseWord: Readonly<Record<TaskPhase, string>> = {
  unknown: 'Idle',
  inProgress: 'InProgress',
  awaiting: 'AwaitingUserAction',
  cancelling: 'Cancelled',
  finished: 'Finished',
};

function unexpectedStatus(
  method: EnableEthCommand['method'],
  { task_id, phase, expected }: { readonly task_id: number; readonly phase: TaskPhase; readonly expected: string },
): Refusal {
  const reason = `RPC '${task_id}' task is in unexpected status. Actual: '${phaseWord[phase]}', expected: '${expected}'`;
  return internal(method, { reason });
}
