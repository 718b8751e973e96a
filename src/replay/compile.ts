import type { MachineDefinition, MachineEvent } from '../../machines/definition.ts';
import { type EdgeMeta, type EdgeOrigin, edgesOn, unsupportedChart } from '../../machines/graph.ts';

/** An edge of a graph in the table's terms. */
export type CompiledEdge<C> = {
  readonly from: number;
  readonly type: number;
  readonly to: number;
  readonly meta: EdgeMeta | undefined;
  readonly guard: ((context: C) => boolean) | undefined;
};

/** Cell of the table for an event that the state does not accept. */
export const REFUSED = -1;

/**
 * A graph as a dense table: `cells[state * types.length + type]` is the state that follows, {@link REFUSED}, or, where
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
  /** The only state to which an event type leads wherever it is legal, or -1 if there are several. */
  readonly landing: Int16Array;
};

/**
 * Walks the graph once and builds the table on which every fold runs.
 *
 * @throws SwapfoldError CHART_UNSUPPORTED for states, events and guards that the definition lacks, and for a state that another event than its own
 * enters.
 *
 * @example
 * ```ts
 * import { takerSwap } from 'swapfold/machines';
 * import { compile } from 'swapfold/replay';
 *
 * const { states, types, typeIndex, initial, cells } = compile(takerSwap);
 * const cell = (type: string) => cells[initial * types.length + (typeIndex.get(type) ?? 0)] ?? -1;
 * states[cell('Started')]; // → 'negotiating'
 * states[cell('TakerPaymentSent')]; // → undefined
 * ```
 */
export function compile<C, E extends MachineEvent>(definition: MachineDefinition<C, E>): CompiledMachine<C, E> {
  const { graph } = definition;
  const states = Object.keys(graph.states);
  const types = [...definition.eventTypes];
  const stateIndex = new Map(states.map((state, index) => [state, index]));
  const typeIndex = new Map(types.map((type, index) => [type as string, index]));
  const edges = states.flatMap((state) => edgesFrom(definition, { state, stateIndex, typeIndex }));
  const { cells, candidates } = fillCells(edges, { states: states.length, types: types.length });
  return {
    definition,
    states,
    types,
    typeIndex,
    initial: stateIndex.get(graph.initial) ?? 0,
    cells,
    candidates,
    reducers: types.map((type) => definition.reducers[type as E['type']] as (draft: C, event: E) => void),
    edges,
    final: states.map((state) => graph.states[state]?.type === 'final'),
    landing: Int16Array.from(types, (_, type) => soleTarget(edges, type)),
  };
}

/** Whether an edge is in the graph for this one reason. */
export function hasOnly(meta: EdgeMeta | undefined, origin: EdgeOrigin): boolean {
  return meta !== undefined && meta.origin.length > 0 && meta.origin.every((one) => one === origin);
}

type Indexes = {
  readonly state: string;
  readonly stateIndex: ReadonlyMap<string, number>;
  readonly typeIndex: ReadonlyMap<string, number>;
};

function edgesFrom<C, E extends MachineEvent>(
  definition: MachineDefinition<C, E>,
  { state, stateIndex, typeIndex }: Indexes,
): CompiledEdge<C>[] {
  const { graph } = definition;
  const node = graph.states[state] ?? {};
  return Object.keys(node.on ?? {}).flatMap((type) => {
    const index = typeIndex.get(type);
    if (index === undefined)
      throw unsupportedChart(graph.id, state, `an event that the machine does not declare: ${type}`);
    return edgesOn(node, type).map(({ target, guard, meta }) => {
      const to = stateIndex.get(target);
      if (to === undefined) throw unsupportedChart(graph.id, state, `no state ${target}, to which ${type} leads`);
      const entry = graph.states[target]?.entry;
      if (entry !== undefined && entry !== type)
        throw unsupportedChart(graph.id, state, `${type} leads to ${target}, which ${entry} enters`);
      return {
        from: stateIndex.get(state) as number,
        type: index,
        to,
        meta,
        guard: guardOf(definition, { state, guard }),
      };
    });
  });
}

function guardOf<C, E extends MachineEvent>(
  definition: MachineDefinition<C, E>,
  { state, guard }: { readonly state: string; readonly guard: string | undefined },
): CompiledEdge<C>['guard'] {
  if (guard === undefined) return undefined;
  const found = definition.guards?.[guard];
  if (found === undefined)
    throw unsupportedChart(definition.graph.id, state, `a guard that the machine does not name: ${guard}`);
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

/** Event types that the state accepts in this context, in the order of the machine's vocabulary. */
export function allowedTypes<C, E extends MachineEvent>(
  machine: CompiledMachine<C, E>,
  { state, context }: { readonly state: number; readonly context: C },
): readonly string[] {
  return machine.types.filter((_, type) => nextState(machine, { state, type, context }) !== REFUSED);
}
