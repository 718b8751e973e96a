import { type TakerEvent, takerEventTypes } from '../../src/events/taker.ts';
import type { SwapDefinition } from '../swap-verdict.ts';
import { initialTakerSwapContext, type TakerSwapContext, takerSwapReducers } from './context.ts';
import { takerSwapDeadlines } from './deadlines.ts';
import { takerSwapGraph } from './graph.ts';
import { takerSwapGuards } from './guards.ts';
import { takerSwapContradictions, takerSwapVerdict } from './verdict.ts';
import { takerSwapWants } from './wants.ts';

/** The taker's swap: event graph, recipes, wants, deadlines, verdict. */
export const takerSwap: SwapDefinition<TakerSwapContext, TakerEvent> = {
  id: 'taker-swap',
  version: 2,
  role: 'taker',
  graph: takerSwapGraph,
  eventTypes: takerEventTypes,
  initialContext: initialTakerSwapContext,
  reducers: takerSwapReducers,
  guards: takerSwapGuards,
  wants: takerSwapWants,
  deadlines: takerSwapDeadlines,
  verdict: takerSwapVerdict,
  contradictions: takerSwapContradictions,
};
