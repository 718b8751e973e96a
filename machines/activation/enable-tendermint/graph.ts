import { engine, live, specOnly } from '../../edges.ts';
import type { EventGraph } from '../../graph.ts';
import { completed, outcomes, stops } from '../task/edges.ts';

/** What the work may report, from its first step on. */
const works = {
  ActivatingCoin: { target: 'activatingCoin', meta: live },
  RequestingWalletBalance: { target: 'requestingBalance', meta: specOnly },
  Finishing: { target: 'finishing', meta: specOnly },
  Completed: { target: 'completed', meta: live },
  ...stops,
} as const;

/**
 * The event graph of a task that activates coins of a Tendermint chain. It equals that of an ETH activation task
 * (specification §3.2) without a device's requests: no device holds keys of these chains, and a remote wallet asks its
 * user itself.
 */
export const enableTendermintGraph = {
  id: 'enable-tendermint',
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
        ActivatingCoin: { target: 'activatingCoin', meta: engine },
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
    sessionLost: {
      entry: 'SessionLost',
      on: { ...works, SessionLost: { target: 'sessionLost', reenter: true, meta: engine } },
    },
    completed,
    ...outcomes,
  },
} as const satisfies EventGraph;
