import { type MakerEvent, makerEventTypes } from '../../src/events/maker.ts';
import type { SwapDefinition } from '../swap-verdict.ts';
import { initialMakerSwapContext, type MakerSwapContext, makerSwapReducers } from './context.ts';
import { makerSwapDeadlines } from './deadlines.ts';
import { makerSwapGraph } from './graph.ts';
import { makerSwapGuards } from './guards.ts';
import { makerSwapContradictions, makerSwapVerdict } from './verdict.ts';
import { makerSwapWants } from './wants.ts';

/** The maker's swap: event graph, recipes, wants, deadlines, verdict. */
export const makerSwap: SwapDefinition<MakerSwapContext, MakerEvent> = {
  id: 'maker-swap',
  version: 2,
  role: 'maker',
  graph: makerSwapGraph,
  eventTypes: makerEventTypes,
  initialContext: initialMakerSwapContext,
  reducers: makerSwapReducers,
  guards: makerSwapGuards,
  wants: makerSwapWants,
  deadlines: makerSwapDeadlines,
  verdict: makerSwapVerdict,
  contradictions: makerSwapContradictions,
};
