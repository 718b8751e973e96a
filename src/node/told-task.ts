import type { StatusResult } from '../../machines/activation/enable-eth/status.ts';
import { statusResult as ethStatus } from '../../machines/activation/enable-eth/status.ts';
import {
  type TendermintStatus,
  statusResult as tendermintStatus,
} from '../../machines/activation/enable-tendermint/status.ts';
import type { StartedTask, TaskContext } from '../../machines/activation/task/context.ts';
import type { MachineEvent } from '../../machines/definition.ts';
import type { EnableEthEventType } from '../events/enable-eth.ts';
import type { EventLog } from '../ports/event-log.ts';
import type { Envelope } from '../primitives/envelope.ts';
import { refuse, step } from '../replay/fold.ts';
import type { TaskKind } from '../runtime/tasks/kind.ts';
import { ethKind } from './tasks/eth-kind.ts';
import { taskIdOf } from './tasks/family.ts';
import { tendermintFamily } from './tendermint/family.ts';

/** How a task stands after a record of it, for the client that began it. */
export type ToldTask = {
  readonly task_id: number;
  /** `client_id` of `init`. */
  readonly client: number;
  readonly status: StatusResult | TendermintStatus;
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

/** By machine, how to report the tasks of each family. */
const TELLERS: ReadonlyMap<string, (envelope: Envelope, log: EventLog) => Promise<ToldTask | null>> = new Map([
  [ethKind.machine.definition.id, teller(ethKind, { statusOf: ethStatus, isTold: () => true })],
  [
    tendermintFamily.kind.machine.definition.id,
    teller(tendermintFamily.kind, {
      statusOf: tendermintStatus,
      // The caller has the answer, and nobody knows the id.
      isTold: ({ started }) => started?.answered_at_once === false,
    }),
  ],
]);

/** Whether the streams of a machine are tasks. */
export function isTaskMachine(machine: string): boolean {
  return TELLERS.has(machine);
}

/**
 * What a record of a task tells the client that began it: the status that `status` of its family answers from then on (as in the real node). Null where it
 * tells nothing.
 *
 * @throws SwapfoldError for a log that cannot be read
 */
export async function toldOf(envelope: Envelope, log: EventLog): Promise<ToldTask | null> {
  if (UNTOLD.has(envelope.type)) return null;
  const { stream } = envelope;
  return (await TELLERS.get(stream.slice(0, stream.indexOf('/')))?.(envelope, log)) ?? null;
}

type Teller<C> = {
  readonly statusOf: (state: string, context: C) => ToldTask['status'] | undefined;
  /** Whether a client has begun the task, and asks for how it stands. */
  readonly isTold: (context: C) => boolean;
};

function teller<C extends TaskContext<StartedTask>, E extends MachineEvent>(
  { machine, read }: TaskKind<C, E>,
  { statusOf, isTold }: Teller<C>,
) {
  return async ({ stream, seq }: Envelope, log: EventLog): Promise<ToldTask | null> => {
    const position = { state: machine.initial, context: machine.definition.initialContext() };
    for (const [index, record] of (await log.read(stream)).slice(0, seq + 1).entries()) {
      step(machine, position, { event: read(record, index), seq: index, onRefused: refuse(machine) });
    }
    if (!isTold(position.context)) return null;
    const status = statusOf(machine.states[position.state] as string, position.context);
    const client = position.context.started?.client_id;
    return status === undefined || client === undefined ? null : { task_id: taskIdOf(stream), client, status };
  };
}
