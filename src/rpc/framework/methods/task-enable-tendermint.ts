import type { TendermintFamily } from '../../../node/tendermint/family.ts';
import { tendermintInitParams } from '../../../node/tendermint/params.ts';
import { taskMethods } from './task-methods.ts';

/** The tasks that activate coins of Tendermint chains with assets. */
export const taskEnableTendermint = taskMethods<TendermintFamily>({
  name: 'enable_tendermint',
  what: 'a coin of a Tendermint chain with assets from other chains',
  answers: 'Exists for tasks that ask for input. Tasks of Tendermint chains never do, so it is refused.',
  tasksOf: ({ tendermintTasks }) => tendermintTasks,
  init: tendermintInitParams,
  // No device has keys of these chains.
  action: () => null,
});
