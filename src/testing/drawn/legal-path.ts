import type { EventGraph } from '../../../machines/graph.ts';
import {
  flag,
  listOf,
  mistyped,
  nameOf,
  numberOf,
  objectOf,
  oneOf,
  optionsOf,
  refuse,
  type Shape,
} from '../../sim/shape-check.ts';
import { type Arbitrary, fc } from './fast-check.ts';
import {
  type Chart,
  type ChartEdge,
  type ChartPath,
  chartEdges,
  type EdgeFilter,
  edgesByState,
  edgeWeights,
  graphIn,
  isOpen,
  shortestWaysToEnd,
} from './paths.ts';

/** A state that is entered, or an event that is taken. */
export type PathTarget = { readonly state: string } | { readonly event: string };

export type LegalPathOptions = EdgeFilter & {
  /** Whether the path goes on to a final state. @defaultValue false: it may stop anywhere */
  readonly complete?: boolean;
  /** Steps taken at random, at most. @defaultValue 20 */
  readonly maxLength?: number;
  /**
   * What every path comes to: there it ends, or with `complete` goes on to a final state by a shortest way. Without it paths are
   * led nowhere.
   */
  readonly to?: PathTarget;
  /**
   * How often an event is taken beside the others that are open where it is, as a factor by its type: 0 for never, 2 for twice as
   * often as usual. @defaultValue 1 for each
   */
  readonly weights?: Readonly<Record<string, number>>;
};

/**
 * A random way through a chart from its first state, loops included; possibly without a single event. Early failures
 * are not drawn more often than what lies behind them. Shrinks to shorter ways and to the edges that the chart names first.
 *
 * @throws MemberTypeError, MemberValueError for an option that there is not, or a state or event that the chart does not have.
 * @throws RangeError where no path leads to the target.
 *
 * @example
 * ```ts
 * import fc from 'fast-check';
 * import { takerSwap } from 'swapfold/machines';
 * import { legalPath } from 'swapfold/testing';
 *
 * const paths = legalPath(takerSwap, { to: { event: 'TakerPaymentRefunded' }, complete: true });
 * const refunds = fc.property(paths, ({ events, states }) => {
 *   return events.includes('TakerPaymentRefunded') && states.at(-1) === 'finished';
 * });
 * fc.check(refunds, { numRuns: 10 }).failed; // → false
 * ```
 */
export function legalPath(target: Chart, options: LegalPathOptions = {}): Arbitrary<ChartPath> {
  const chart = checkedGraph(target);
  optionsOf(pathShape(chart))(options, 'options');
  const { complete = false, maxLength = 20, to, weights = {}, ...filter } = options;
  const never = Object.keys(weights).filter((type) => weights[type] === 0);
  const open: EdgeFilter = { ...filter, except: [...(filter.except ?? []), ...never] };
  const ways = complete ? shortestWaysToEnd(chart, open) : null;
  const edges = chartEdges(chart, open).filter((edge) => ways === null || ways.has(edge.to));
  const walk: Walk = {
    initial: chart.initial,
    byState: edgesByState(edges),
    weights: weighed(edges, weights),
    guide: to === undefined ? null : guideTo(to, edges),
  };
  if (!leadsSomewhere(walk, ways)) {
    throw new RangeError(`no path leads to ${to === undefined ? 'an end' : JSON.stringify(to)} with these options`);
  }
  // Weights of one's own are told apart by larger numbers.
  const choice = fc.nat({ max: Object.keys(weights).length === 0 ? 0xffff : 0x7fff_ffff });
  return fc.array(choice, { maxLength, size: 'max' }).map((choices) => {
    const path = walked(walk, choices);
    for (const edge of ways?.get(path.states.at(-1) as string) ?? []) take(path, edge);
    return { name: path.events.join(' > '), ...path };
  });
}

function checkedGraph(target: Chart): EventGraph {
  const allowed = 'a chart of XState, or a machine such as takerSwap';
  if (typeof target !== 'object' || target === null) return mistyped('target', target, allowed);
  const held: { readonly states?: unknown } | undefined = 'graph' in target ? target.graph : target;
  return typeof held?.states === 'object' ? graphIn(target) : mistyped('target', target, allowed);
}

type Path = { readonly states: string[]; readonly events: string[] };

type Walk = {
  readonly initial: string;
  readonly byState: ReadonlyMap<string, readonly ChartEdge[]>;
  readonly weights: ReadonlyMap<ChartEdge, number>;
  /** Null for a walk that is led nowhere. */
  readonly guide: Guide | null;
};

function walked({ initial, byState, weights, guide }: Walk, choices: readonly number[]): Path {
  const path: Path = { states: [initial], events: [] };
  const isThere = () => guide?.isAt(path) === true;
  for (const choice of choices) {
    if (isThere()) return path;
    const at = path.states.at(-1) as string;
    const open = (byState.get(at) ?? []).filter(
      (edge) => isOpen(edge, path.events) && guide?.leadsOn(path, edge) !== false,
    );
    const edge = drawn(open, { choice, weights });
    if (edge === undefined) break;
    take(path, edge);
  }
  if (guide !== null && !isThere()) for (const edge of guide.wayFrom(path) ?? []) take(path, edge);
  return path;
}

function leadsSomewhere({ initial, guide }: Walk, ways: ReadonlyMap<string, readonly ChartEdge[]> | null): boolean {
  const start: Path = { states: [initial], events: [] };
  if (ways !== null && !ways.has(initial)) return false;
  return guide === null || guide.isAt(start) || guide.wayFrom(start) !== null;
}

function take({ states, events }: Path, { type, to }: Pick<ChartEdge, 'type' | 'to'>): void {
  events.push(type);
  states.push(to);
}

/** What leads a walk to its target. */
type Guide = {
  readonly isAt: (path: Path) => boolean;
  /** Whether the target can still be reached behind an edge. */
  readonly leadsOn: (path: Path, edge: ChartEdge) => boolean;
  /** A shortest way to it, with what the path holds already; null where there is none. */
  readonly wayFrom: (path: Path) => readonly ChartEdge[] | null;
};

function guideTo(target: PathTarget, edges: readonly ChartEdge[]): Guide {
  const byState = edgesByState(edges);
  // Of what lies behind a path only the events that guards ask for can matter.
  const asked = new Set(edges.flatMap(({ after = [], without = [] }) => [...after, ...without]));
  const seenOf = (events: readonly string[]) => [...new Set(events)].filter((type) => asked.has(type)).sort();
  const hits = ({ type, to }: ChartEdge) => ('state' in target ? to === target.state : type === target.event);
  const known = new Map<string, readonly ChartEdge[] | null>();
  const wayFrom = ({ states, events }: Path): readonly ChartEdge[] | null => {
    const place: Place = { state: states.at(-1) as string, seen: seenOf(events), way: [] };
    const key = keyOf(place);
    const way = known.get(key);
    if (way !== undefined) return way;
    const found = searched(place, { byState, asked, hits });
    known.set(key, found);
    return found;
  };
  return {
    isAt: ({ states, events }) => ('state' in target ? states.at(-1) === target.state : events.at(-1) === target.event),
    leadsOn: ({ states, events }, edge) =>
      hits(edge) || wayFrom({ states: [...states, edge.to], events: [...events, edge.type] }) !== null,
    wayFrom,
  };
}

type Place = { readonly state: string; readonly seen: readonly string[]; readonly way: readonly ChartEdge[] };

const keyOf = ({ state, seen }: Place) => [state, ...seen].join(' ');

type Search = {
  readonly byState: ReadonlyMap<string, readonly ChartEdge[]>;
  readonly asked: ReadonlySet<string>;
  readonly hits: (edge: ChartEdge) => boolean;
};

function searched(from: Place, { byState, asked, hits }: Search): readonly ChartEdge[] | null {
  const visited = new Set([keyOf(from)]);
  const queue: Place[] = [from];
  for (const place of queue) {
    for (const edge of byState.get(place.state) ?? []) {
      if (!isOpen(edge, place.seen)) continue;
      const way = [...place.way, edge];
      if (hits(edge)) return way;
      const seen = asked.has(edge.type) ? [...new Set([...place.seen, edge.type])].sort() : place.seen;
      const next: Place = { state: edge.to, seen, way };
      if (visited.has(keyOf(next))) continue;
      visited.add(keyOf(next));
      queue.push(next);
    }
  }
  return null;
}

/** Factors as small as this keep their share of a whole number. */
const PRECISION = 100;

function weighed(
  edges: readonly ChartEdge[],
  factors: Readonly<Record<string, number>>,
): ReadonlyMap<ChartEdge, number> {
  const weights = edgeWeights(edges);
  if (Object.keys(factors).length === 0) return weights;
  return new Map(
    [...weights].map(([edge, weight]) => [
      edge,
      Math.max(1, Math.round(weight * PRECISION * (factors[edge.type] ?? 1))),
    ]),
  );
}

function drawn(
  edges: readonly ChartEdge[],
  { choice, weights }: { readonly choice: number; readonly weights: ReadonlyMap<ChartEdge, number> },
): ChartEdge | undefined {
  const total = edges.reduce((sum, edge) => sum + (weights.get(edge) ?? 0), 0);
  let left = choice % Math.max(1, total);
  return edges.find((edge) => {
    left -= weights.get(edge) ?? 0;
    return left < 0;
  });
}

const ORIGINS = ['spec', 'live', 'restart', 'legacy', 'engine'];

/** The options of paths through a chart, one by one. */
export function pathShape(chart: EventGraph): Shape {
  const types = [...new Set(chartEdges(chart).map(({ type }) => type))];
  const event = nameOf(`an event of the chart, such as ${types[0]}`, types);
  const state = nameOf(`a state of the chart, such as ${chart.initial}`, Object.keys(chart.states));
  const factor = numberOf({ from: 0 });
  return {
    origins: listOf(oneOf(...ORIGINS)),
    except: listOf(event),
    complete: flag,
    maxLength: numberOf({ from: 0, whole: true }),
    to: objectOf({}, { state, event }, (found, at) => {
      if (Object.keys(found).length !== 1) refuse(at, found, 'either a state or an event');
    }),
    weights: optionsOf(Object.fromEntries(types.map((type) => [type, factor]))),
  };
}
