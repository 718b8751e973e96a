import type { UserActionType } from '../../../src/events/enable-eth.ts';
import type { EnableEthRequest } from '../../../src/events/enable-eth-request.ts';
import type { Secret } from '../../../src/primitives/secret.ts';
import type { TaskCommand } from '../task/commands.ts';

/** An answer to a device's request. It holds the PIN or passphrase in a form that nothing prints. */
export type UserAction = { readonly action_type: UserActionType; readonly value: Secret<string> };

/** A call of `task::enable_eth::{init,status,user_action,cancel}` with its parameters read. */
export type EnableEthCommand = TaskCommand<EnableEthRequest, UserAction>;
