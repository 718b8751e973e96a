import type { Deadline, MachineEvent, Want } from '../../machines/definition.ts';
import type { Anomaly } from '../events/anomaly.ts';
import type { CompiledMachine } from './compile.ts';
import { startReplay } from './session.ts';

/** The result of replaying a log of any machine. */
export type ReplayedLog<C> = {
  readonly state: string;
  readonly context: C;
  readonly wants: readonly Want[];
  readonly deadlines: readonly Deadline[];
  readonly anomalies: readonly Anomaly[];
};

/**
 * Replays the events of one log on its machine: state and context, what the machine wants next and until when, and what
 * is wrong with the order of the events. For swaps `replaySwap` says more.
 *
 * @example
 * ```ts
 * import { millisOf } from 'swapfold';
 * import { readEnableEthEvent } from 'swapfold/events';
 * import { enableEthDefinition } from 'swapfold/machines';
 * import { compile, replayEvents } from 'swapfold/replay';
 *
 * const event = readEnableEthEvent({ type: 'Finishing', at: millisOf(1734560398123) });
 * const { state, anomalies } = replayEvents(compile(enableEthDefinition), [event]);
 * anomalies.map(({ seq, code }) => `${seq} ${code}`); // → ['0 ILLEGAL_EVENT']
 * state; // → 'finishing'
 * ```
 */
export function replayEvents<C, E extends MachineEvent>(
  machine: CompiledMachine<C, E>,
  events: Iterable<E>,
): ReplayedLog<C> {
  const session = startReplay(machine);
  for (const event of events) session.push(event);
  const { state, context } = session.position();
  const { wants, deadlines } = machine.definition;
  return {
    state,
    context,
    wants: wants(state, context),
    deadlines: deadlines(state, context),
    anomalies: session.anomalies,
  };
}
