import type { MachineEvent } from '../../machines/definition.ts';
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
import { startReplay } from './session.ts';

/** A swap's machine whose context only its own functions look into. */
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

/** Replays one log from its first event to its last. Never throws for what the log says: that becomes an anomaly. */
export function replaySwap(log: SwapLog): ReplayedSwap {
  const session = startReplay(swapMachines[log.role]);
  const ownFrom = log.journal?.records[0]?.before;
  for (const [seq, event] of log.events.entries()) {
    if (seq === ownFrom) session.noteOwn();
    session.push(event);
  }
  return concludeReplay(log, { ...session.position(), types: session.types, anomalies: session.anomalies });
}

/** The verdict over a replay that has taken the last event. */
export function concludeReplay(
  { role, uuid, anomalies }: Pick<SwapLog, 'role' | 'uuid' | 'anomalies'>,
  end: {
    readonly state: string;
    readonly context: unknown;
    readonly types: readonly string[];
    readonly anomalies: readonly Anomaly[];
  },
): ReplayedSwap {
  const { definition } = swapMachines[role];
  const { outcome, funds, next } = definition.verdict(end.state, end.context);
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
