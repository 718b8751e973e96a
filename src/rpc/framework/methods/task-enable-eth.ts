import type { EthFamily } from '../../../node/tasks/eth-family.ts';
import { initParams } from '../../../node/tasks/eth-params.ts';
import { taskMethods } from './task-methods.ts';

/** The tasks that activate coins of EVM chains with their tokens. */
export const taskEnableEth = taskMethods<EthFamily>({
  name: 'enable_eth',
  what: 'a coin of an EVM chain with its tokens',
  answers: 'Passes the PIN or passphrase that a device asks for to its task.',
  tasksOf: ({ ethTasks }) => ethTasks,
  init: initParams,
  action: (given) => given,
});
