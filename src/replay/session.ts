import type { MachineEvent } from '../../machines/definition.ts';
import type { EdgeMeta } from '../../machines/graph.ts';
import { initialJournalContext, type JournalContext } from '../../machines/journal/context.ts';
import type { Anomaly } from '../events/anomaly.ts';
import type { JournalRecord } from '../events/journal.ts';
import { monthStart } from '../primitives/time.ts';
import { allowedTypes, type CompiledEdge, type CompiledMachine, hasOnly } from './compile.ts';
import { type FoldPosition, foldRecord, step } from './fold.ts';
import { nearestRepair } from './repair.ts';

/** How long after the real node stopped storing an order of events a log may still hold it: people update nodes late. */
const LEGACY_GRACE_MS = 365 * 86_400_000;

export type ReplayOptions = {
  /**
   * This engine wrote the log, as its journal records show: then orders that only this engine emits need no notice. @defaultValue false
   */
  readonly ownLog?: boolean;
  /**
   * Our engine keeps the log, even if it has not written its own record yet: it has imported the log. @defaultValue false
   */
  readonly kept?: boolean;
};

/** A running replay: events go in one by one, and faults in their order come out. */
export type ReplaySession<C, E extends MachineEvent> = {
  /** Takes the next event. An event of a type that the machine does not know changes nothing but is reported. */
  readonly push: (event: E) => void;
  /** Takes the next of the engine's own records: from here on, this engine wrote the log, as with {@link ReplayOptions.ownLog}. */
  readonly pushOwn: (record: Pick<JournalRecord, 'type' | 'at' | 'data'>) => void;
  /** The position of the replay. Context and journal belong to the session and change with the next event. */
  readonly position: () => {
    readonly state: string;
    readonly context: C;
    /** What the engine's own records say; null for a log that no engine keeps, or if no engine could have written a record. */
    readonly journal: JournalContext | null;
    readonly seq: number;
  };
  readonly anomalies: Anomaly[];
  /** Types of all events so far, in order. */
  readonly types: string[];
};

/**
 * Starts a replay that reads on after an illegal event: it reports the event and continues from the state to which an event of that type leads
 * wherever it is legal, because what happened did happen.
 *
 * @example
 * ```ts
 * import { startReplay, swapMachines } from 'swapfold/replay';
 * import { buildSwap } from 'swapfold/testing';
 *
 * const { events } = buildSwap({ role: 'taker', path: ['Started', 'TakerFeeSent'] });
 * const session = startReplay(swapMachines.taker);
 * for (const event of events) session.push(event);
 * session.position().state; // → 'waitingForMakerPayment'
 * session.anomalies.map(({ repair }) => repair); // → [
 * //   'restore the missing Negotiated before TakerFeeSent at 1',
 * // ]
 * ```
 */
export function startReplay<C, E extends MachineEvent>(
  machine: CompiledMachine<C, E>,
  options: ReplayOptions = {},
): ReplaySession<C, E> {
  let ownLog = options.ownLog ?? false;
  const position: FoldPosition<C> = { state: machine.initial, context: machine.definition.initialContext() };
  const noted = notedEdges(machine);
  const anomalies: Anomaly[] = [];
  const types: string[] = [];
  let journal = options.kept === true ? initialJournalContext() : null;
  let isReadable = true;
  let latest = 0;

  const onRefused = (event: E, seq: number): number | undefined => {
    const type = machine.typeIndex.get(event.type);
    anomalies.push(refusal(machine, { event, seq, position, previous: types.at(-1), ownLog }));
    if (type === undefined || machine.final[position.state] === true) return undefined;
    const landing = machine.landing[type] as number;
    return landing === position.state || landing < 0 ? undefined : landing;
  };

  const push = (event: E): void => {
    const seq = types.length;
    const from = position.state;
    const taken = step(machine, position, { event, seq, onRefused });
    if (taken && noted.size > 0) {
      const edge = noted.get(edgeKey(machine, { from, to: position.state, type: event.type }));
      if (edge?.origin === 'legacy' && event.at >= edge.until) anomalies.push(outdated(event, { seq, ...edge }));
      if (edge?.origin === 'engine' && !ownLog) anomalies.push(engineOrder(event, { seq }));
    }
    if (event.at < latest) anomalies.push(backwards(event, { seq, latest }));
    else latest = event.at;
    types.push(event.type);
  };

  const pushOwn: ReplaySession<C, E>['pushOwn'] = ({ type, at, data }) => {
    ownLog = true;
    if (!isReadable) return;
    journal ??= initialJournalContext();
    try {
      foldRecord(machine, { position, journal }, { event: { type, at, data }, seq: types.length });
    } catch {
      // No engine wrote this: only the public events count.
      isReadable = false;
      journal = null;
    }
  };

  return {
    push,
    pushOwn,
    position: () => {
      const { state, context } = position;
      return { state: machine.states[state] as string, context, journal, seq: types.length };
    },
    anomalies,
    types,
  };
}

type NotedEdge =
  | { readonly origin: 'legacy'; readonly until: number; readonly before: string }
  | { readonly origin: 'engine' };

const notedByMachine = new WeakMap<object, ReadonlyMap<number, NotedEdge>>();

/**
 * Edges that are odd in a log: from a certain date, those that only older releases stored, and those that only this engine emits.
 */
function notedEdges<C, E extends MachineEvent>(machine: CompiledMachine<C, E>): ReadonlyMap<number, NotedEdge> {
  const known = notedByMachine.get(machine);
  if (known !== undefined) return known;
  const edges = new Map<number, NotedEdge>();
  for (const edge of machine.edges) {
    const noted = notedEdge(edge.meta);
    if (noted !== undefined) edges.set(packEdge(machine, edge), noted);
  }
  notedByMachine.set(machine, edges);
  return edges;
}

function notedEdge(meta: EdgeMeta | undefined): NotedEdge | undefined {
  if (hasOnly(meta, 'engine')) return { origin: 'engine' };
  const before = meta?.before;
  if (before === undefined || !hasOnly(meta, 'legacy')) return undefined;
  return { origin: 'legacy', before, until: monthStart(before) + LEGACY_GRACE_MS };
}

function packEdge<C, E extends MachineEvent>(machine: CompiledMachine<C, E>, edge: CompiledEdge<C>): number {
  return (edge.from * machine.types.length + edge.type) * machine.states.length + edge.to;
}

function edgeKey<C, E extends MachineEvent>(
  machine: CompiledMachine<C, E>,
  { from, to, type }: { readonly from: number; readonly to: number; readonly type: string },
): number {
  return (from * machine.types.length + (machine.typeIndex.get(type) ?? 0)) * machine.states.length + to;
}

function refusal<C, E extends MachineEvent>(
  machine: CompiledMachine<C, E>,
  at: Required<Pick<ReplayOptions, 'ownLog'>> & {
    readonly event: E;
    readonly seq: number;
    readonly position: Readonly<FoldPosition<C>>;
    readonly previous: string | undefined;
  },
): Anomaly {
  const { event, seq, position, previous, ownLog } = at;
  const { state } = position;
  const type = machine.typeIndex.get(event.type);
  const allowed = allowedTypes(machine, position);
  const known = type !== undefined;
  if (!known) {
    return {
      seq,
      code: 'UNKNOWN_EVENT',
      severity: 'notice',
      message: `${event.type} is not an event that this version knows; it was kept and changed nothing.`,
      expected: allowed,
      found: event.type,
    };
  }
  const list = allowed.length === 0 ? 'nothing' : allowed.join(' or ');
  const base = { seq, severity: 'fault' as const, expected: allowed, found: event.type };
  if (machine.final[state] === true) {
    return {
      ...base,
      code: 'EVENT_AFTER_FINISHED',
      message: `${event.type} comes after the end of the swap; nothing may follow.`,
      repair: `remove ${event.type} at ${seq}, or the earlier end`,
    };
  }
  if (previous === event.type) {
    return {
      ...base,
      code: 'DUPLICATE_EVENT',
      message: `${event.type} stands twice in a row; after it ${list} may follow.`,
      repair: `remove the ${event.type} at ${seq}`,
    };
  }
  return {
    ...base,
    code: 'ILLEGAL_EVENT',
    message: `${event.type} cannot follow ${previous ?? 'the beginning'}; ${list} may.`,
    repair: nearestRepair(machine, { state, type, seq, ownLog }),
  };
}

function outdated(event: MachineEvent, { seq, before }: { readonly seq: number; readonly before: string }): Anomaly {
  return {
    seq,
    code: 'LEGACY_ORDER',
    severity: 'notice',
    message: `${event.type} at this place is legal only for a log older than ${before}, but the event is younger.`,
    found: event.type,
  };
}

function engineOrder(event: MachineEvent, { seq }: { readonly seq: number }): Anomaly {
  return {
    seq,
    code: 'ENGINE_ORDER',
    severity: 'notice',
    message: `${event.type} at this place is legal for this engine; no release of the real node stores this order.`,
    found: event.type,
  };
}

function backwards(event: MachineEvent, { seq, latest }: { readonly seq: number; readonly latest: number }): Anomaly {
  return {
    seq,
    code: 'TIME_BACKWARDS',
    severity: 'notice',
    message: `${event.type} has a timestamp ${latest - event.at} ms before an earlier event.`,
    found: String(event.at),
    expected: [`at least ${latest}`],
  };
}
