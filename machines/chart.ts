import { type Draft, produce } from 'immer';
import { type AnyStateMachine, assign } from 'xstate';
import type { Guards, MachineEvent, Reducers } from './definition.ts';
import { type EdgeMeta, type EventGraph, type GraphEdge, type GraphState, unsupportedChart } from './graph.ts';

type AnyReducer<C, E> = (draft: C, event: E) => void;

/**
 * The XState actions of a chart: one `assign` per reducer, of the reducer's name. Each runs its recipe inside immer's
 * `produce`, so a snapshot that a caller holds never changes.
 *
 * @example
 * ```ts
 * import { millisOf } from 'swapfold';
 * import { makerSwap, makerSwapChart, reducerActions } from 'swapfold/machines';
 * import { initialTransition, transition } from 'xstate';
 *
 * const chart = makerSwapChart.provide({ actions: reducerActions(makerSwap.reducers) });
 * const [start] = initialTransition(chart);
 * const failure = { at: millisOf(1734560398123), data: { error: 'no coins' } };
 * const [next] = transition(chart, start, { type: 'StartFailed', ...failure });
 * next.value; // → 'startFailed'
 * next.context.failures; // → [{ event: 'StartFailed', at: 1734560398123, error: 'no coins' }]
 * ```
 */
export function reducerActions<C, E extends MachineEvent, T extends E['type'] = E['type']>(reducers: Reducers<C, E>) {
  const actions = Object.entries(reducers).map(([type, reducer]) => [
    type,
    assign<C & object, E, undefined, E, never>(({ context, event }) =>
      produce(context, (draft: Draft<C & object>) => {
        (reducer as AnyReducer<Draft<C & object>, E>)(draft, event);
      }),
    ),
  ]);
  return Object.fromEntries(actions) as Record<T, ReturnType<typeof assign<C & object, E, undefined, E, never>>>;
}

/**
 * The guards of a chart, in the form that XState takes.
 *
 * @example
 * ```ts
 * import { chartGuards } from 'swapfold/machines';
 *
 * type Payment = { readonly paid: number };
 * const isPaid = ({ paid }: Payment) => paid > 0;
 * const guards = chartGuards<Payment, { isPaid: typeof isPaid }>({ isPaid });
 * guards.isPaid({ context: { paid: 0 } }); // → false
 * guards.isPaid({ context: { paid: 0.15 } }); // → true
 * ```
 */
export function chartGuards<C, G extends Guards<C>>(guards: G) {
  const wrapped = Object.entries(guards).map(([name, holds]) => [
    name,
    ({ context }: { readonly context: C }) => holds(context),
  ]);
  return Object.fromEntries(wrapped) as Record<keyof G & string, (at: { readonly context: C }) => boolean>;
}

/**
 * The graph of an XState machine, for machines defined outside this package.
 *
 * @throws SwapfoldError CHART_UNSUPPORTED for what a graph cannot hold: nested or parallel states, timers, invoked actors,
 * eventless transitions, unnamed guards, or actions other than the one reducer named after the event.
 *
 * @example
 * ```ts
 * import { graphOf } from 'swapfold/machines';
 * import { createMachine } from 'xstate';
 *
 * const on = { Open: { target: 'open', actions: 'Open' } };
 * const door = createMachine({ initial: 'shut', states: { shut: { on }, open: { type: 'final' } } });
 * graphOf(door).states; // → {
 * //   shut: { on: { Open: [{ target: 'open' }] } }, open: { type: 'final', on: {} },
 * // }
 * const clock = createMachine({ initial: 'tick', states: { tick: { after: { 1000: 'tick' } } } });
 * graphOf(clock); // throws CHART_UNSUPPORTED
 * ```
 */
export function graphOf(chart: AnyStateMachine): EventGraph {
  for (const node of Object.values(chart.states)) checkNode(chart, node);
  return wiresOf(chart);
}

/** As {@link graphOf}, for the edges only: it does not check what else the machine holds. */
export function wiresOf(chart: AnyStateMachine): EventGraph {
  const states = Object.values(chart.states).map((node) => [node.key, stateOf(node)]);
  return { id: chart.id, initial: chart.root.initial.target[0]?.key ?? '', states: Object.fromEntries(states) };
}

type Node = AnyStateMachine['states'][string];

function checkNode({ id }: AnyStateMachine, node: Node): void {
  const refuse = (what: string) => unsupportedChart(id, node.key, what);
  if (node.type !== 'atomic' && node.type !== 'final') throw refuse(`a ${node.type} state`);
  if (node.invoke.length > 0) throw refuse('an invoked actor');
  if (node.after.length > 0) throw refuse('a timer');
  if ((node.always?.length ?? 0) > 0) throw refuse('a transition without event');
  if (node.exit.length > 0) throw refuse('an exit action');
  for (const [type, transitions] of node.transitions) {
    for (const { target: [target] = [], actions: own, guard } of transitions) {
      if (target === undefined) throw refuse(`no target for ${type}`);
      const actions = [...own, ...target.entry].map((action) => nameOf(action) ?? 'an anonymous action');
      if (actions.length !== 1 || actions[0] !== type)
        throw refuse(`actions of ${type} other than its own reducer: ${actions.join(', ')}`);
      if (guard !== undefined && nameOf(guard) === undefined) throw refuse('a guard without a name');
    }
  }
}

function stateOf(node: Node): GraphState {
  const on = [...node.transitions].map(([type, transitions]) => [
    type,
    transitions.flatMap((transition): GraphEdge[] => {
      const target = transition.target?.[0];
      if (target === undefined) return [];
      const guard = nameOf(transition.guard);
      const meta = transition.meta as EdgeMeta | undefined;
      return [{ target: target.key, ...(guard !== undefined && { guard }), ...(meta !== undefined && { meta }) }];
    }),
  ]);
  return { ...(node.type === 'final' && { type: 'final' }), on: Object.fromEntries(on) };
}

function nameOf(part: unknown): string | undefined {
  return typeof part === 'string' ? part : (part as { readonly type?: string } | undefined)?.type;
}
