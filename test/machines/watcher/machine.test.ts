import { describe, expect, it } from 'vitest';
import { finalStates } from '../../../machines/graph.ts';
import { watcherDefinition } from '../../../machines/watcher/definition.ts';
import { watcherGraph } from '../../../machines/watcher/graph.ts';
import { watcherChart } from '../../../machines/watcher/machine.ts';
import { fittingStopReasons } from '../../../machines/watcher/verdict.ts';
import { stopReasons, watcherEventTypes } from '../../../src/events/watcher.ts';
import { chartEdges } from '../../../src/testing/drawn/paths.ts';

const edges = chartEdges(watcherChart);
const states = Object.keys(watcherChart.states);

describe('the chart of a watch', () => {
  it('leads every event to one state, whose entry action is the reducer of that name', () => {
    const targets = new Map<string, Set<string>>();
    for (const { type, to } of edges) targets.set(type, (targets.get(type) ?? new Set()).add(to));
    expect([...targets.keys()].sort()).toEqual([...watcherEventTypes].sort());
    for (const [type, found] of targets) {
      const [target = '', ...others] = found;
      expect(others, type).toEqual([]);
      expect(Object.entries(watcherChart.states).find(([key]) => key === target)?.[1].entry, type).toEqual([type]);
    }
  });

  it('annotates every edge with its origin, and only what follows a race as its own', () => {
    const own = edges.filter(({ origin }) => origin.includes('engine')).map(({ from, type }) => `${from} ${type}`);
    expect(edges.filter(({ origin }) => origin.length === 0)).toEqual([]);
    expect(own).toEqual([
      'claimSent MakerPaymentSpentByTaker',
      'refundSent TakerPaymentSpendFound',
      'refundSent TakerPaymentRefundedByTaker',
    ]);
  });

  it('ends in one state, which every other one but the first can reach at once', () => {
    expect(finalStates(watcherGraph)).toEqual(['stopped']);
    const stopping = edges.filter(({ type }) => type === 'Stopped').map(({ from }) => from);
    expect(stopping.sort()).toEqual(states.filter((state) => !['created', 'stopped'].includes(state)).sort());
  });

  it('never leads from a known spend back to a refund', () => {
    const after = (state: string): string[] => edges.filter(({ from }) => from === state).map(({ to }) => to);
    const reached = new Set<string>();
    const visit = (state: string) => {
      if (reached.has(state)) return;
      reached.add(state);
      after(state).forEach(visit);
    };
    visit('claiming');
    expect([...reached].sort()).toEqual(['claimSent', 'claimedByTaker', 'claiming', 'stopped']);
  });

  it('has a state for every reason to stop, and a reason for every state', () => {
    expect(new Set(states.flatMap((state) => fittingStopReasons(state)))).toEqual(new Set(stopReasons));
    for (const state of states) {
      expect(fittingStopReasons(state).length > 0, state).toBe(!['created', 'stopped'].includes(state));
    }
  });

  it('declares the events that the vocabulary has', () => {
    expect([...watcherDefinition.eventTypes]).toEqual(Object.keys(watcherDefinition.reducers));
    expect(watcherDefinition.initialContext()).not.toBe(watcherDefinition.initialContext());
  });
});
