import { setup } from 'xstate';
import type { MakerEvent } from '../../src/events/maker.ts';
import { chartGuards, reducerActions } from '../chart.ts';
import { initialMakerSwapContext, type MakerSwapContext, makerSwapReducers } from './context.ts';
import { makerSwapGraph } from './graph.ts';
import { makerSwapGuards } from './guards.ts';

/** {@link makerSwapGraph} as an XState machine, for its tools. Its entry actions are the reducers, run on immer's drafts. */
export const makerSwapChart = setup({
  types: { context: {} as MakerSwapContext, events: {} as MakerEvent },
  actions: reducerActions<MakerSwapContext, MakerEvent>(makerSwapReducers),
  guards: chartGuards<MakerSwapContext, typeof makerSwapGuards>(makerSwapGuards),
}).createMachine({ ...makerSwapGraph, context: initialMakerSwapContext });
