import type { EnableTendermintEvent, TendermintTaskStarted } from '../../../src/events/enable-tendermint.ts';
import {
  type EnableTendermintRequest,
  loggedTendermintRequest,
  withheldFromTendermint,
} from '../../../src/events/enable-tendermint-request.ts';
import { Secret } from '../../../src/primitives/secret.ts';
import { type TaskAt, type TaskDecision, taskDecider } from '../task/decide.ts';
import type { EnableTendermintCommand, TendermintAsked } from './commands.ts';
import type { EnableTendermintContext } from './context.ts';
import { afterDeadline, dueEvent } from './deadlines.ts';
import { phaseOf, statusResult, type TendermintStatus } from './status.ts';

/** What a worker needs and a log must not hold. It is lost when the process ends. */
export type TendermintHandover = { readonly kind: 'request'; readonly request: Secret<EnableTendermintRequest> };

export type TendermintDecision = TaskDecision<TendermintStatus, EnableTendermintEvent, TendermintHandover>;

type TendermintTask = {
  readonly context: EnableTendermintContext;
  readonly request: TendermintAsked;
  readonly result: TendermintStatus;
  readonly started: TendermintTaskStarted;
  readonly event: EnableTendermintEvent;
  readonly handover: TendermintHandover;
  readonly action: null;
};

/** Decides a call of `task::enable_tendermint::*`, by the rules of the other tasks (specification §3.2, §4.6 to §4.9, §7). */
export const decideTendermint: (
  command: EnableTendermintCommand,
  at: TaskAt<EnableTendermintContext>,
) => TendermintDecision = taskDecider<TendermintTask>({
  family: 'enable_tendermint',
  phaseOf,
  statusResult,
  started: ({ params, atOnce }, by) => ({
    ...by,
    params: loggedTendermintRequest(params),
    withheld: [...withheldFromTendermint(params)],
    answered_at_once: atOnce,
  }),
  handover: ({ params }) => ({ kind: 'request', request: new Secret(params) }),
  late(state, moment) {
    const event = dueEvent(state, moment);
    return event === undefined ? undefined : { event, ...afterDeadline(event, moment) };
  },
  // No state of the chart awaits an answer.
  answered: () => null,
});
