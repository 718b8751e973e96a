import { setup } from 'xstate';
import type { TakerEvent } from '../../src/events/taker.ts';
import { chartGuards, reducerActions } from '../chart.ts';
import { initialTakerSwapContext, type TakerSwapContext, takerSwapReducers } from './context.ts';
import { takerSwapGraph } from './graph.ts';
import { takerSwapGuards } from './guards.ts';

/** {@link takerSwapGraph} as an XState machine, for its tools. Its entry actions are the reducers, run on immer's drafts. */
export const takerSwapChart = setup({
  types: { context: {} as TakerSwapContext, events: {} as TakerEvent },
  actions: reducerActions<TakerSwapContext, TakerEvent>(takerSwapReducers),
  guards: chartGuards<TakerSwapContext, typeof takerSwapGuards>(takerSwapGuards),
}).createMachine({ ...takerSwapGraph, context: initialTakerSwapContext });
