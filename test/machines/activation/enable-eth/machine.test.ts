import { describe, expect, it } from 'vitest';
import { getShortestPaths } from 'xstate/graph';
import { enableEthDefinition } from '../../../../machines/activation/enable-eth/definition.ts';
import { enableEthGraph } from '../../../../machines/activation/enable-eth/graph.ts';
import { type EnableEthState, enableEthChart } from '../../../../machines/activation/enable-eth/machine.ts';
import { phaseOf } from '../../../../machines/activation/enable-eth/status.ts';
import { holdsCoin } from '../../../../machines/activation/task/status.ts';
import { finalStates } from '../../../../machines/graph.ts';
import { type EnableEthEvent, enableEthEventTypes } from '../../../../src/events/enable-eth.ts';
import { chartEdges, initialSnapshot, legalTypes, nextEvent, reach, type TaskSnapshot, take } from './support.ts';

const states = Object.keys(enableEthChart.states);

const shortest = getShortestPaths(enableEthChart, {
  events: (snapshot) => legalTypes(snapshot).map((type) => nextEvent(snapshot, type)),
  serializeState: (snapshot) => String(snapshot.value),
  serializeEvent: (event) => event.type,
});

function shortestTo(state: string): readonly EnableEthEvent[] {
  const path = shortest.find((candidate) => candidate.state.value === state);
  if (path === undefined) throw new Error(`no path leads to ${state}`);
  // The first step of a path is XState's own start event.
  return path.steps.map(({ event }) => event).filter(({ type }) => enableEthEventTypes.includes(type));
}

const OF_A_COIN = ['ResultForgotten', 'CoinReleased', 'TokenReleased', 'CoinPassivated', 'SessionLost'];
const PLACES = ['Forgotten', ...OF_A_COIN];
const byPlace = (left: string, right: string) => PLACES.indexOf(left) - PLACES.indexOf(right);

describe('the chart of an ETH activation task', () => {
  it('reaches every state', () => {
    expect(new Set(shortest.map(({ state }) => state.value))).toEqual(new Set(states));
  });

  it.each(chartEdges())('accepts $type in $from to $to', ({ from, type, to }) => {
    const before = shortestTo(from).reduce(take, initialSnapshot());
    expect(before.value).toBe(from);
    expect(take(before, nextEvent(before, type)).value).toBe(to);
  });

  it('leads every event to one state, whose entry action is the reducer of that name', () => {
    const targets = new Map<string, Set<string>>();
    for (const { type, to } of chartEdges()) targets.set(type, (targets.get(type) ?? new Set()).add(to));
    expect([...targets.keys()].sort()).toEqual([...enableEthEventTypes].sort());
    for (const [type, [target, ...others]] of targets) {
      expect(others, type).toEqual([]);
      const entry = enableEthChart.states[target as EnableEthState]?.entry;
      expect(entry, type).toEqual([type]);
    }
  });

  it('annotates every edge with its origin', () => {
    const bare = Object.values(enableEthChart.states).flatMap((state) =>
      [...state.transitions.values()].flat().filter(({ meta }) => meta === undefined),
    );
    expect(bare).toEqual([]);
  });

  it('ends only where a client finds no task', () => {
    expect(finalStates(enableEthGraph)).toEqual(['cancelled', 'forgotten']);
    for (const state of finalStates(enableEthGraph)) expect(phaseOf(state)).toBe('unknown');
  });

  it('accepts only forgetting after a finished task', () => {
    for (const state of states.filter((name) => phaseOf(name) === 'finished')) {
      expect(
        chartEdges()
          .filter(({ from }) => from === state)
          .map(({ type }) => type),
        state,
      ).toEqual(
        // As logs of older releases have it.
        [...(holdsCoin(state) ? OF_A_COIN : []), ...(['reduced', 'passive'].includes(state) ? [] : ['Forgotten'])].sort(
          byPlace,
        ),
      );
    }
  });

  it('records a lost process wherever one held something for the task, whether or not its result was read', () => {
    const takes = chartEdges().filter(({ type }) => type === 'SessionLost');
    const holds = states.filter((name) => ['inProgress', 'awaiting'].includes(phaseOf(name)) || holdsCoin(name));
    // Of a wrong answer the failure alone is left to be told.
    expect(takes.map(({ from }) => from).sort()).toEqual(holds.filter((name) => name !== 'wrongUserAction').sort());
  });

  it.each([
    ['one exchange', ['EnterTrezorPin', 'UserActionProvided', 'ActivatingCoin', 'Completed']],
    [
      'one exchange that asks for all there is',
      [
        'EnterTrezorPin',
        'UserActionProvided',
        'EnterTrezorPassphrase',
        'UserActionProvided',
        'FollowHwDeviceInstructions',
        'FollowHwDeviceInstructions',
        'FollowHwDeviceInstructions',
        'ActivatingCoin',
        'Completed',
      ],
    ],
    ['exchanges without a question', ['ActivatingCoin', 'ActivatingCoin', 'ActivatingCoin', 'Failed']],
    ['an exchange while balances are asked for', ['RequestingWalletBalance', 'ActivatingCoin', 'Completed']],
    ['a device that is unplugged while its PIN is awaited', ['EnterTrezorPin', 'ActivatingCoin', 'Failed']],
    [
      'a device that takes no passphrase after all',
      ['EnterTrezorPin', 'UserActionProvided', 'EnterTrezorPassphrase', 'ActivatingCoin', 'Failed'],
    ],
  ] as const)('accepts what the real node reports of %s', (_, route) => {
    expect(['completed', 'failed']).toContain(reach('TaskStarted', ...route).value);
  });

  it('counts the wait for a button from the last of several', () => {
    const first = reach('TaskStarted', 'FollowHwDeviceInstructions');
    const second = take(first, nextEvent(first, 'FollowHwDeviceInstructions'));
    expect(second.context.waitingSince).toBe(second.context.lastEventAt);
    expect(second.context.waitingSince).toBeGreaterThan(first.context.waitingSince ?? 0);
  });

  it.each(['started', 'awaitingPin', 'awaitingPassphrase', 'followingDevice', 'finishing', 'completed'] as const)(
    'starts over once the process was lost in %s',
    (state) => {
      const before = shortestTo(state).reduce(take, initialSnapshot());
      const { value, context } = take(before, nextEvent(before, 'SessionLost'));
      expect(value).toBe('sessionLost');
      expect(context).toMatchObject({ status: 'ActivatingCoin', awaiting: null, waitingSince: null, restarts: 1 });
      expect(context).toMatchObject({ result: null, error: null, endedAt: null });
    },
  );

  it('accepts only the end of the work after a cancellation', () => {
    expect(chartEdges().filter(({ from }) => from === 'cancelling')).toEqual([
      { from: 'cancelling', type: 'Cancelled', to: 'cancelled' },
    ]);
  });

  it('returns to the status that it had before the device asked', () => {
    const statuses = [
      'ActivatingCoin',
      'RequestingWalletBalance',
      'WaitingForDeviceToConnect',
      'FollowHwDeviceInstructions',
    ] as const;
    for (const status of statuses) {
      for (const ask of ['EnterTrezorPin', 'EnterTrezorPassphrase'] as const) {
        const through = status === 'ActivatingCoin' ? [] : [status];
        const { value, context } = reach('TaskStarted', ...through, ask, 'UserActionProvided');
        expect(value).toBe('userActionProvided');
        expect(context.status).toBe(status);
      }
    }
  });

  it('declares the events that the vocabulary has', () => {
    expect(new Set<string>(enableEthDefinition.eventTypes)).toEqual(new Set(Object.keys(enableEthDefinition.reducers)));
  });

  it('refuses every event that no edge accepts', () => {
    for (const state of states) {
      const snapshot: TaskSnapshot = shortestTo(state).reduce(take, initialSnapshot());
      const taken = chartEdges()
        .filter(({ from }) => from === state)
        .map(({ type }) => type);
      expect(new Set(legalTypes(snapshot)), state).toEqual(new Set(taken));
    }
  });
});
