import { activationError, activationErrorRules } from '../../../machines/activation/task/errors.ts';
import type { TaskError, TaskErrorType } from '../../events/task-error.ts';
import type { JsonValue } from '../../primitives/json.ts';
import { TaskFailure } from '../tasks/task-failure.ts';

/** Names of what an activation is refused with: of the specification (§7), and of the real node where that has others. */
export type TendermintErrorType = Extract<
  TaskErrorType,
  | 'PlatformIsAlreadyActivated'
  | 'PlatformConfigIsNotFound'
  | 'CoinProtocolParseError'
  | 'UnexpectedPlatformProtocol'
  | 'TokenConfigIsNotFound'
  | 'TokenProtocolParseError'
  | 'UnexpectedTokenProtocol'
  | 'PlatformCoinCreationError'
  | 'PrivKeyNotAllowed'
  | 'Transport'
  | 'InternalError'
  | 'Internal'
>;

/** Why coins of a Tendermint chain are not activated. It ends in the outcome of a task, and is no fault of the program. */
export class TendermintFailure extends TaskFailure {
  constructor(type: TendermintErrorType, data: JsonValue, how: { readonly passing?: boolean } = {}) {
    super(tendermintError(type, data), how);
    this.name = 'TendermintFailure';
  }
}

/** As the outcome of a task has it; the text is made of its data. */
export function tendermintError(type: TendermintErrorType, data: JsonValue): TaskError {
  // The data of each type is checked where its text is made of it.
  return activationError<TendermintErrorType>(
    type,
    data as Parameters<typeof activationError<TendermintErrorType>>[1],
    {
      frames: ['enable_tendermint'],
    },
  );
}

/** In the words of the real node. */
export function creationFailure(
  ticker: string,
  error: string,
  how: { readonly passing?: boolean } = {},
): TendermintFailure {
  return new TendermintFailure('PlatformCoinCreationError', { ticker, error }, how);
}

/** HTTP status of the answer of a call, as the real node has it. */
export function statusOf({ error_type }: TaskError): number {
  return activationErrorRules[error_type].http;
}
