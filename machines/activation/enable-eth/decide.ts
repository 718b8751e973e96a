import type { EnableEthEvent, TaskStarted, UserActionType } from '../../../src/events/enable-eth.ts';
import { type EnableEthRequest, loggedRequest, withheldFrom } from '../../../src/events/enable-eth-request.ts';
import { Secret } from '../../../src/primitives/secret.ts';
import { type TaskAnswer, type TaskAt, type TaskDecision, taskDecider } from '../task/decide.ts';
import type { EnableEthCommand, UserAction } from './commands.ts';
import { actionTypeFor, type EnableEthContext } from './context.ts';
import { afterDeadline, dueEvent } from './deadlines.ts';
import { phaseOf, type StatusResult, statusResult } from './status.ts';

export type { RpcError } from '../task/decide.ts';

/** What the caller gets: a result, or an error with the HTTP status of the real node. */
export type EnableEthAnswer = TaskAnswer<StatusResult>;

/** What a worker needs and a log must not hold. It is passed along in memory, and lost when the process ends. */
export type Handover =
  | { readonly kind: 'request'; readonly request: Secret<EnableEthRequest> }
  | { readonly kind: 'userAction'; readonly action_type: UserActionType; readonly value: Secret<string> };

export type Decision = TaskDecision<StatusResult, EnableEthEvent, Handover>;

export type DecideOptions = TaskAt<EnableEthContext>;

type EthTask = {
  readonly context: EnableEthContext;
  readonly request: EnableEthRequest;
  readonly result: StatusResult;
  readonly started: TaskStarted;
  readonly event: EnableEthEvent;
  readonly handover: Handover;
  readonly action: UserAction;
};

/**
 * Decides a call of `task::enable_eth::*` (specification §3.2, §4.6 to §4.9, §7) against the task's state.
 *
 * @example
 * ```ts
 * import { millisOf } from 'swapfold';
 * import { decide, enableEthDefinition } from 'swapfold/machines';
 *
 * const task = { state: 'created', context: enableEthDefinition.initialContext() };
 * const status = { method: 'status', task_id: 7, forget_if_finished: true } as const;
 * const { answer } = decide(status, { ...task, at: millisOf(1734560398123) });
 * answer.ok ? answer.result : answer.error.error; // → "No such task '7'"
 * ```
 */
export const decide: (command: EnableEthCommand, options: DecideOptions) => Decision = taskDecider<EthTask>({
  family: 'enable_eth',
  phaseOf,
  statusResult,
  started: (request, by) => ({ ...by, params: loggedRequest(request), withheld: withheldFrom(request) }),
  handover: (request) => ({ kind: 'request', request: new Secret(request) }),
  late(state, moment) {
    const event = dueEvent(state, moment);
    return event === undefined ? undefined : { event, ...afterDeadline(event, moment) };
  },
  answered({ action_type, value }, { context, at }) {
    if (context.awaiting === null) return null;
    const fits = action_type === actionTypeFor(context.awaiting);
    return {
      events: [{ type: fits ? 'UserActionProvided' : 'WrongUserActionProvided', at, data: { action_type } }],
      handover: fits ? { kind: 'userAction', action_type, value } : null,
    };
  },
});
