import { engine, live, liveOnly, specOnly } from '../../edges.ts';
import type { EventGraph } from '../../graph.ts';
import { completed, outcomes, stops } from '../task/edges.ts';

/** Reading a public key may need a device, which asks for its PIN, its passphrase, or a press of its buttons. */
const deviceAsks = {
  FollowHwDeviceInstructions: { target: 'followingDevice', meta: live },
  EnterTrezorPin: { target: 'awaitingPin', meta: live },
  EnterTrezorPassphrase: { target: 'awaitingPassphrase', meta: live },
} as const;

/** Every exchange with a device ends in this status, whatever its outcome. */
const exchangeEnds = { ActivatingCoin: { target: 'activatingCoin', meta: live } } as const;

/** What the work may report, from its first step on. */
const works = {
  ...exchangeEnds,
  WaitingForDeviceToConnect: { target: 'waitingForDevice', meta: specOnly },
  ...deviceAsks,
  RequestingWalletBalance: { target: 'requestingBalance', meta: specOnly },
  Finishing: { target: 'finishing', meta: specOnly },
  Completed: { target: 'completed', meta: live },
  ...stops,
} as const;

/**
 * The event graph of an ETH activation task (specification §3.2).
 *
 * Every event leads to one state, whose entry action is the reducer named after that event. After a user action the task
 * reports the status that it had before the device asked: that status is in the context, and `userActionProvided` is the
 * one state that reports it, so no edge depends on the context.
 */
export const enableEthGraph = {
  id: 'enable-eth',
  initial: 'created',
  states: {
    created: { on: { TaskStarted: { target: 'started', meta: live } } },
    started: { entry: 'TaskStarted', on: works },
    activatingCoin: {
      entry: 'ActivatingCoin',
      on: { ...works, ActivatingCoin: { target: 'activatingCoin', reenter: true, meta: live } },
    },
    requestingBalance: {
      entry: 'RequestingWalletBalance',
      on: {
        ...exchangeEnds,
        WaitingForDeviceToConnect: { target: 'waitingForDevice', meta: specOnly },
        ...deviceAsks,
        Finishing: { target: 'finishing', meta: specOnly },
        Completed: { target: 'completed', meta: specOnly },
        ...stops,
      },
    },
    finishing: {
      entry: 'Finishing',
      on: {
        Completed: { target: 'completed', meta: specOnly },
        // The log did not take the outcome, or a coin in use is not active again: repeat the work.
        ActivatingCoin: { target: 'activatingCoin', meta: engine },
        ...stops,
      },
    },
    waitingForDevice: {
      entry: 'WaitingForDeviceToConnect',
      on: {
        ...exchangeEnds,
        RequestingWalletBalance: { target: 'requestingBalance', meta: specOnly },
        ...deviceAsks,
        DeviceConnectTimedOut: { target: 'deviceConnectTimedOut', meta: specOnly },
        ...stops,
      },
    },
    followingDevice: {
      entry: 'FollowHwDeviceInstructions',
      on: {
        ...exchangeEnds,
        RequestingWalletBalance: { target: 'requestingBalance', meta: specOnly },
        WaitingForDeviceToConnect: { target: 'waitingForDevice', meta: specOnly },
        FollowHwDeviceInstructions: { target: 'followingDevice', reenter: true, meta: live },
        EnterTrezorPin: { target: 'awaitingPin', meta: live },
        EnterTrezorPassphrase: { target: 'awaitingPassphrase', meta: live },
        UserActionTimedOut: { target: 'userActionTimedOut', meta: specOnly },
        ...stops,
      },
    },
    awaitingPin: {
      entry: 'EnterTrezorPin',
      on: {
        UserActionProvided: { target: 'userActionProvided', meta: live },
        WrongUserActionProvided: { target: 'wrongUserAction', meta: liveOnly },
        UserActionTimedOut: { target: 'userActionTimedOut', meta: live },
        // The device ended the exchange: someone pulled its cable, or declined on it.
        ...exchangeEnds,
        ...stops,
      },
    },
    awaitingPassphrase: {
      entry: 'EnterTrezorPassphrase',
      on: {
        UserActionProvided: { target: 'userActionProvided', meta: live },
        WrongUserActionProvided: { target: 'wrongUserAction', meta: liveOnly },
        UserActionTimedOut: { target: 'userActionTimedOut', meta: live },
        ...exchangeEnds,
        ...stops,
      },
    },
    userActionProvided: { entry: 'UserActionProvided', on: works },
    // The work starts again, so the device repeats its requests.
    sessionLost: {
      entry: 'SessionLost',
      on: { ...works, SessionLost: { target: 'sessionLost', reenter: true, meta: engine } },
    },
    wrongUserAction: {
      entry: 'WrongUserActionProvided',
      on: {
        Failed: { target: 'failed', meta: liveOnly },
        CancelRequested: { target: 'cancelling', meta: liveOnly },
      },
    },
    completed: {
      ...completed,
      on: {
        // As in logs of older releases, where the coin was not active again in the next process.
        Forgotten: { target: 'forgotten', meta: live },
        ...completed.on,
      },
    },
    userActionTimedOut: { entry: 'UserActionTimedOut', on: { Forgotten: { target: 'forgotten', meta: live } } },
    deviceConnectTimedOut: {
      entry: 'DeviceConnectTimedOut',
      on: { Forgotten: { target: 'forgotten', meta: specOnly } },
    },
    ...outcomes,
  },
} as const satisfies EventGraph;
