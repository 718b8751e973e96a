import { type StateValueFrom, setup } from 'xstate';
import type { EnableEthEvent } from '../../../src/events/enable-eth.ts';
import { reducerActions } from '../../chart.ts';
import { type EnableEthContext, enableEthReducers, initialEnableEthContext } from './context.ts';
import { enableEthGraph } from './graph.ts';

/** {@link enableEthGraph} as an XState machine, for its tools. Its entry actions are the reducers, run on immer's drafts. */
export const enableEthChart = setup({
  types: { context: {} as EnableEthContext, events: {} as EnableEthEvent },
  actions: reducerActions<EnableEthContext, EnableEthEvent>(enableEthReducers),
}).createMachine({ ...enableEthGraph, context: initialEnableEthContext });

export type EnableEthState = StateValueFrom<typeof enableEthChart>;
