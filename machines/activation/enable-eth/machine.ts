import { type StateValueFrom, setup } from 'xstate';
import type { EnableEthEvent } from '../../../src/events/enable-eth.ts';
import { reducerActions } from '../../definition.ts';
import { live, liveOnly, specOnly } from '../../edges.ts';
import { type EnableEthContext, enableEthReducers, initialEnableEthContext } from './context.ts';

/** While the task works or waits: it may fail, run out of time, or be told to stop. */
const stops = {
  Failed: { target: 'failed', meta: live },
  ActivationTimedOut: { target: 'activationTimedOut', meta: specOnly },
  CancelRequested: { target: 'cancelling', meta: live },
} as const;

/** A device may be needed to read a public key: it asks for its PIN, its passphrase, or a press of its buttons. */
const deviceAsks = {
  FollowHwDeviceInstructions: { target: 'followingDevice', meta: live },
  EnterTrezorPin: { target: 'awaitingPin', meta: live },
  EnterTrezorPassphrase: { target: 'awaitingPassphrase', meta: live },
} as const;

/**
 * The event graph of an ETH activation task (specification §3.2).
 *
 * Every event leads to one state, whose entry action is the reducer named after that event. After a user action the task
 * reports the status that it had before the device asked: that status is in the context, and `userActionProvided` is the
 * one state that reports it, so no edge depends on the context.
 */
export const enableEthChart = setup({
  types: { context: {} as EnableEthContext, events: {} as EnableEthEvent },
  actions: reducerActions<EnableEthContext, EnableEthEvent>(enableEthReducers),
}).createMachine({
  id: 'enable-eth',
  context: initialEnableEthContext,
  initial: 'created',
  states: {
    created: { on: { TaskStarted: { target: 'started', meta: live } } },
    started: {
      entry: 'TaskStarted',
      on: {
        WaitingForDeviceToConnect: { target: 'waitingForDevice', meta: specOnly },
        ...deviceAsks,
        RequestingWalletBalance: { target: 'requestingBalance', meta: specOnly },
        Finishing: { target: 'finishing', meta: specOnly },
        Completed: { target: 'completed', meta: live },
        ...stops,
      },
    },
    activatingCoin: {
      entry: 'ActivatingCoin',
      on: {
        WaitingForDeviceToConnect: { target: 'waitingForDevice', meta: specOnly },
        ...deviceAsks,
        RequestingWalletBalance: { target: 'requestingBalance', meta: specOnly },
        Finishing: { target: 'finishing', meta: specOnly },
        Completed: { target: 'completed', meta: live },
        ...stops,
      },
    },
    requestingBalance: {
      entry: 'RequestingWalletBalance',
      on: {
        WaitingForDeviceToConnect: { target: 'waitingForDevice', meta: specOnly },
        ...deviceAsks,
        Finishing: { target: 'finishing', meta: specOnly },
        Completed: { target: 'completed', meta: specOnly },
        ...stops,
      },
    },
    finishing: { entry: 'Finishing', on: { Completed: { target: 'completed', meta: specOnly }, ...stops } },
    waitingForDevice: {
      entry: 'WaitingForDeviceToConnect',
      on: {
        ActivatingCoin: { target: 'activatingCoin', meta: specOnly },
        RequestingWalletBalance: { target: 'requestingBalance', meta: specOnly },
        ...deviceAsks,
        DeviceConnectTimedOut: { target: 'deviceConnectTimedOut', meta: specOnly },
        ...stops,
      },
    },
    followingDevice: {
      entry: 'FollowHwDeviceInstructions',
      on: {
        ActivatingCoin: { target: 'activatingCoin', meta: live },
        RequestingWalletBalance: { target: 'requestingBalance', meta: specOnly },
        WaitingForDeviceToConnect: { target: 'waitingForDevice', meta: specOnly },
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
        ...stops,
      },
    },
    awaitingPassphrase: {
      entry: 'EnterTrezorPassphrase',
      on: {
        UserActionProvided: { target: 'userActionProvided', meta: live },
        WrongUserActionProvided: { target: 'wrongUserAction', meta: liveOnly },
        UserActionTimedOut: { target: 'userActionTimedOut', meta: live },
        ...stops,
      },
    },
    userActionProvided: {
      entry: 'UserActionProvided',
      on: {
        ActivatingCoin: { target: 'activatingCoin', meta: live },
        RequestingWalletBalance: { target: 'requestingBalance', meta: specOnly },
        WaitingForDeviceToConnect: { target: 'waitingForDevice', meta: specOnly },
        ...deviceAsks,
        Finishing: { target: 'finishing', meta: specOnly },
        Completed: { target: 'completed', meta: live },
        ...stops,
      },
    },
    wrongUserAction: {
      entry: 'WrongUserActionProvided',
      on: {
        Failed: { target: 'failed', meta: liveOnly },
        CancelRequested: { target: 'cancelling', meta: liveOnly },
      },
    },
    cancelling: {
      entry: 'CancelRequested',
      on: {
        Cancelled: { target: 'cancelled', meta: live },
        // Work that ended before it could be stopped wins, and the task is back with its outcome.
        Completed: { target: 'completed', meta: liveOnly },
        Failed: { target: 'failed', meta: liveOnly },
      },
    },
    completed: { entry: 'Completed', on: { Forgotten: { target: 'forgotten', meta: live } } },
    failed: { entry: 'Failed', on: { Forgotten: { target: 'forgotten', meta: live } } },
    userActionTimedOut: { entry: 'UserActionTimedOut', on: { Forgotten: { target: 'forgotten', meta: live } } },
    deviceConnectTimedOut: {
      entry: 'DeviceConnectTimedOut',
      on: { Forgotten: { target: 'forgotten', meta: specOnly } },
    },
    activationTimedOut: { entry: 'ActivationTimedOut', on: { Forgotten: { target: 'forgotten', meta: specOnly } } },
    cancelled: { entry: 'Cancelled', type: 'final' },
    forgotten: { entry: 'Forgotten', type: 'final' },
  },
});

export type EnableEthState = StateValueFrom<typeof enableEthChart>;
