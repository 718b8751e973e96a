import type { TaskLimits, UserActionType } from '../../../src/events/enable-eth.ts';
import type { EnableEthRequest } from '../../../src/events/enable-eth-request.ts';
import type { Secret } from '../../../src/primitives/secret.ts';

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
