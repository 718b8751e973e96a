import { type StateValueFrom, setup } from 'xstate';
import type { EnableTendermintEvent } from '../../../src/events/enable-tendermint.ts';
import { reducerActions } from '../../chart.ts';
import { type EnableTendermintContext, enableTendermintReducers, initialEnableTendermintContext } from './context.ts';
import { enableTendermintGraph } from './graph.ts';

/** {@link enableTendermintGraph} as an XState machine, for its tools. Its entry actions are the reducers, run on immer's drafts. */
export const enableTendermintChart = setup({
  types: { context: {} as EnableTendermintContext, events: {} as EnableTendermintEvent },
  actions: reducerActions<EnableTendermintContext, EnableTendermintEvent>(enableTendermintReducers),
}).createMachine({ ...enableTendermintGraph, context: initialEnableTendermintContext });

export type EnableTendermintState = StateValueFrom<typeof enableTendermintChart>;
