import type { AnyStateMachine } from 'xstate';
import { wiresOf } from '../../../machines/chart.ts';
import { type EdgeMeta, type EdgeOrigin, type EventGraph, edgesOn, finalStates } from '../../../machines/graph.ts';

/** A graph of events: as plain data, in a machine such as `takerSwap`, or as a flat machine of XState. */
export type Chart = EventGraph | { readonly graph: EventGraph } | AnyStateMachine;

export function graphIn(chart: Chart): EventGraph {
  if ('graph' in chart) return chart.graph;
  return 'root' in chart ? wiresOf(chart) : chart;
}

/** An edge of a chart: in `from`, an event of `type` leads to `to`. */
export type ChartEdge = {
  readonly from: string;
  readonly type: string;
  readonly to: string;
  /** Why it is in the chart; empty where the chart does not say. */
  readonly origin: readonly EdgeOrigin[];
} & Pick<EdgeMeta, 'after' | 'without'>;

/** A way through a chart. */
export type ChartPath = {
  /** `Started > Negotiated > …` */
  readonly name: string;
  /** Event types, in order. */
  readonly events: readonly string[];
  /** One state more than there are events: the first is where the chart starts. */
  readonly states: readonly string[];
};

export type EdgeFilter = {
  /** Only edges with one of these origins. By default all. */
  readonly origins?: readonly EdgeOrigin[];
  /** Only edges of other events than these. By default of all. */
  readonly except?: readonly string[];
};

/** What the specification says and what the real node emits live: no restarts, no older releases. */
export const LIVE_ORIGINS: readonly EdgeOrigin[] = ['spec', 'live'];

/** What a log of the real node may hold: all but what this engine alone emits. */
export const STORED_ORIGINS: readonly EdgeOrigin[] = ['spec', 'live', 'restart', 'legacy'];

/**
 * The edges of a flat chart, in the order of its states and of the events in each.
 *
 * @example
 * ```ts
 * import { takerSwap } from 'swapfold/machines';
 * import { chartEdges, LIVE_ORIGINS } from 'swapfold/testing';
 *
 * const [first] = chartEdges(takerSwap, { origins: LIVE_ORIGINS });
 * first; // → { from: 'created', type: 'Started', to: 'negotiating', origin: ['spec', 'live'] }
 * chartEdges(takerSwap, { except: ['Started'] }).some(({ type }) => type === 'Started'); // → false
 * ```
 */
export function chartEdges(chart: Chart, { origins, except = [] }: EdgeFilter = {}): readonly ChartEdge[] {
  const { states } = graphIn(chart);
  const edges = Object.entries(states).flatMap(([from, state]) =>
    Object.keys(state.on ?? {}).flatMap((type) =>
      edgesOn(state, type).map(({ target, meta }): ChartEdge => {
        const { origin = [], after, without } = meta ?? {};
        const conditions = { ...(after && { after }), ...(without && { without }) };
        return { from, type, to: target, origin, ...conditions };
      }),
    ),
  );
  const isMeant = ({ origin, type }: ChartEdge) =>
    !except.includes(type) && (origins === undefined || origin.some((one) => origins.includes(one)));
  return edges.filter(isMeant);
}

/** Whether no log of the real node takes the edge. */
export function isEngineEdge({ origin }: Pick<ChartEdge, 'origin'>): boolean {
  return origin.length > 0 && origin.every((one) => one === 'engine');
}

/** Whether an edge's guard lets it be taken after these events. */
export function isOpen({ after, without }: ChartEdge, events: readonly string[]): boolean {
  const meets = after === undefined || after.some((type) => events.includes(type));
  return meets && without?.some((type) => events.includes(type)) !== true;
}

/** The edges that leave each state. */
export function edgesByState(edges: readonly ChartEdge[]): ReadonlyMap<string, readonly ChartEdge[]> {
  const byState = new Map<string, ChartEdge[]>();
  for (const edge of edges) byState.set(edge.from, [...(byState.get(edge.from) ?? []), edge]);
  return byState;
}

/**
 * Every way from a chart's first state to a final one that enters no state twice, in the order of the chart. Two edges
 * between the same states count as two ways.
 *
 * @example
 * ```ts
 * import { simplePaths } from 'swapfold/testing';
 *
 * const open = { on: { Paid: { target: 'paid' }, Cancelled: { target: 'ended' } } };
 * const paid = { on: { Shipped: { target: 'ended' } } };
 * const states = { open, paid, ended: { type: 'final' } } as const;
 * const paths = [...simplePaths({ id: 'order', initial: 'open', states })];
 * paths.map(({ name }) => name); // → ['Paid > Shipped', 'Cancelled']
 * ```
 */
export function* simplePaths(chart: Chart, filter: EdgeFilter = {}): Generator<ChartPath> {
  const graph = graphIn(chart);
  const byState = edgesByState(chartEdges(graph, filter));
  const states = [graph.initial];
  const events: string[] = [];
  function* walk(state: string): Generator<ChartPath> {
    if (graph.states[state]?.type === 'final') {
      yield { name: events.join(' > '), events: [...events], states: [...states] };
      return;
    }
    for (const edge of byState.get(state) ?? []) {
      const { type, to } = edge;
      if (states.includes(to) || !isOpen(edge, events)) continue;
      states.push(to);
      events.push(type);
      yield* walk(to);
      states.pop();
      events.pop();
    }
  }
  yield* walk(states[0] as string);
}

/**
 * How many ways {@link simplePaths} finds.
 *
 * @example
 * ```ts
 * import { countSimplePaths } from 'swapfold/testing';
 *
 * const open = { on: { Paid: { target: 'paid' }, Cancelled: { target: 'ended' } } };
 * const paid = { on: { Shipped: { target: 'ended' } } };
 * const states = { open, paid, ended: { type: 'final' } } as const;
 * const chart = { id: 'order', initial: 'open', states };
 * countSimplePaths(chart); // → 2
 * countSimplePaths(chart, { except: ['Paid'] }); // → 1
 * ```
 */
export function countSimplePaths(chart: Chart, filter: EdgeFilter = {}): number {
  let count = 0;
  for (const _ of simplePaths(chart, filter)) count++;
  return count;
}

/**
 * A shortest way from each state to a final one that is open whatever came before, as edges; absent for a state from which
 * none is reached.
 */
export function shortestWaysToEnd(chart: Chart, filter: EdgeFilter = {}): ReadonlyMap<string, readonly ChartEdge[]> {
  const edges = chartEdges(chart, filter).filter(({ after, without }) => after === undefined && without === undefined);
  const ways = new Map<string, readonly ChartEdge[]>();
  for (const state of finalStates(graphIn(chart))) ways.set(state, []);
  let frontier = [...ways.keys()];
  while (frontier.length > 0) {
    const reached: string[] = [];
    for (const edge of edges) {
      const rest = ways.get(edge.to);
      if (rest === undefined || !frontier.includes(edge.to) || ways.has(edge.from)) continue;
      ways.set(edge.from, [edge, ...rest]);
      reached.push(edge.from);
    }
    frontier = reached;
  }
  return ways;
}

const MOST_WAYS = 1_000_000;

/**
 * A whole number from 1 on for each edge, the larger the more ways there are behind it: its square root, so that a random walk
 * goes deep and yet meets the short ways often. Edges that only this engine takes lead back into ways that are counted already,
 * so they do not count as ways of their own: walks would go round and round.
 */
export function edgeWeights(edges: readonly ChartEdge[]): ReadonlyMap<ChartEdge, number> {
  const onward = edges.filter((edge) => edge.from !== edge.to && !isEngineEdge(edge));
  const states = new Set(edges.flatMap(({ from, to }) => [from, to]));
  let ways = new Map<string, number>();
  // As many rounds as states settle a chart without loops; with loops the numbers are cut off.
  for (let round = 0; round < states.size; round++) {
    const next = new Map<string, number>();
    for (const { from, to } of onward) {
      next.set(from, Math.min(MOST_WAYS, (next.get(from) ?? 0) + (ways.get(to) ?? 1)));
    }
    ways = next;
  }
  return new Map(
    edges.map((edge) => [edge, Math.ceil(Math.sqrt(edge.from === edge.to ? 1 : (ways.get(edge.to) ?? 1)))]),
  );
}
