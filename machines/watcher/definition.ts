import { type WatcherEvent, watcherEventTypes } from '../../src/events/watcher.ts';
import type { MachineDefinition } from '../definition.ts';
import { initialWatcherContext, type WatcherContext, watcherReducers } from './context.ts';
import { watcherDeadlines } from './deadlines.ts';
import { watcherGraph } from './graph.ts';
import { watcherSentence } from './story.ts';
import { type WatchOutcome, watchOutcome } from './verdict.ts';
import { watcherWants } from './wants.ts';

/** A watch's machine with what it can say about itself. */
export type WatcherDefinition = MachineDefinition<WatcherContext, WatcherEvent> & {
  readonly outcome: (context: WatcherContext) => WatchOutcome;
  /** One plain sentence about an event, given the context after it. */
  readonly sentence: (event: WatcherEvent, context: WatcherContext) => string;
};

/** A third party that claims or refunds for a taker who is offline; its streams are `watcher/<uuid>`. */
export const watcherDefinition: WatcherDefinition = {
  id: 'watcher',
  version: 1,
  graph: watcherGraph,
  eventTypes: watcherEventTypes,
  initialContext: initialWatcherContext,
  reducers: watcherReducers,
  wants: watcherWants,
  deadlines: watcherDeadlines,
  outcome: watchOutcome,
  sentence: watcherSentence,
};
