import { type StatusResult, statusResult } from '../../../machines/activation/enable-eth/status.ts';
import type { EnableEthEventType } from '../../events/enable-eth.ts';
import type { EventLog } from '../../ports/event-log.ts';
import type { Envelope } from '../../primitives/envelope.ts';
import { refuse, step } from '../../replay/fold.ts';
import { ethKind, ethTaskId } from './eth-kind.ts';

/** How a task stands after a record of it, for the client that began it. */
export type ToldTask = {
  readonly task_id: number;
  /** `client_id` of `init`. */
  readonly client: number;
  readonly status: StatusResult;
};

/** What a client knows without being told: it began the task, answered or cancelled it, or read its outcome. */
const UNTOLD: ReadonlySet<string> = new Set<EnableEthEventType>([
  'TaskStarted',
  'UserActionProvided',
  'WrongUserActionProvided',
  'CancelRequested',
  'Cancelled',
  'CoinReleased',
  'TokenReleased',
  'KeptTokenReleased',
  'CoinPassivated',
  'KeptCoinPassivated',
  'ResultForgotten',
  'Forgotten',
]);

export const ETH_TASK_MACHINE: string = ethKind.machine.definition.id;

/**
 * What a record of a task tells the client that began it: the status that `task::enable_eth::status` answers from then on (as in the real node).
 * Null where it tells nothing.
 *
 * @throws SwapfoldError for a log that cannot be read
 */
export async function toldOf({ stream, seq, type }: Envelope, log: EventLog): Promise<ToldTask | null> {
  const { machine, read } = ethKind;
  if (UNTOLD.has(type)) return null;
  const position = { state: machine.initial, context: machine.definition.initialContext() };
  for (const [index, record] of (await log.read(stream)).slice(0, seq + 1).entries()) {
    step(machine, position, { event: read(record, index), seq: index, onRefused: refuse(machine) });
  }
  const status = statusResult(machine.states[position.state] as string, position.context);
  const client = position.context.started?.client_id;
  return status === undefined || client === undefined ? null : { task_id: ethTaskId(stream), client, status };
}
