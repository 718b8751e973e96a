import { type EnableEthEvent, enableEthEventTypes } from '../../../src/events/enable-eth.ts';
import type { MachineDefinition } from '../../definition.ts';
import { type EnableEthContext, enableEthReducers, initialEnableEthContext } from './context.ts';
import { enableEthDeadlines } from './deadlines.ts';
import { enableEthGraph } from './graph.ts';
import { enableEthWants } from './wants.ts';

/** Task-managed activation of an ETH-family coin with its tokens (specification §3.2, §4.6 to §4.9). */
export const enableEthDefinition: MachineDefinition<EnableEthContext, EnableEthEvent> = {
  id: 'enable-eth',
  version: 3,
  graph: enableEthGraph,
  eventTypes: enableEthEventTypes,
  initialContext: initialEnableEthContext,
  reducers: enableEthReducers,
  wants: enableEthWants,
  deadlines: enableEthDeadlines,
};
