import type { EnableTendermintRequest } from '../../../src/events/enable-tendermint-request.ts';
import type { TaskCommand } from '../task/commands.ts';

/** A request, and whether one call waits for its outcome. */
export type TendermintAsked = {
  readonly ticker: string;
  readonly params: EnableTendermintRequest;
  readonly atOnce: boolean;
};

/**
 * A call of `task::enable_tendermint::{init,status,user_action,cancel}` with its parameters read. These tasks never ask
 * for input, so the content of an answer is dropped.
 */
export type EnableTendermintCommand = TaskCommand<TendermintAsked, null>;
