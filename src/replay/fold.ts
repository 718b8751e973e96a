import type { MachineEvent } from '../../machines/definition.ts';
import { applyJournal, type JournalContext } from '../../machines/journal/context.ts';
import { IMPORTED, isJournalType, type JournalEvent } from '../events/journal.ts';
import { SwapfoldError } from '../primitives/error.ts';
import { allowedTypes, type CompiledMachine, nextState, REFUSED } from './compile.ts';

/** The position of a fold: the state's index in the table, and the context, which the fold owns and changes in place. */
export type FoldPosition<C> = { state: number; context: C };

/** Called for an event that the state cannot accept; returns the state from which to continue, or nothing to skip the event. */
export type OnRefused<C, E> = (event: E, seq: number, position: FoldPosition<C>) => number | undefined;

/**
 * Folds events into the state and context that they leave behind.
 *
 * The recipes run directly on one private context, which is hundreds of times faster than a new one per event; the
 * result equals the chart's own `transition` (a property test shows it).
 *
 * @param onRefused what to do with an illegal event; by default it is refused.
 * @throws SwapfoldError ILLEGAL_EVENT unless `onRefused` is given.
 *
 * @example
 * ```ts
 * import { fold, swapMachines } from 'swapfold/replay';
 * import { buildSwap } from 'swapfold/testing';
 *
 * const { events } = buildSwap({ role: 'taker', path: ['Started', 'NegotiateFailed', 'Finished'] });
 * fold(swapMachines.taker, events).state; // → 'finished'
 * fold(swapMachines.taker, events.slice(1)); // throws ILLEGAL_EVENT
 * ```
 */
export function fold<C, E extends MachineEvent>(
  machine: CompiledMachine<C, E>,
  events: readonly E[],
  onRefused: OnRefused<C, E> = refuse(machine),
): { readonly state: string; readonly context: C } {
  const { typeIndex, cells, reducers } = machine;
  const width = machine.types.length;
  const position: FoldPosition<C> = { state: machine.initial, context: machine.definition.initialContext() };
  for (let seq = 0; seq < events.length; seq++) {
    const event = events[seq] as E;
    const type = typeIndex.get(event.type);
    const next = type === undefined ? REFUSED : (cells[position.state * width + type] as number);
    // The common case, a cell with one target, without a call; everything else, refusals and guards, in one place.
    if (type === undefined || next <= REFUSED) {
      step(machine, position, { event, seq, onRefused });
    } else {
      position.state = next;
      (reducers[type] as (draft: C, event: E) => void)(position.context, event);
    }
  }
  return { state: machine.states[position.state] as string, context: position.context };
}

/** Applies one event to a position that the caller owns. True if the state accepted it unchanged. */
export function step<C, E extends MachineEvent>(
  machine: CompiledMachine<C, E>,
  position: FoldPosition<C>,
  { event, seq, onRefused }: { readonly event: E; readonly seq: number; readonly onRefused: OnRefused<C, E> },
): boolean {
  const type = machine.typeIndex.get(event.type);
  if (type === undefined) {
    onRefused(event, seq, position);
    return false;
  }
  const cell = machine.cells[position.state * machine.types.length + type] as number;
  let next = cell >= REFUSED ? cell : nextState(machine, { ...position, type });
  const taken = next !== REFUSED;
  if (!taken) next = onRefused(event, seq, position) ?? REFUSED;
  if (next === REFUSED) return false;
  position.state = next;
  (machine.reducers[type] as (draft: C, event: E) => void)(position.context, event);
  return taken;
}

/** The position of a stream's fold: its public events in `position`, the engine's own records in `journal`. The fold owns both. */
export type StreamFold<C> = { readonly position: FoldPosition<C>; readonly journal: JournalContext };

/**
 * Applies one record of a stream, whether a public event or one of the engine's own. Live run, restart, preview and replay all fold with this
 * function, so none of them can read a log differently.
 *
 * @param onRefused what to do with a public event that the state cannot accept; by default it is refused.
 * @throws SwapfoldError ILLEGAL_EVENT unless `onRefused` is given.
 */
export function foldRecord<C, E extends MachineEvent>(
  machine: CompiledMachine<C, E>,
  { position, journal }: StreamFold<C>,
  { event, seq, onRefused = refuse(machine) }: Recorded<C, E>,
): void {
  if (isJournalType(event.type)) applyJournal(journal, event as JournalEvent);
  else if (event.type !== IMPORTED) step(machine, position, { event: event as E, seq, onRefused });
}

/** `seq`: the place of the record in its stream, from 0. */
type Recorded<C, E> = {
  readonly event: MachineEvent;
  readonly seq: number;
  readonly onRefused?: OnRefused<C, E>;
};

/** The strict policy: never ignore an event that the state cannot accept. */
export function refuse<C, E extends MachineEvent>(machine: CompiledMachine<C, E>): OnRefused<C, E> {
  return (event, seq, position) => {
    throw new SwapfoldError('The log holds an event that its state cannot take.', {
      code: 'ILLEGAL_EVENT',
      facts: {
        machine: machine.definition.id,
        seq,
        event: event.type,
        state: machine.states[position.state],
        allowed: allowedTypes(machine, position).join(', ') || 'none',
      },
      next: 'Replay the log with `swapfold replay` to see what is missing or misplaced.',
    });
  };
}
