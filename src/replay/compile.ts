import type { AnyStateMachine } from 'xstate';
import type { EdgeMeta, EdgeOrigin, MachineDefinition, MachineEvent } from '../../machines/definition.ts';
import { SwapfoldError } from '../primitives/error.ts';

/** An edge of a chart in the table's terms. */
export type CompiledEdge<C> = {
  readonly from: number;
  readonly type: number;
  readonly to: number;
  readonly meta: EdgeMeta | undefined;
  readonly guard: ((context: C) => boolean) | undefined;
};

/** Cell of the table for an event that the state does not take. */
export const REFUSED = -1;

/**
 * A chart as a dense table: `cells[state * types.length + type]` is the state that follows, {@link REFUSED}, or, where
 * guards decide, `-2 - n` for the n-th list of candidates.
 */
export type CompiledMachine<C, E extends MachineEvent> = {
  readonly definition: MachineDefinition<C, E>;
  readonly states: readonly string[];
  readonly types: readonly string[];
  readonly typeIndex: ReadonlyMap<string, number>;
  readonly initial: number;
  readonly cells: Int16Array;
  readonly candidates: readonly (readonly CompiledEdge<C>[])[];
  /** Recipe of each event type, by its index. */
  readonly reducers: readonly ((draft: C, event: E) => void)[];
  readonly edges: readonly CompiledEdge<C>[];
  readonly final: readonly boolean[];
  /** The one state to which an event type leads from wherever it is legal, or -1 where there are several. */
  readonly landing: Int16Array;
};

/**
 * Walks the chart once and makes the table that every fold runs on.
 *
 * @throws SwapfoldError CHART_UNSUPPORTED for what a table cannot hold: nested or parallel states, timers, invoked
 * actors, eventless transitions, unknown guards, or actions other than the one reducer named after the event.
 */
export function compile<C, E extends MachineEvent>(definition: MachineDefinition<C, E>): CompiledMachine<C, E> {
  const chart = definition.chart;
  const states = stateKeys(chart);
  const types = [...definition.eventTypes];
  const stateIndex = new Map(states.map((state, index) => [state, index]));
  const typeIndex = new Map(types.map((type, index) => [type as string, index]));
  const edges = states.flatMap((state) => edgesOf(definition, { state, stateIndex, typeIndex }));
  const { cells, candidates } = fillCells(edges, { states: states.length, types: types.length });
  return {
    definition,
    states,
    types,
    typeIndex,
    initial: stateIndex.get(initialState(chart)) ?? 0,
    cells,
    candidates,
    reducers: types.map((type) => definition.reducers[type as E['type']] as (draft: C, event: E) => void),
    edges,
    final: states.map((state) => chart.states[state]?.type === 'final'),
    landing: Int16Array.from(types, (_, type) => soleTarget(edges, type)),
  };
}

/** Whether an edge is in the chart for this one reason. */
export function hasOnly(meta: EdgeMeta | undefined, origin: EdgeOrigin): boolean {
  return meta !== undefined && meta.origin.length > 0 && meta.origin.every((one) => one === origin);
}

function stateKeys(chart: AnyStateMachine): string[] {
  for (const node of Object.values(chart.states)) {
    if (node.type !== 'atomic' && node.type !== 'final') throw unsupported(chart, node.key, `a ${node.type} state`);
    if (node.invoke.length > 0) throw unsupported(chart, node.key, 'an invoked actor');
    if (node.after.length > 0) throw unsupported(chart, node.key, 'a timer');
    if ((node.always?.length ?? 0) > 0) throw unsupported(chart, node.key, 'a transition without event');
    if (node.exit.length > 0) throw unsupported(chart, node.key, 'an exit action');
  }
  return Object.keys(chart.states);
}

function initialState(chart: AnyStateMachine): string {
  return chart.root.initial.target[0]?.key ?? '';
}

type Indexes = {
  readonly state: string;
  readonly stateIndex: ReadonlyMap<string, number>;
  readonly typeIndex: ReadonlyMap<string, number>;
};

function edgesOf<C, E extends MachineEvent>(
  definition: MachineDefinition<C, E>,
  { state, stateIndex, typeIndex }: Indexes,
): CompiledEdge<C>[] {
  const chart = definition.chart;
  const edges: CompiledEdge<C>[] = [];
  for (const [type, transitions] of chart.states[state]?.transitions ?? []) {
    const index = typeIndex.get(type);
    if (index === undefined) throw unsupported(chart, state, `an event that the machine does not declare: ${type}`);
    for (const transition of transitions) {
      const target = transition.target?.[0];
      const to = target === undefined ? undefined : stateIndex.get(target.key);
      if (target === undefined || to === undefined) throw unsupported(chart, state, `no target for ${type}`);
      const actions = [...transition.actions, ...target.entry].map(actionName);
      if (actions.length !== 1 || actions[0] !== type) {
        throw unsupported(chart, state, `actions of ${type} other than its own reducer: ${actions.join(', ')}`);
      }
      edges.push({
        from: stateIndex.get(state) as number,
        type: index,
        to,
        meta: transition.meta as EdgeMeta | undefined,
        guard: guardOf(definition, { state, guard: transition.guard }),
      });
    }
  }
  return edges;
}

function actionName(action: unknown): string {
  if (typeof action === 'string') return action;
  return (action as { readonly type?: string }).type ?? 'an anonymous action';
}

function guardOf<C, E extends MachineEvent>(
  definition: MachineDefinition<C, E>,
  { state, guard }: { state: string; guard: unknown },
): CompiledEdge<C>['guard'] {
  if (guard === undefined) return undefined;
  const name = typeof guard === 'string' ? guard : (guard as { readonly type?: string }).type;
  const found = name === undefined ? undefined : definition.guards?.[name];
  if (found === undefined)
    throw unsupported(definition.chart, state, `a guard that the machine does not name: ${name}`);
  return found;
}

function fillCells<C>(
  edges: readonly CompiledEdge<C>[],
  size: { readonly states: number; readonly types: number },
): { cells: Int16Array; candidates: CompiledEdge<C>[][] } {
  const cells = new Int16Array(size.states * size.types).fill(REFUSED);
  const candidates: CompiledEdge<C>[][] = [];
  for (const [cell, list] of groupByCell(edges, size.types)) {
    const [only] = list;
    if (only !== undefined && list.length === 1 && only.guard === undefined) {
      cells[cell] = only.to;
    } else {
      cells[cell] = -2 - candidates.length;
      candidates.push(list);
    }
  }
  return { cells, candidates };
}

function groupByCell<C>(edges: readonly CompiledEdge<C>[], types: number) {
  const groups = new Map<number, CompiledEdge<C>[]>();
  for (const edge of edges) {
    const cell = edge.from * types + edge.type;
    groups.set(cell, [...(groups.get(cell) ?? []), edge]);
  }
  return groups;
}

function soleTarget(edges: readonly { readonly type: number; readonly to: number }[], type: number): number {
  const targets = new Set(edges.filter((edge) => edge.type === type).map((edge) => edge.to));
  const [target] = targets;
  return targets.size === 1 && target !== undefined ? target : -1;
}

function unsupported(chart: AnyStateMachine, state: string, what: string): SwapfoldError {
  return new SwapfoldError(`The chart holds what a table cannot: ${what}.`, {
    code: 'CHART_UNSUPPORTED',
    facts: { machine: chart.id, state },
    next: 'Keep charts flat, with one reducer per event, and derive timers and effects from the state.',
  });
}

/** The state that follows, or {@link REFUSED}. */
export function nextState<C, E extends MachineEvent>(
  machine: CompiledMachine<C, E>,
  at: { readonly state: number; readonly type: number; readonly context: C },
): number {
  const cell = machine.cells[at.state * machine.types.length + at.type] as number;
  if (cell >= REFUSED) return cell;
  for (const edge of machine.candidates[-2 - cell] ?? []) {
    if (edge.guard === undefined || edge.guard(at.context)) return edge.to;
  }
  return REFUSED;
}

/** Event types that the state takes in this context, in the order of the machine's vocabulary. */
export function allowedTypes<C, E extends MachineEvent>(
  machine: CompiledMachine<C, E>,
  { state, context }: { readonly state: number; readonly context: C },
): readonly string[] {
  return machine.types.filter((_, type) => nextState(machine, { state, type, context }) !== REFUSED);
}
