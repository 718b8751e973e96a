import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { setup } from 'xstate';
import { engineAfter, engineWithout, legacy, live, restart } from '../../../../machines/edges.ts';
import { makerSwapChart } from '../../../../machines/maker-swap/machine.ts';
import { takerSwapChart } from '../../../../machines/taker-swap/machine.ts';
import { legalPath } from '../../../../src/testing/drawn/legal-path.ts';
import {
  chartEdges,
  countSimplePaths,
  LIVE_ORIGINS,
  STORED_ORIGINS,
  shortestWaysToEnd,
  simplePaths,
} from '../../../../src/testing/drawn/paths.ts';

const diamond = setup({}).createMachine({
  id: 'diamond',
  initial: 'top',
  states: {
    top: {
      on: {
        Left: { target: 'left', meta: live },
        Right: { target: 'right', meta: restart },
        Again: { target: 'top', reenter: true, meta: live },
      },
    },
    left: { on: { Down: { target: 'bottom', meta: live }, Over: { target: 'right', meta: legacy('2020-02') } } },
    right: { on: { Down: { target: 'bottom', meta: live }, Back: { target: 'top', meta: live } } },
    bottom: { type: 'final' },
  },
});

describe('the simple paths of a chart', () => {
  it('are all ways to the end that enter no state twice, by name', () => {
    expect([...simplePaths(diamond)].map(({ name }) => name)).toEqual([
      'Left > Down',
      'Left > Over > Down',
      'Right > Down',
    ]);
    expect([...simplePaths(diamond)][1]?.states).toEqual(['top', 'left', 'right', 'bottom']);
  });

  it('can be restricted by where their edges come from', () => {
    expect([...simplePaths(diamond, { origins: LIVE_ORIGINS })].map(({ name }) => name)).toEqual(['Left > Down']);
    expect(countSimplePaths(diamond, { origins: ['live', 'restart'] })).toBe(2);
    expect(countSimplePaths(diamond, { origins: [] })).toBe(0);
  });

  it.each([takerSwapChart, makerSwapChart])('have names that differ, and differ from each other, in $id', (chart) => {
    const names = new Set<string>();
    const wrong: string[] = [];
    const edges = new Set(chartEdges(chart).map(({ from, type, to }) => `${from} ${type} ${to}`));
    for (const { name, events, states } of simplePaths(chart)) {
      const follows = events.every((type, index) => edges.has(`${states[index]} ${type} ${states[index + 1]}`));
      if (names.has(name) || new Set(states).size < states.length || !follows) wrong.push(name);
      names.add(name);
    }
    expect(wrong).toEqual([]);
    expect(names.size).toBeGreaterThan(1000);
  });

  it.each([
    [takerSwapChart, ['Started > Negotiated > TakerFeeSendFailed > Finished', 'StartFailed > Finished']],
    [makerSwapChart, ['Started > Negotiated > TakerFeeValidateFailed > Finished', 'StartFailed > Finished']],
  ])('contain the short failures that a live node stores', (chart, expected) => {
    const names = [...simplePaths(chart, { origins: LIVE_ORIGINS })].map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(expected));
  });
});

const conditional = setup({ guards: { leftTaken: () => true, leftNotTaken: () => true } }).createMachine({
  id: 'conditional',
  initial: 'top',
  states: {
    top: { on: { Left: { target: 'middle', meta: live }, Right: { target: 'middle', meta: live } } },
    middle: {
      on: {
        Quick: { target: 'bottom', guard: 'leftTaken', meta: engineAfter('Left') },
        Slow: { target: 'low', guard: 'leftNotTaken', meta: engineWithout('Left', 'Other') },
        On: { target: 'low', meta: live },
      },
    },
    low: { on: { Down: { target: 'bottom', meta: live } } },
    bottom: { type: 'final' },
  },
});

describe('edges that are open only after, or only without, other events', () => {
  it('are taken by simple paths and random walks only when they are open', () => {
    const ways = ['Left > Quick', 'Left > On > Down', 'Right > Slow > Down', 'Right > On > Down'];
    expect([...simplePaths(conditional)].map(({ name }) => name)).toEqual(ways);
    const walks = fc.sample(legalPath(conditional, { complete: true }), { numRuns: 500, seed: 1 });
    expect(new Set(walks.map(({ name }) => name))).toEqual(new Set(ways));
  });

  it('are not part of a path to the end that is open whatever came before', () => {
    const ways = shortestWaysToEnd(conditional);
    expect(ways.get('middle')?.map(({ type }) => type)).toEqual(['On', 'Down']);
  });

  it('are left out of what a log of the real node may hold, if only this engine emits them', () => {
    expect([...simplePaths(conditional, { origins: STORED_ORIGINS })].map(({ name }) => name)).toEqual([
      'Left > On > Down',
      'Right > On > Down',
    ]);
  });
});

describe('the shortest way to the end', () => {
  it('leads from every state of both charts to a final one', () => {
    for (const chart of [takerSwapChart, makerSwapChart]) {
      const ways = shortestWaysToEnd(chart);
      expect([...ways.keys()].sort()).toEqual(Object.keys(chart.states).sort());
      for (const [state, edges] of ways) {
        expect(edges[0]?.from ?? state).toBe(state);
        expect(edges.at(-1)?.to ?? state).toBe('finished');
      }
    }
  });

  it('is the shortest', () => {
    const ways = shortestWaysToEnd(diamond);
    expect(ways.get('top')?.map(({ type }) => type)).toEqual(['Left', 'Down']);
    expect(shortestWaysToEnd(diamond, { origins: ['restart'] }).has('top')).toBe(false);
  });
});
