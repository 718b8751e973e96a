import { setup } from 'xstate';
import type { WatcherEvent } from '../../src/events/watcher.ts';
import { reducerActions } from '../chart.ts';
import { initialWatcherContext, type WatcherContext, watcherReducers } from './context.ts';
import { watcherGraph } from './graph.ts';

/** {@link watcherGraph} as an XState machine, for its tools. Its entry actions are the reducers, run on immer's drafts. */
export const watcherChart = setup({
  types: { context: {} as WatcherContext, events: {} as WatcherEvent },
  actions: reducerActions<WatcherContext, WatcherEvent>(watcherReducers),
}).createMachine({ ...watcherGraph, context: initialWatcherContext });
