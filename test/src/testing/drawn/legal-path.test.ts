import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { setup } from 'xstate';
import { engineAfter, engineWithout, live } from '../../../../machines/edges.ts';
import { makerSwapChart } from '../../../../machines/maker-swap/machine.ts';
import { takerSwapChart } from '../../../../machines/taker-swap/machine.ts';
import { type LegalPathOptions, legalPath } from '../../../../src/testing/drawn/legal-path.ts';
import { type ChartPath, chartEdges, isOpen, LIVE_ORIGINS, simplePaths } from '../../../../src/testing/drawn/paths.ts';
import { draws } from '../../../support/draws.ts';

const charts = [takerSwapChart, makerSwapChart] as const;
const DRAWN = draws({ sample: 12, change: 40 });
const draw = (chart: (typeof charts)[number], options: LegalPathOptions, numRuns = DRAWN): readonly ChartPath[] =>
  fc.sample(legalPath(chart, options), { seed: 5, numRuns });

/** Follows a path edge by edge, with the guards that the edges tell of. */
function expectLegal(chart: (typeof charts)[number], { events, states }: ChartPath): void {
  const edges = chartEdges(chart);
  for (const [index, type] of events.entries()) {
    const before = events.slice(0, index);
    const taken = edges.filter(
      (edge) =>
        edge.from === states[index] && edge.type === type && edge.to === states[index + 1] && isOpen(edge, before),
    );
    expect(taken, `${type} after ${before.join()}`).not.toEqual([]);
  }
}

const share = (paths: readonly ChartPath[], type: string): number =>
  paths.filter(({ events }) => events.includes(type)).length / paths.length;

describe.each(charts)('paths with a target, in the chart $id', (chart) => {
  const types = [...new Set(chartEdges(chart).map(({ type }) => type))];
  const states = Object.keys(chart.states);

  it.each(types)('come to the event %s by legal steps and end there', (event) => {
    for (const path of draw(chart, { to: { event } })) {
      expect(path.events.indexOf(event)).toBe(path.events.length - 1);
      expectLegal(chart, path);
    }
  });

  it.each(states)('come to the state %s by legal steps and end there', (state) => {
    for (const path of draw(chart, { to: { state } })) {
      expect(path.states.indexOf(state)).toBe(path.states.length - 1);
      expectLegal(chart, path);
    }
  });

  it('continue to an end if asked to, too', () => {
    const event = chart === takerSwapChart ? 'TakerPaymentWaitRefundStarted' : 'MakerPaymentWaitRefundStarted';
    for (const path of draw(chart, { to: { event }, complete: true })) {
      expect(path.events).toContain(event);
      expect(path.states.at(-1)).toBe('finished');
      expectLegal(chart, path);
    }
  });

  it('differ, and shrink to a shortest one', () => {
    const event = chart === takerSwapChart ? 'TakerPaymentRefunded' : 'MakerPaymentRefunded';
    expect(new Set(draw(chart, { to: { event } }, 40).map(({ name }) => name)).size).toBeGreaterThan(10);
    const { counterexample } = fc.check(
      fc.property(legalPath(chart, { to: { event }, origins: LIVE_ORIGINS }), () => false),
      { seed: 1 },
    );
    const ways = [...simplePaths(chart, { origins: LIVE_ORIGINS })].flatMap(({ events }) =>
      events.includes(event) ? [events.indexOf(event) + 1] : [],
    );
    const [shortest] = (counterexample ?? []) as readonly ChartPath[];
    expect(shortest?.events.length).toBe(Math.min(...ways));
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
        Slow: { target: 'low', guard: 'leftNotTaken', meta: engineWithout('Left') },
        On: { target: 'low', meta: live },
      },
    },
    low: { on: { Down: { target: 'bottom', meta: live } } },
    bottom: { type: 'final' },
  },
});
const named = (options: LegalPathOptions) =>
  new Set(fc.sample(legalPath(conditional, options), { seed: 2, numRuns: 200 }).map(({ name }) => name));

describe('a target behind a guard', () => {
  it('is reached only by what opens the guard', () => {
    expect(named({ to: { event: 'Quick' } })).toEqual(new Set(['Left > Quick']));
    expect(named({ to: { event: 'Slow' }, complete: true })).toEqual(new Set(['Right > Slow > Down']));
  });

  it('may be out of reach, which is said at once', () => {
    const without: LegalPathOptions = { to: { event: 'Quick' }, weights: { Left: 0 } };
    expect(() => legalPath(conditional, without)).toThrow('no path leads to {"event":"Quick"} with these options');
    expect(() => legalPath(conditional, { complete: true, except: ['Quick', 'Down'] })).toThrow(
      'no path leads to an end',
    );
  });
});

describe('weights', () => {
  it('keep an event out, or let it come more or less often', () => {
    const type = 'NegotiateFailed';
    const usual = share(draw(takerSwapChart, {}, 2000), type);
    const often = share(draw(takerSwapChart, { weights: { [type]: 10 } }, 2000), type);
    const seldom = share(draw(takerSwapChart, { weights: { [type]: 0.1 } }, 2000), type);
    expect(often).toBeGreaterThan(usual * 2);
    expect(seldom).toBeLessThan(usual / 2);
    expect(share(draw(takerSwapChart, { complete: true, weights: { [type]: 0 } }, 600), type)).toBe(0);
    expect(share(draw(takerSwapChart, { complete: true, except: [type] }, 600), type)).toBe(0);
  });

  it('leave every other event in reach', () => {
    const weights = { NegotiateFailed: 0, TakerFeeSendFailed: 0.5 };
    const met = new Set(draw(takerSwapChart, { complete: true, weights }, 3000).flatMap(({ events }) => events));
    const all = chartEdges(takerSwapChart, { except: ['NegotiateFailed'] }).map(({ type }) => type);
    expect(all.filter((type) => !met.has(type))).toEqual([]);
  });

  it('of one event alone make it the only one, where another is open', () => {
    expect(named({ weights: { Left: 0 }, complete: true })).toEqual(
      new Set(['Right > On > Down', 'Right > Slow > Down']),
    );
  });
});

it.each([
  [{ too: { event: 'Finished' } }, 'options has no member too; did you mean to?'],
  [{ to: { event: 'TakerPaymentSend' } }, 'options.to.event is "TakerPaymentSend"; did you mean TakerPaymentSent'],
  [{ to: { state: 'claimin' } }, 'options.to.state is "claimin"; did you mean claiming'],
  [{ to: {} }, 'options.to is {}; allowed: either a state or an event.'],
  [
    { weights: { TakerPaymentSend: 2 } },
    'options.weights has no member TakerPaymentSend; did you mean TakerPaymentSent',
  ],
  [{ weights: { TakerPaymentSent: -1 } }, 'options.weights.TakerPaymentSent is -1; allowed: a number from 0.'],
])('what cannot be meant is refused: %j', (options, message) => {
  expect(() => legalPath(takerSwapChart, options as LegalPathOptions)).toThrow(message);
});

it.each([undefined, null, 'takerSwap', {}, { chart: undefined }])('what is not a chart is refused: %j', (target) => {
  expect(() => legalPath(target as never)).toThrow('allowed: a chart of XState, or a machine such as takerSwap.');
});
