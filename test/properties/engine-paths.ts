import { describe, expect, it } from 'vitest';
import type { MachineEvent } from '../../machines/definition.ts';
import { type EventGraph, edgesOn } from '../../machines/graph.ts';
import type { Outcome } from '../../machines/swap-verdict.ts';
import type { Role } from '../../src/events/catalog.ts';
import { savedSwapText } from '../../src/events/encode.ts';
import { decodeSwapsText } from '../../src/events/wrappers.ts';
import { millisOf } from '../../src/primitives/time.ts';
import { replaySwap, swapMachines } from '../../src/replay/swaps.ts';
import { traceSwap } from '../../src/replay/trace.ts';
import {
  type ChartEdge,
  type ChartPath,
  chartEdges,
  edgesByState,
  isEngineEdge,
  isOpen,
  simplePaths,
} from '../../src/testing/drawn/paths.ts';
import { buildSwap } from '../../src/testing/logs/swap-builder.ts';
import { swapInvariants } from '../support/swap-invariants.ts';

/** Ways to the end that take an edge which only this engine emits, by what the log says of the money in the end. */
export type EngineEnding = {
  /** The last event about the claim, then whether there was a refund; `–` for none. */
  readonly money: string;
  readonly outcome: Outcome;
  readonly ways: number;
};

const CLAIM: Readonly<Record<Role, RegExp>> = {
  taker: /^(TakerPaymentSpent|MakerPaymentSpen.*)$/,
  maker: /^TakerPaymentSpen.*(?<!Started)$/,
};

const REFUND = /PaymentRefunded(ByWatcher)?$/;

function moneyOf(role: Role, events: readonly string[]): string {
  const claim = events.findLast((type) => CLAIM[role].test(type)) ?? '–';
  return `${claim} / ${events.find((type) => REFUND.test(type)) ?? '–'}`;
}

/** One way in so many is checked in every form; primes, so that the sample does not follow the chart's rhythm. */
const SAMPLE: Readonly<Record<Role, number>> = { taker: 127, maker: 11 };

/** Tests over every way through the role's chart that takes an edge which only this engine emits. */
export function describeEnginePaths(role: Role, endings: readonly EngineEnding[]): void {
  const { definition } = swapMachines[role];

  describe(`${definition.id}: every way to the end that only this engine goes`, () => {
    it('states in its meta when each edge with a guard is open, and of no other edge', () => {
      const conditional = chartEdges(definition).filter(({ after, without }) => after ?? without);
      expect([...guardsByEdge(definition.graph).keys()]).toEqual(conditional.map(nameOf));
    });

    it('keeps the invariants after every event, opens each edge as its meta says, and ends as the table says', () => {
      const walk = walkEveryWay(role);
      expect(walk.broken.slice(0, 5)).toEqual([]);
      expect(walk.endings).toEqual(endings);
    });

    it('is noted in a log from elsewhere, and reads the same after every event and in every form', () => {
      const engineEdges = new Set(chartEdges(definition).filter(isEngineEdge).map(nameOf));
      let index = 0;
      for (const path of simplePaths(definition)) {
        const taken = seqsOf(path, engineEdges);
        if (taken.length > 0 && index++ % SAMPLE[role] === 0) expectSound(role, path, taken);
      }
      expect(index).toBe(endings.reduce((sum, { ways }) => sum + ways, 0));
    });
  });
}

function nameOf({ from, type }: Pick<ChartEdge, 'from' | 'type'>): string {
  return `${from} ${type}`;
}

function seqsOf({ events, states }: ChartPath, edges: ReadonlySet<string>): readonly number[] {
  return events.flatMap((type, seq) => (edges.has(`${states[seq]} ${type}`) ? [seq] : []));
}

function expectSound(role: Role, path: ChartPath, engineSeqs: readonly number[]): void {
  const log = buildSwap({ role, path: path.events, seed: path.name });
  const replayed = replaySwap(log);
  expect(replayed.anomalies.filter(({ severity }) => severity === 'fault')).toEqual([]);
  const noted = replayed.anomalies.filter(({ code }) => code === 'ENGINE_ORDER').map(({ seq }) => seq);
  expect(noted, path.name).toEqual(engineSeqs);
  const steps = traceSwap(log);
  expect(steps.map(({ state }) => state)).toEqual(path.states.slice(1));
  for (const { seq, state, verdict } of steps) {
    const prefix = replaySwap({ ...log, events: log.events.slice(0, seq + 1) });
    expect({ state: prefix.state, outcome: prefix.outcome, funds: prefix.funds, next: prefix.next }).toEqual({
      state,
      ...verdict,
    });
  }
  const [again] = decodeSwapsText(savedSwapText(log));
  expect(again?.ok === true && replaySwap(again.log)).toEqual(replayed);
}

type Stand = {
  readonly context: { readonly failures: readonly unknown[]; readonly lastEventAt: number | null };
  /** Whether the way so far took an edge that only this engine takes. */
  readonly byEngine: boolean;
};

type Walk = { readonly broken: string[]; readonly endings: readonly EngineEnding[] };

/** Goes every way once, each beginning of a way only once, so that tens of thousands of ways take seconds. */
function walkEveryWay(role: Role): Walk {
  const { definition } = swapMachines[role];
  const { graph, reducers, guards = {} } = definition;
  const invariants = swapInvariants[role];
  const samples = sampleEvents(role);
  const edges = edgesByState(chartEdges(graph));
  const guardNames = guardsByEdge(graph);
  const broken: string[] = [];
  const endings = new Map<string, EngineEnding>();
  const events: string[] = [];
  const visited = new Set<string>();

  const arrive = (state: string, { context, byEngine }: Stand): void => {
    for (const { id, holds } of invariants) if (!holds(state, context)) broken.push(`${id}: ${events.join(' > ')}`);
    if (graph.states[state]?.type === 'final') {
      if (byEngine) countEnding(moneyOf(role, events), definition.verdict(state, context).outcome);
      return;
    }
    visited.add(state);
    for (const edge of edges.get(state) ?? []) {
      const open = isOpen(edge, events);
      const guard = guardNames.get(nameOf(edge));
      if (guard !== undefined && guards[guard]?.(context) !== open) broken.push(`${guard}: ${events.join(' > ')}`);
      if (open && !visited.has(edge.to)) take(edge, { context, byEngine: byEngine || isEngineEdge(edge) });
    }
    visited.delete(state);
  };

  const take = ({ type, to }: ChartEdge, { context: before, byEngine }: Stand): void => {
    const context = { ...before, failures: [...before.failures] };
    const sample = samples.get(type) as MachineEvent;
    reducers[type]?.(context, { ...sample, at: millisOf(Math.max(sample.at, (before.lastEventAt ?? 0) + 1)) });
    events.push(type);
    arrive(to, { context, byEngine });
    events.pop();
  };

  const countEnding = (money: string, outcome: Outcome): void => {
    const key = `${money} ${outcome}`;
    const ways = (endings.get(key)?.ways ?? 0) + 1;
    endings.set(key, { money, outcome, ways });
  };

  arrive('created', { context: definition.initialContext() as Stand['context'], byEngine: false });
  return { broken, endings: [...endings.values()].sort((left, right) => left.money.localeCompare(right.money)) };
}

/** One event of each type, as a node stores it. */
function sampleEvents(role: Role): ReadonlyMap<string, MachineEvent> {
  const { events } = buildSwap({ role, path: swapMachines[role].definition.eventTypes, seed: 'samples' });
  return new Map(events.map(({ type, at, data }) => [type, { type, at, data }]));
}

function guardsByEdge({ states }: EventGraph): ReadonlyMap<string, string> {
  const named = Object.entries(states).flatMap(([from, state]) =>
    Object.keys(state.on ?? {}).flatMap((type) =>
      edgesOn(state, type).flatMap(({ guard }) =>
        guard === undefined ? [] : [[nameOf({ from, type }), guard] as const],
      ),
    ),
  );
  return new Map(named);
}
