import { type EnableTendermintEvent, enableTendermintEventTypes } from '../../../src/events/enable-tendermint.ts';
import type { MachineDefinition } from '../../definition.ts';
import { type EnableTendermintContext, enableTendermintReducers, initialEnableTendermintContext } from './context.ts';
import { enableTendermintDeadlines } from './deadlines.ts';
import { enableTendermintGraph } from './graph.ts';
import { enableTendermintWants } from './wants.ts';

/** Task-managed activation of a coin of a Tendermint chain with its assets (specification §4.10). */
export const enableTendermintDefinition: MachineDefinition<EnableTendermintContext, EnableTendermintEvent> = {
  id: 'enable-tendermint',
  version: 1,
  graph: enableTendermintGraph,
  eventTypes: enableTendermintEventTypes,
  initialContext: initialEnableTendermintContext,
  reducers: enableTendermintReducers,
  wants: enableTendermintWants,
  deadlines: enableTendermintDeadlines,
};
