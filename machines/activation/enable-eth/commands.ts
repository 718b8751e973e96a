import { z } from 'zod';
import type { TaskLimits, UserActionType } from '../../../src/events/enable-eth.ts';
import { type EnableEthRequest, enableEthRequest } from '../../../src/events/enable-eth-request.ts';
import { flag, kindOf, text, whole } from '../../../src/events/fields.ts';
import { Secret } from '../../../src/primitives/secret.ts';

/** An answer to what a device asks for. The PIN or passphrase is held so that nothing prints it. */
export type UserAction = { readonly action_type: UserActionType; readonly value: Secret<string> };

/** Starts a task. What a pure function cannot know comes with it. */
export type InitCommand = {
  readonly method: 'init';
  /** One count for all task families, from 0. */
  readonly task_id: number;
  readonly request: EnableEthRequest;
  readonly client_id: number;
  /** The platform coin is active in this session. */
  readonly platformActive: boolean;
  /** @defaultValue 300 s for a user action, 300 s for a device, none for the whole activation */
  readonly limits?: TaskLimits;
};

export type StatusCommand = {
  readonly method: 'status';
  readonly task_id: number;
  readonly forget_if_finished: boolean;
};

export type UserActionCommand = {
  readonly method: 'user_action';
  readonly task_id: number;
  readonly action: UserAction;
};

export type CancelCommand = { readonly method: 'cancel'; readonly task_id: number };

/** A call of `task::enable_eth::{init,status,user_action,cancel}` with its parameters read. */
export type EnableEthCommand = InitCommand | StatusCommand | UserActionCommand | CancelCommand;

function record<T extends z.ZodRawShape>(shape: T) {
  return z.object(shape, { error: (issue) => `expected an object, found ${kindOf(issue.input)}` });
}

/** Parameters of `init` (specification §4.6). */
export const initParams = enableEthRequest
  .extend({ client_id: whole.optional().default(0) })
  .transform(({ client_id, ...request }) => ({ client_id, request }));

/** Parameters of `status` (specification §4.7). */
export const statusParams = record({ task_id: whole, forget_if_finished: flag.optional().default(true) }).transform(
  (params): StatusCommand => ({ method: 'status', ...params }),
);

/** Parameters of `cancel` (specification §4.9). */
export const cancelParams = record({ task_id: whole }).transform(
  (params): CancelCommand => ({ method: 'cancel', ...params }),
);

/** The real node's names; the specification leaves out the vendor and speaks of device PIN and device passphrase. */
const actionTypes: Readonly<Record<string, UserActionType>> = {
  TrezorPin: 'TrezorPin',
  TrezorPassphrase: 'TrezorPassphrase',
  DevicePin: 'TrezorPin',
  DevicePassphrase: 'TrezorPassphrase',
};

const actionType = text.transform((name, context): UserActionType => {
  const type = Object.hasOwn(actionTypes, name) ? actionTypes[name] : undefined;
  if (type !== undefined) return type;
  // Any other text may be a passphrase in the wrong place, so it is not repeated.
  const shown = /^(?:Trezor|Device)[A-Za-z]{0,16}$/.test(name) ? ` \`${name}\`` : '';
  context.addIssue({
    code: 'custom',
    message: `unknown variant${shown}, expected \`TrezorPin\` or \`TrezorPassphrase\``,
  });
  return z.NEVER;
});

const secretText = text.transform((value) => new Secret(value)).optional();

/**
 * Parameters of `user_action` (specification §4.8). Only the member that goes with the action type is needed, as in the
 * real node; the other may be present. What a PIN holds is the device's business.
 */
export const userActionParams = record({
  task_id: whole,
  user_action: record({ action_type: actionType, pin: secretText, passphrase: secretText }).transform(
    ({ action_type, pin, passphrase }, context): UserAction => {
      const [name, value] = action_type === 'TrezorPin' ? ['pin', pin] : ['passphrase', passphrase];
      if (value instanceof Secret) return { action_type, value };
      context.addIssue({ code: 'custom', message: 'expected a text, found nothing', path: [String(name)] });
      return z.NEVER;
    },
  ),
}).transform(
  ({ task_id, user_action }): UserActionCommand => ({ method: 'user_action', task_id, action: user_action }),
);
