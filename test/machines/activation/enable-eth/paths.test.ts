import { describe, expect, it } from 'vitest';
import { phaseOf, statusResult } from '../../../../machines/activation/enable-eth/status.ts';
import { enableEthWants } from '../../../../machines/activation/enable-eth/wants.ts';
import type { EnableEthEventType } from '../../../../src/events/enable-eth.ts';
import { enableEthEventTypes, readEnableEthEvent } from '../../../../src/events/enable-eth.ts';
import { draws } from '../../../support/draws.ts';
import {
  brokenInvariants,
  chartEdges,
  eventsOf,
  initialSnapshot,
  nextEvent,
  type TaskSnapshot,
  take,
  takeAll,
} from './support.ts';

/** States in which a task has ended, whether or not a client may still read its outcome. */
const TERMINAL = [
  'completed',
  'kept',
  'released',
  'failed',
  'userActionTimedOut',
  'deviceConnectTimedOut',
  'activationTimedOut',
  'cancelled',
  'forgotten',
];

type Route = readonly EnableEthEventType[];

// Shortest ways to the states from which an end is reached.
const started: Route = ['TaskStarted'];
const activatingCoin: Route = ['TaskStarted', 'FollowHwDeviceInstructions', 'ActivatingCoin'];
const requestingBalance: Route = ['TaskStarted', 'RequestingWalletBalance'];
const finishing: Route = ['TaskStarted', 'RequestingWalletBalance', 'Finishing'];
const waitingForDevice: Route = ['TaskStarted', 'WaitingForDeviceToConnect'];
const followingDevice: Route = ['TaskStarted', 'FollowHwDeviceInstructions'];
const awaitingPin: Route = ['TaskStarted', 'EnterTrezorPin'];
const awaitingPassphrase: Route = ['TaskStarted', 'EnterTrezorPassphrase'];
const userActionProvided: Route = [...awaitingPin, 'UserActionProvided'];
const sessionLost: Route = [...awaitingPin, 'SessionLost'];
const wrongUserAction: Route = [...awaitingPin, 'WrongUserActionProvided'];
const reduced: Route = [...started, 'Completed', 'TokenReleased'];
const passive: Route = [...started, 'Completed', 'CoinPassivated'];
const cancelling: Route = ['TaskStarted', 'CancelRequested'];

/**
 * Every terminal path of the chart. The chart has far too many paths without repeated states, so a terminal path is
 * named by the edge into the state that ends it.
 */
const paths: Readonly<Record<string, Route>> = {
  'started > Completed > completed': [...started, 'Completed'],
  'started > Failed > failed': [...started, 'Failed'],
  'started > ActivationTimedOut > activationTimedOut': [...started, 'ActivationTimedOut'],
  'activatingCoin > Completed > completed': [...activatingCoin, 'Completed'],
  'activatingCoin > Failed > failed': [...activatingCoin, 'Failed'],
  'activatingCoin > ActivationTimedOut > activationTimedOut': [...activatingCoin, 'ActivationTimedOut'],
  'requestingBalance > Completed > completed': [...requestingBalance, 'Completed'],
  'requestingBalance > Failed > failed': [...requestingBalance, 'Failed'],
  'requestingBalance > ActivationTimedOut > activationTimedOut': [...requestingBalance, 'ActivationTimedOut'],
  'finishing > Completed > completed': [...finishing, 'Completed'],
  'finishing > Failed > failed': [...finishing, 'Failed'],
  'finishing > ActivationTimedOut > activationTimedOut': [...finishing, 'ActivationTimedOut'],
  'waitingForDevice > DeviceConnectTimedOut > deviceConnectTimedOut': [...waitingForDevice, 'DeviceConnectTimedOut'],
  'waitingForDevice > Failed > failed': [...waitingForDevice, 'Failed'],
  'waitingForDevice > ActivationTimedOut > activationTimedOut': [...waitingForDevice, 'ActivationTimedOut'],
  'followingDevice > UserActionTimedOut > userActionTimedOut': [...followingDevice, 'UserActionTimedOut'],
  'followingDevice > Failed > failed': [...followingDevice, 'Failed'],
  'followingDevice > ActivationTimedOut > activationTimedOut': [...followingDevice, 'ActivationTimedOut'],
  'awaitingPin > UserActionTimedOut > userActionTimedOut': [...awaitingPin, 'UserActionTimedOut'],
  'awaitingPin > Failed > failed': [...awaitingPin, 'Failed'],
  'awaitingPin > ActivationTimedOut > activationTimedOut': [...awaitingPin, 'ActivationTimedOut'],
  'awaitingPassphrase > UserActionTimedOut > userActionTimedOut': [...awaitingPassphrase, 'UserActionTimedOut'],
  'awaitingPassphrase > Failed > failed': [...awaitingPassphrase, 'Failed'],
  'awaitingPassphrase > ActivationTimedOut > activationTimedOut': [...awaitingPassphrase, 'ActivationTimedOut'],
  'userActionProvided > Completed > completed': [...userActionProvided, 'Completed'],
  'userActionProvided > Failed > failed': [...userActionProvided, 'Failed'],
  'userActionProvided > ActivationTimedOut > activationTimedOut': [...userActionProvided, 'ActivationTimedOut'],
  'sessionLost > Completed > completed': [...sessionLost, 'Completed'],
  'sessionLost > Failed > failed': [...sessionLost, 'Failed'],
  'sessionLost > ActivationTimedOut > activationTimedOut': [...sessionLost, 'ActivationTimedOut'],
  'wrongUserAction > Failed > failed': [...wrongUserAction, 'Failed'],
  'cancelling > Cancelled > cancelled': [...cancelling, 'Cancelled'],
  'completed > CoinReleased > released': [...started, 'Completed', 'CoinReleased'],
  'reduced > CoinReleased > released': [...reduced, 'CoinReleased'],
  'reduced > ResultForgotten > kept': [...reduced, 'ResultForgotten'],
  'passive > CoinReleased > released': [...passive, 'CoinReleased'],
  'passive > ResultForgotten > kept': [...passive, 'ResultForgotten'],
  'keptPassive > Forgotten > forgotten': [
    ...started,
    'Completed',
    'ResultForgotten',
    'KeptCoinPassivated',
    'Forgotten',
  ],
  'keptReduced > Forgotten > forgotten': [...reduced, 'ResultForgotten', 'KeptTokenReleased', 'Forgotten'],
  'released > Forgotten > forgotten': [...started, 'Completed', 'CoinReleased', 'Forgotten'],
  'completed > ResultForgotten > kept': [...started, 'Completed', 'ResultForgotten'],
  'kept > Forgotten > forgotten': [...started, 'Completed', 'ResultForgotten', 'Forgotten'],
  'completed > Forgotten > forgotten': [...started, 'Completed', 'Forgotten'],
  'failed > Forgotten > forgotten': [...started, 'Failed', 'Forgotten'],
  'userActionTimedOut > Forgotten > forgotten': [...awaitingPin, 'UserActionTimedOut', 'Forgotten'],
  'deviceConnectTimedOut > Forgotten > forgotten': [...waitingForDevice, 'DeviceConnectTimedOut', 'Forgotten'],
  'activationTimedOut > Forgotten > forgotten': [...started, 'ActivationTimedOut', 'Forgotten'],
};

const errorTypeOf: Readonly<Record<string, string>> = {
  failed: 'Transport',
  userActionTimedOut: 'TaskTimedOut',
  deviceConnectTimedOut: 'TaskTimedOut',
  activationTimedOut: 'TaskTimedOut',
};

function expectOutcome({ value, context }: TaskSnapshot): void {
  const answer = statusResult(value, context);
  if (phaseOf(value) !== 'finished') expect(answer).toBeUndefined();
  else if (value === 'completed' || value === 'released')
    expect(answer).toEqual({ status: 'Ok', details: context.result });
  else expect(answer).toMatchObject({ status: 'Error', details: { result: { error_type: errorTypeOf[value] } } });
}

describe('terminal paths of an ETH activation task', () => {
  it('lists every edge into a terminal state, and no other', () => {
    const inChart = chartEdges()
      .filter(({ to }) => TERMINAL.includes(to))
      .map(({ from, type, to }) => `${from} > ${type} > ${to}`);
    expect(Object.keys(paths).sort()).toEqual(inChart.sort());
  });

  it.each(Object.entries(paths))('%s', (name, route) => {
    const [from, type, to] = name.split(' > ');
    const events = eventsOf(route);
    const snapshots: TaskSnapshot[] = [initialSnapshot()];
    for (const event of events) snapshots.push(take(snapshots.at(-1) as TaskSnapshot, event));
    const asSeen = snapshots.map((snapshot) => JSON.stringify(snapshot.context));

    expect(events.at(-1)?.type).toBe(type);
    expect(snapshots.at(-2)?.value).toBe(from);
    const last = snapshots.at(-1) as TaskSnapshot;
    expect(last.value).toBe(to);
    expect(snapshots.flatMap(brokenInvariants)).toEqual([]);
    const effects = enableEthWants(last.value, last.context).map(({ effect }) => effect);
    expect(effects).toEqual(to === 'completed' || to === 'kept' ? ['registerCoins'] : []);
    expectOutcome(last);

    const stored = JSON.parse(JSON.stringify(events)) as { type: string; at: number; data: unknown }[];
    const again = takeAll(stored.map((event, seq) => readEnableEthEvent(event, seq)));
    expect(again.value).toBe(last.value);
    expect(again.context).toEqual(last.context);
    expect(snapshots.map((snapshot) => JSON.stringify(snapshot.context))).toEqual(asSeen);
  });

  it('keeps every invariant on every path without repeated states, up to a number of them', () => {
    const most = draws({ sample: 6, change: 7 });
    let ends = 0;
    const walk = (snapshot: TaskSnapshot, seen: ReadonlySet<string>): void => {
      const broken = brokenInvariants(snapshot);
      if (broken.length > 0) throw new Error(`${[...seen].join(' ')} breaks ${broken.join(' ')}`);
      if (seen.size >= most) return;
      for (const type of enableEthEventTypes) {
        const event = nextEvent(snapshot, type);
        if (!snapshot.can(event)) continue;
        const next = take(snapshot, event);
        if (next.context.lastEventAt !== event.at)
          throw new Error(`${type} is not the last event behind ${[...seen].join(' ')}`);
        if (TERMINAL.includes(next.value)) ends += 1;
        if (!seen.has(next.value)) walk(next, new Set([...seen, next.value]));
      }
    };
    walk(initialSnapshot(), new Set(['created']));
    expect(ends).toBeGreaterThan(draws({ sample: 500, change: 2000 }));
  });
});
