import { SwapfoldError } from '../src/primitives/error.ts';

/**
 * Why an edge is in the chart: the specification gives the consequence, the real node emits it live, the real node
 * emits it only after a restart, an older release stored it, or this engine emits it live and no release of the real node
 * does.
 */
export type EdgeOrigin = 'spec' | 'live' | 'restart' | 'legacy' | 'engine';

/** Annotation of an edge, kept in the chart's `meta`. */
export type EdgeMeta = {
  readonly origin: readonly EdgeOrigin[];
  /** Month (`YYYY-MM`) from which on the real node no longer stores this order of events. */
  readonly before?: string;
  /** The edge's guard in event types: one of these must be earlier in the log. */
  readonly after?: readonly string[];
  /** The edge's guard in event types: none of these may be earlier in the log. */
  readonly without?: readonly string[];
};

/** An edge that an event takes. */
export type GraphEdge = {
  readonly target: string;
  /** Name of the guard that must hold. If an event has several edges, the first whose guard holds is taken. */
  readonly guard?: string;
  /** Whether an edge back to its own state re-enters it; XState needs to know. */
  readonly reenter?: boolean;
  readonly meta?: EdgeMeta;
};

/** A state, entered by the reducer that is named after the event that leads to it. */
export type GraphState = {
  readonly type?: 'final';
  /** Type of the event that leads here; absent in the first state. */
  readonly entry?: string;
  readonly on?: Readonly<Record<string, GraphEdge | readonly GraphEdge[]>>;
};

/**
 * Which event may follow which: flat states and named guards, as plain data that an XState machine accepts unchanged.
 */
export type EventGraph = {
  readonly id: string;
  readonly initial: string;
  readonly states: Readonly<Record<string, GraphState>>;
};

/**
 * States in which a graph ends.
 *
 * @example
 * ```ts
 * import { finalStates, watcherDefinition } from 'swapfold/machines';
 *
 * finalStates(watcherDefinition.graph); // → ['stopped']
 * ```
 */
export function finalStates({ states }: EventGraph): readonly string[] {
  return Object.keys(states).filter((state) => states[state]?.type === 'final');
}

/** The edges of one event, in the order in which their guards are tried. */
export function edgesOn({ on }: GraphState, type: string): readonly GraphEdge[] {
  const found = on?.[type];
  return found === undefined ? [] : 'target' in found ? [found] : found;
}

/** The part of a chart that a graph or a table cannot hold. */
export function unsupportedChart(machine: string, state: string, what: string): SwapfoldError {
  return new SwapfoldError(`The chart holds what a table cannot: ${what}.`, {
    code: 'CHART_UNSUPPORTED',
    facts: { machine, state },
    next: 'Keep charts flat, with one reducer per event, and derive timers and effects from the state.',
  });
}
