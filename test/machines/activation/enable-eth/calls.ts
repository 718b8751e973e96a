import type { EnableEthCommand } from '../../../../machines/activation/enable-eth/commands.ts';
import { type Decision, decide } from '../../../../machines/activation/enable-eth/decide.ts';
import type { UserActionType } from '../../../../src/events/enable-eth.ts';
import { Secret } from '../../../../src/primitives/secret.ts';
import type { Millis } from '../../../../src/primitives/time.ts';
import { later, limits, request, START, TASK_ID, type TaskSnapshot } from './support.ts';

export const SECRET_TEXT = '4815162342-hunter2';

export const init: EnableEthCommand = {
  method: 'init',
  task_id: TASK_ID,
  request,
  client_id: 0,
  platformActive: false,
  limits,
};
export const status: EnableEthCommand = { method: 'status', task_id: TASK_ID, forget_if_finished: true };
export const peek: EnableEthCommand = { ...status, forget_if_finished: false };
export const cancel: EnableEthCommand = { method: 'cancel', task_id: TASK_ID };

export function answering(action_type: UserActionType): EnableEthCommand {
  return { method: 'user_action', task_id: TASK_ID, action: { action_type, value: new Secret(SECRET_TEXT) } };
}

export function ask(command: EnableEthCommand, { value, context }: TaskSnapshot, at?: Millis): Decision {
  return decide(command, { state: value, context, at: at ?? later(context.lastEventAt ?? START, 1) });
}

export function typesOf(decision: Decision): string[] {
  return decision.events.map(({ type }) => type);
}
