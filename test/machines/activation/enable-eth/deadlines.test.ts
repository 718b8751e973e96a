import { describe, expect, it } from 'vitest';
import { enableEthDeadlines } from '../../../../machines/activation/enable-eth/deadlines.ts';
import { type EnableEthEventType, readEnableEthEvent } from '../../../../src/events/enable-eth.ts';
import { loggedRequest } from '../../../../src/events/enable-eth-request.ts';
import { initialSnapshot, nextEvent, request, START, take, takeAll } from './support.ts';

function startedWith(limits: object | undefined) {
  const data = { task_id: 1, params: loggedRequest(request), ...(limits === undefined ? {} : { limits }) };
  return takeAll([readEnableEthEvent({ type: 'TaskStarted', at: START, data })]);
}

function deadlinesAfter(limits: object | undefined, ...route: EnableEthEventType[]) {
  const { value, context } = route.reduce(
    (snapshot, type) => take(snapshot, nextEvent(snapshot, type)),
    startedWith(limits),
  );
  return enableEthDeadlines(value, context).map(({ kind, at, clock }) => `${kind} +${(at - START) / 1000} ${clock}`);
}

describe('deadlines of an activation task', () => {
  it('do not exist for the activation itself unless a limit was given', () => {
    expect(deadlinesAfter(undefined)).toEqual([]);
    expect(deadlinesAfter({ activation: 60 })).toEqual(['ActivationTimedOut +60 host']);
  });

  it.each([
    ['WaitingForDeviceToConnect', 'DeviceConnectTimedOut'],
    ['FollowHwDeviceInstructions', 'UserActionTimedOut'],
    ['EnterTrezorPin', 'UserActionTimedOut'],
    ['EnterTrezorPassphrase', 'UserActionTimedOut'],
  ] as const)('end %s 300 s after it began', (type, kind) => {
    expect(deadlinesAfter(undefined, type)).toEqual([`${kind} +301 host`]);
  });

  it('use the limits of the log and not those of the day', () => {
    expect(deadlinesAfter({ user_action: 20, activation: 90 }, 'EnterTrezorPin')).toEqual([
      'UserActionTimedOut +21 host',
      'ActivationTimedOut +90 host',
    ]);
  });

  it('do not exist once a user action came, was wrong, or the task was told to stop', () => {
    expect(deadlinesAfter(undefined, 'EnterTrezorPin', 'UserActionProvided')).toEqual([]);
    expect(deadlinesAfter({ activation: 60 }, 'EnterTrezorPin', 'WrongUserActionProvided')).toEqual([]);
    expect(deadlinesAfter({ activation: 60 }, 'EnterTrezorPin', 'CancelRequested')).toEqual([]);
  });

  it('do not exist if there is no task', () => {
    const { value, context } = initialSnapshot();
    expect(enableEthDeadlines(value, context)).toEqual([]);
  });

  it('do not exist if the log does not say since when', () => {
    const { context } = startedWith({ activation: 60 });
    expect(enableEthDeadlines('awaitingPin', { ...context, startedAt: null })).toEqual([]);
    expect(enableEthDeadlines('waitingForDevice', { ...context, startedAt: null })).toEqual([]);
  });
});
