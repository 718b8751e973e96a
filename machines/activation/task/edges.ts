import { engine, live, specOnly } from '../../edges.ts';

// What the charts of activation tasks share. Each state that an event leads to is named here once, for all families.

/**
 * While the task works or waits, it may fail, run out of time, be told to stop, or lose the process that works on it.
 */
export const stops = {
  Failed: { target: 'failed', meta: live },
  ActivationTimedOut: { target: 'activationTimedOut', meta: specOnly },
  CancelRequested: { target: 'cancelling', meta: live },
  SessionLost: { target: 'sessionLost', meta: engine },
} as const;

/** What may happen to a coin in use. */
const inUse = {
  ResultForgotten: { target: 'kept', meta: engine },
  CoinReleased: { target: 'released', meta: engine },
  TokenReleased: { target: 'reduced', reenter: true, meta: engine },
  CoinPassivated: { target: 'passive', reenter: true, meta: engine },
  SessionLost: { target: 'sessionLost', meta: engine },
} as const;

/** The same once nobody reads the result. */
const keptInUse = {
  Forgotten: { target: 'forgotten', meta: engine },
  KeptTokenReleased: { target: 'keptReduced', reenter: true, meta: engine },
  KeptCoinPassivated: { target: 'keptPassive', reenter: true, meta: engine },
  SessionLost: { target: 'sessionLost', meta: engine },
} as const;

/** From the end of the work on: all states of a task with an outcome. */
export const outcomes = {
  // Success was already reported, so only the end of the work may follow.
  cancelling: { entry: 'CancelRequested', on: { Cancelled: { target: 'cancelled', meta: live } } },
  reduced: { entry: 'TokenReleased', on: inUse },
  passive: { entry: 'CoinPassivated', on: inUse },
  // A client that forgets a result still uses the coin.
  kept: { entry: 'ResultForgotten', on: keptInUse },
  keptReduced: { entry: 'KeptTokenReleased', on: keptInUse },
  keptPassive: { entry: 'KeptCoinPassivated', on: keptInUse },
  released: { entry: 'CoinReleased', on: { Forgotten: { target: 'forgotten', meta: engine } } },
  failed: { entry: 'Failed', on: { Forgotten: { target: 'forgotten', meta: live } } },
  activationTimedOut: { entry: 'ActivationTimedOut', on: { Forgotten: { target: 'forgotten', meta: specOnly } } },
  cancelled: { entry: 'Cancelled', type: 'final' },
  forgotten: { entry: 'Forgotten', type: 'final' },
} as const;

/** The coin is in use from here on. */
export const completed = { entry: 'Completed', on: inUse } as const;
