import type { MachineEvent } from '../../machines/definition.ts';
import type { JournalContext } from '../../machines/journal/context.ts';
import { makerSwap } from '../../machines/maker-swap/definition.ts';
import type { SwapDefinition, SwapVerdict } from '../../machines/swap-verdict.ts';
import { takerSwap } from '../../machines/taker-swap/definition.ts';
import type { Anomaly } from '../events/anomaly.ts';
import type { Role } from '../events/catalog.ts';
import { type KdfFlags, kdfFlags } from '../events/kdf-flags.ts';
import type { SwapLog } from '../events/saved-swap.ts';
import type { Uuid } from '../primitives/ids.ts';
import { knownAs } from '../primitives/known-as.ts';
import { type CompiledMachine, compile } from './compile.ts';
import { judgedBy, pushInOrder } from './in-order.ts';
import { startReplay } from './session.ts';

/** A swap's machine whose context only its own functions read. */
export type AnySwapMachine = CompiledMachine<unknown, MachineEvent> & {
  readonly definition: SwapDefinition<unknown, MachineEvent>;
};

/** The compiled machine of each role. */
export const swapMachines: Readonly<Record<Role, AnySwapMachine>> = {
  taker: knownAs<AnySwapMachine>(compile(takerSwap)),
  maker: knownAs<AnySwapMachine>(compile(makerSwap)),
};

/** What a replay found out about one swap. */
export type ReplayedSwap = SwapVerdict & {
  readonly uuid: Uuid;
  readonly role: Role;
  /** Types of all events, in order. */
  readonly events: readonly string[];
  readonly state: string;
  /** What the real node derives from the same log. */
  readonly kdf: KdfFlags;
  readonly anomalies: readonly Anomaly[];
};

/**
 * Replays one log from its first event to its last. Never throws for what the log says: that becomes an anomaly.
 *
 * @example
 * ```ts
 * import { replaySwap } from 'swapfold';
 * import { buildSwap, successPath } from 'swapfold/testing';
 *
 * const [path, amounts] = [successPath('maker').slice(0, 5), { maker: '2.4', taker: '0.15' }];
 * const { state, outcome, next } = replaySwap(buildSwap({ role: 'maker', path, amounts }));
 * state; // → 'waitingForTakerPayment'
 * outcome; // → 'in-progress'
 * next?.text; // → 'Wait for the taker to pay 0.15 MARTY, until 2024-12-19 00:52:01 UTC.'
 * ```
 */
export function replaySwap(log: SwapLog): ReplayedSwap {
  const session = startReplay(swapMachines[log.role], { kept: log.journal !== undefined });
  pushInOrder(session, log);
  const { state, context, journal } = session.position();
  return concludeReplay(log, { state, context, journal, types: session.types, anomalies: session.anomalies });
}

/**
 * The verdict over a replay that has taken the last event.
 *
 * @example
 * ```ts
 * import { concludeReplay, startReplay, swapMachines } from 'swapfold/replay';
 * import { buildSwap, successPath } from 'swapfold/testing';
 *
 * const log = buildSwap({ role: 'maker', path: successPath('maker') });
 * const { push, position, types, anomalies } = startReplay(swapMachines.maker);
 * for (const event of log.events) push(event);
 * concludeReplay(log, { ...position(), types, anomalies }).outcome; // → 'completed'
 * ```
 */
export function concludeReplay(
  { role, uuid, anomalies }: Pick<SwapLog, 'role' | 'uuid' | 'anomalies'>,
  end: {
    readonly state: string;
    readonly context: unknown;
    readonly types: readonly string[];
    readonly anomalies: readonly Anomaly[];
    /** What the engine's own records say, if this engine wrote the log. @defaultValue only the public events count */
    readonly journal?: JournalContext | null;
  },
): ReplayedSwap {
  const { definition } = swapMachines[role];
  // As the engine itself judges: its own log by all records, any other by the public events.
  const { outcome, funds, next } = judgedBy(end.journal ?? null, (journal) =>
    definition.verdict(end.state, end.context, journal),
  );
  const contradictions = definition.contradictions(end.context).map(contradiction);
  return {
    uuid,
    role,
    events: end.types,
    state: end.state,
    kdf: kdfFlags(role, end.types),
    outcome,
    funds,
    next,
    anomalies: inLogOrder([...anomalies, ...end.anomalies, ...contradictions]),
  };
}

function contradiction(message: string): Anomaly {
  return { seq: null, code: 'CONTRADICTION', severity: 'notice', message };
}

function inLogOrder(anomalies: readonly Anomaly[]): readonly Anomaly[] {
  return anomalies.length < 2 ? anomalies : anomalies.toSorted((left, right) => (left.seq ?? -1) - (right.seq ?? -1));
}
