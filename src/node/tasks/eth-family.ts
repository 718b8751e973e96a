import type { UserAction } from '../../../machines/activation/enable-eth/commands.ts';
import { type EnableEthContext, tokensHeld } from '../../../machines/activation/enable-eth/context.ts';
import { decide, type Handover } from '../../../machines/activation/enable-eth/decide.ts';
import { phaseOf, type StatusResult } from '../../../machines/activation/enable-eth/status.ts';
import type { EnableEthEvent } from '../../events/enable-eth.ts';
import { type EnableEthRequest, loggedRequest } from '../../events/enable-eth-request.ts';
import type { EnableEthDetails } from '../../events/enable-eth-result.ts';
import { canonicalJson } from '../../primitives/json.ts';
import type { Secret } from '../../primitives/secret.ts';
import { ethKind } from './eth-kind.ts';
import type { TaskFamily } from './family.ts';

/** What a process holds of a task beside its log. */
export type EthSession = {
  /** The request with its secrets; undefined in a process that has it from the log. */
  request?: Secret<EnableEthRequest>;
  /** Takes the answer to what the device asks for. */
  answer: ((value: Secret<string>) => void) | null;
};

/** The types of tasks that activate coins of EVM chains. */
export type EthFamily = {
  readonly context: EnableEthContext;
  readonly event: EnableEthEvent;
  readonly request: EnableEthRequest;
  readonly action: UserAction;
  readonly result: StatusResult;
  readonly details: EnableEthDetails;
  readonly handover: Handover;
  readonly session: EthSession;
};

/** The tasks that activate coins of EVM chains (specification §3.2, §4.6 to §4.9). */
export const ethFamily: TaskFamily<EthFamily> = {
  name: 'enable_eth',
  kind: ethKind,
  event: (event) => event,
  phaseOf,
  decide,
  tokensHeld,
  keyOf: (request) => canonicalJson(comparable(request)),
  keyOfTask({ started }, session) {
    const request = session?.request?.reveal();
    if (request !== undefined) return canonicalJson(comparable(request));
    if (started === null || started.withheld.length > 0) return null;
    return canonicalJson({ request: started.params, session: null });
  },
  callOf: () => 'task::enable_eth::init',
  newSession: () => ({ answer: null }),
  handOver(session, handover) {
    if (handover.kind === 'request') session.request = handover.request;
    else session.answer?.(handover.value);
  },
};

/** All of a request that can be compared, its secrets too. It is held for the comparison alone. */
function comparable(request: EnableEthRequest) {
  const { priv_key_policy, ...rest } = request;
  const session = priv_key_policy.session?.reveal() ?? null;
  return { request: { ...loggedRequest(request), ...rest, priv_key_policy: { type: priv_key_policy.type } }, session };
}
