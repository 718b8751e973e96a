import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { enableTendermintChart } from '../../../../machines/activation/enable-tendermint/machine.ts';
import { phaseOf, statusResult } from '../../../../machines/activation/enable-tendermint/status.ts';
import { enableTendermintWants } from '../../../../machines/activation/enable-tendermint/wants.ts';
import { holdsCoin } from '../../../../machines/activation/task/status.ts';
import type { EnableTendermintEventType } from '../../../../src/events/enable-tendermint.ts';
import { brokenInvariants, initialSnapshot, legalTypes, nextEvent, reach, type Snapshot, take } from './support.ts';

type Route = readonly EnableTendermintEventType[];

// Shortest ways to the states from which a task ends.
const started: Route = ['TaskStarted'];
const working: Readonly<Record<string, Route>> = {
  started,
  activatingCoin: [...started, 'ActivatingCoin'],
  requestingBalance: [...started, 'RequestingWalletBalance'],
  finishing: [...started, 'Finishing'],
  sessionLost: [...started, 'Finishing', 'SessionLost'],
};
const completed: Route = [...started, 'Completed'];
const inUse: Readonly<Record<string, Route>> = {
  completed,
  reduced: [...completed, 'TokenReleased'],
  passive: [...completed, 'CoinPassivated'],
};
const kept: Readonly<Record<string, Route>> = {
  kept: [...completed, 'ResultForgotten'],
  keptReduced: [...completed, 'ResultForgotten', 'KeptTokenReleased'],
  keptPassive: [...completed, 'ResultForgotten', 'KeptCoinPassivated'],
};

/** Each terminal path, by the edge into the state that ends it. */
function* terminalPaths(): Generator<readonly [edge: string, route: Route]> {
  for (const [from, route] of Object.entries(working)) {
    yield [`${from} > Completed > completed`, [...route, 'Completed']];
    yield [`${from} > Failed > failed`, [...route, 'Failed']];
    yield [`${from} > ActivationTimedOut > activationTimedOut`, [...route, 'ActivationTimedOut']];
    yield [`cancelling > Cancelled > cancelled`, [...route, 'CancelRequested', 'Cancelled']];
  }
  for (const [from, route] of Object.entries(inUse)) {
    yield [`${from} > CoinReleased > released`, [...route, 'CoinReleased']];
    yield [`${from} > ResultForgotten > kept`, [...route, 'ResultForgotten']];
  }
  for (const [from, route] of Object.entries(kept)) yield [`${from} > Forgotten > forgotten`, [...route, 'Forgotten']];
  yield ['released > Forgotten > forgotten', [...completed, 'CoinReleased', 'Forgotten']];
  yield ['failed > Forgotten > forgotten', [...started, 'Failed', 'Forgotten']];
  yield ['activationTimedOut > Forgotten > forgotten', [...started, 'ActivationTimedOut', 'Forgotten']];
}

const ENDS = ['completed', 'kept', 'released', 'failed', 'activationTimedOut', 'cancelled', 'forgotten'];

function expectOutcome({ value, context }: Snapshot): void {
  const answer = statusResult(value, context);
  if (phaseOf(value) !== 'finished') expect(answer).toBeUndefined();
  else if (context.result !== null) expect(answer).toEqual({ status: 'Ok', details: context.result });
  else {
    const error_type = value === 'failed' ? 'Transport' : 'TaskTimedOut';
    expect(answer).toMatchObject({ status: 'Error', details: { result: { error_type } } });
  }
}

describe('every terminal path of a task that activates coins of a Tendermint chain', () => {
  it.each([...terminalPaths()])('%s', (edge, route) => {
    const [from, type, to] = edge.split(' > ');
    const before = reach(...route.slice(0, -1));
    expect([before.value, route.at(-1)]).toEqual([from, type]);
    const after = reach(...route);
    expect([after.value, brokenInvariants(after)]).toEqual([to, []]);
    expectOutcome(after);
    const wants = enableTendermintWants(after.value, after.context).map(({ effect }) => effect);
    expect(wants).toEqual(holdsCoin(after.value) ? ['registerCoins'] : []);
  });

  it('is one of those above', () => {
    const listed = new Set([...terminalPaths()].map(([edge]) => edge));
    const edges = Object.values(enableTendermintChart.states).flatMap((state) =>
      [...state.transitions].flatMap(([type, list]) =>
        list.map(({ target }) => `${state.key} > ${type} > ${target?.[0]?.key}`),
      ),
    );
    const ending = edges.filter((edge) => ENDS.includes(edge.split(' > ')[2] ?? ''));
    expect([...listed].sort()).toEqual([...new Set(ending)].sort());
  });

  it('I1, I3, I4, I5, I6, I7, I9, I10: hold after every event of every path through the chart', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 40 }), (draws) => {
        let snapshot = initialSnapshot();
        for (const draw of draws) {
          const types = legalTypes(snapshot);
          const type = types[draw % types.length];
          if (type === undefined) return;
          snapshot = take(snapshot, nextEvent(snapshot, type));
          expect(brokenInvariants(snapshot)).toEqual([]);
        }
      }),
    );
  });
});
