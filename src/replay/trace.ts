import type { Deadline, MachineEvent, Want } from '../../machines/definition.ts';
import type { JournalContext } from '../../machines/journal/context.ts';
import { makerSwapSentence } from '../../machines/maker-swap/story.ts';
import type { SwapVerdict } from '../../machines/swap-verdict.ts';
import { takerSwapSentence } from '../../machines/taker-swap/story.ts';
import type { Anomaly } from '../events/anomaly.ts';
import type { Role } from '../events/catalog.ts';
import type { StoredEvent } from '../events/decode-event.ts';
import type { SwapLog } from '../events/saved-swap.ts';
import { copyTree } from '../primitives/copy-tree.ts';
import { knownAs } from '../primitives/known-as.ts';
import { judgedBy, pushInOrder } from './in-order.ts';
import { startReplay } from './session.ts';
import { swapMachines } from './swaps.ts';

type Sentence = (event: MachineEvent, context: unknown) => string;

/** Beside the machines, not in them: a replay without a story loads no sentences. */
const sentences: Readonly<Record<Role, Sentence>> = {
  taker: knownAs<Sentence>(takerSwapSentence),
  maker: knownAs<Sentence>(makerSwapSentence),
};

/** The swap after one event, with everything that its log holds before the next one. */
export type TraceStep = {
  readonly seq: number;
  readonly event: StoredEvent;
  readonly from: string;
  readonly state: string;
  /** A snapshot: later steps do not change it. */
  readonly context: unknown;
  /** What this engine's own records before the next event say; null for a log that no engine keeps. Also a snapshot. */
  readonly journal: Readonly<JournalContext> | null;
  readonly wants: readonly Want[];
  readonly deadlines: readonly Deadline[];
  readonly verdict: SwapVerdict;
  /** One plain sentence about the event. */
  readonly sentence: string;
  readonly anomalies: readonly Anomaly[];
};

/**
 * State, context, wants and deadlines after every event of a log.
 *
 * @example
 * ```ts
 * import { traceSwap } from 'swapfold';
 * import { buildSwap } from 'swapfold/testing';
 *
 * const log = buildSwap({ role: 'taker', path: ['Started', 'NegotiateFailed', 'Finished'] });
 * traceSwap(log).map(({ event, state }) => `${event.type} > ${state}`); // → [
 * //   'Started > negotiating',
 * //   'NegotiateFailed > negotiateFailed',
 * //   'Finished > finished',
 * // ]
 * ```
 */
export function traceSwap(log: SwapLog): readonly TraceStep[] {
  const machine = swapMachines[log.role];
  const { definition } = machine;
  const session = startReplay(machine, { kept: log.journal !== undefined });
  const noted = bySeq(log.anomalies);
  const steps: TraceStep[] = [];
  let from = session.position().state;
  let reported = 0;
  pushInOrder(session, log, (event, seq) => {
    const { state, context, journal: folded } = session.position();
    const snapshot = snapshotOf(context);
    const journal = folded === null ? null : copyTree(folded);
    const told = judgedBy(journal, (own) => ({
      wants: definition.wants(state, snapshot, own),
      deadlines: definition.deadlines(state, snapshot, own),
      verdict: definition.verdict(state, snapshot, own),
    }));
    const sentence = event.known ? sentences[log.role](event, snapshot) : `An event of unknown type: ${event.type}.`;
    const anomalies = [...(noted.get(seq) ?? []), ...session.anomalies.slice(reported)];
    steps.push({ seq, event, from, state, context: snapshot, journal, ...told, sentence, anomalies });
    from = state;
    reported = session.anomalies.length;
  });
  return steps;
}

/** Contexts hold event payloads, which nobody changes, and lists, which the session appends to. */
function snapshotOf(context: unknown): unknown {
  const members = Object.entries(context as Readonly<Record<string, unknown>>);
  return Object.fromEntries(members.map(([name, value]) => [name, Array.isArray(value) ? [...value] : value]));
}

function bySeq(anomalies: readonly Anomaly[]): ReadonlyMap<number | null, readonly Anomaly[]> {
  const groups = new Map<number | null, Anomaly[]>();
  for (const anomaly of anomalies) {
    const group = groups.get(anomaly.seq);
    if (group === undefined) groups.set(anomaly.seq, [anomaly]);
    else group.push(anomaly);
  }
  return groups;
}
