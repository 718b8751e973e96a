import type { TendermintAsked } from '../../../machines/activation/enable-tendermint/commands.ts';
import { assetsHeld, type EnableTendermintContext } from '../../../machines/activation/enable-tendermint/context.ts';
import { dueEvent } from '../../../machines/activation/enable-tendermint/deadlines.ts';
import { decideTendermint, type TendermintHandover } from '../../../machines/activation/enable-tendermint/decide.ts';
import { enableTendermintDefinition } from '../../../machines/activation/enable-tendermint/definition.ts';
import { phaseOf, type TendermintStatus } from '../../../machines/activation/enable-tendermint/status.ts';
import {
  type EnableTendermintDetails,
  type EnableTendermintEvent,
  readEnableTendermintEvent,
} from '../../events/enable-tendermint.ts';
import type { EnableTendermintRequest } from '../../events/enable-tendermint-request.ts';
import type { TaskError } from '../../events/task-error.ts';
import { canonicalJson, parseJson, stringifyJson } from '../../primitives/json.ts';
import type { Secret } from '../../primitives/secret.ts';
import { type TaskFamily, taskKind } from '../tasks/family.ts';

/** The answer to one call that waits for the outcome. */
export type AtOnce =
  | { readonly ok: true; readonly details: EnableTendermintDetails }
  | { readonly ok: false; readonly error: TaskError };

/** What a process holds of a task beside its log. */
export type TendermintSession = {
  /** The request with its secrets; undefined in a process that has it from the log. */
  request?: Secret<EnableTendermintRequest>;
  /** Told the outcome, once it is durable; null for a task that was cancelled. @defaultValue nobody waits */
  told?: (outcome: AtOnce | null) => void;
};

/** The types of tasks that activate coins of Tendermint chains. */
export type TendermintFamily = {
  readonly context: EnableTendermintContext;
  readonly event: EnableTendermintEvent;
  readonly request: TendermintAsked;
  readonly action: null;
  readonly result: TendermintStatus;
  readonly details: EnableTendermintDetails;
  readonly handover: TendermintHandover;
  readonly session: TendermintSession;
};

/** The tasks that activate coins of Tendermint chains (specification §4.10). */
export const tendermintFamily: TaskFamily<TendermintFamily> = {
  name: 'enable_tendermint',
  kind: taskKind({
    definition: enableTendermintDefinition,
    read: readEnableTendermintEvent,
    dueEvent,
    lost: (at) => ({ type: 'SessionLost', at, data: null }),
  }),
  event: (event) => event,
  phaseOf,
  decide: decideTendermint,
  tokensHeld: assetsHeld,
  keyOf: ({ params }) => keyOfRequest(params),
  keyOfTask({ started }, session) {
    // Its outcome is forgotten once that call has it.
    if (started?.answered_at_once === true) return null;
    const request = session?.request?.reveal();
    if (request !== undefined) return keyOfRequest(request);
    return started === null || started.withheld.length > 0 ? null : keyOfRequest(started.params);
  },
  callOf: ({ started }) =>
    started?.answered_at_once === true ? 'enable_tendermint_with_assets' : 'task::enable_tendermint::init',
  newSession: () => ({}),
  handOver(session, handover) {
    session.request = handover.request;
  },
};

function keyOfRequest(request: EnableTendermintRequest): string {
  return canonicalJson(parseJson(stringifyJson(request)));
}
