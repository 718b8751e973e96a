import { z } from 'zod';
import type { UserAction } from '../../../../machines/activation/enable-eth/commands.ts';
import type { Answer } from '../../../../machines/activation/enable-eth/decide.ts';
import type { Compatibility } from '../../../node/node.ts';
import { readAs } from '../../../node/serde.ts';
import { cancelParams, initParams, statusParams, userActionParams } from '../../../node/tasks/eth-params.ts';
import type { FrameworkContext } from '../context.ts';
import { invalidRequest } from '../dispatch.ts';
import { RpcFailure } from '../failure.ts';
import { type FrameworkMethod, v2Form } from '../method.ts';
import { statusAsThere } from '../task-answer.ts';

type Serving = { readonly node: FrameworkContext };
type ById = { readonly task_id: number };

/** @throws RpcFailure */
function resultOf(answer: Answer) {
  if (answer.ok) return answer.result;
  const { error, error_type, error_data } = answer.error;
  throw new RpcFailure(error, { type: error_type, data: error_data, status: answer.http });
}

/** Begins to activate a coin of an EVM chain with its tokens. */
export const taskEnableEthInit: FrameworkMethod<FrameworkContext> = {
  name: 'task::enable_eth::init',
  summary: 'Begins to activate a coin of an EVM chain with its tokens, and answers the id of the task.',
  v2: v2Form({
    params: z.unknown(),
    async run(params: unknown, { node: { node } }: Serving) {
      const read = readAs(initParams[node.compatibility], params);
      if (!read.ok) throw invalidRequest(read.problem);
      await node.start();
      return resultOf(await node.ethTasks.init(read.value));
    },
  }),
};

/** How a task stands; one that is over is forgotten then, unless the caller wants to read it again. */
export const taskEnableEthStatus: FrameworkMethod<FrameworkContext> = {
  name: 'task::enable_eth::status',
  summary: 'Tells how the activation of a coin of an EVM chain stands.',
  v2: v2Form({
    params: statusParams,
    async run(
      { task_id, forget_if_finished }: ById & { readonly forget_if_finished: boolean },
      { node: { node } }: Serving,
    ) {
      await node.start();
      return inForm(resultOf(await node.ethTasks.status(task_id, forget_if_finished)), node.compatibility);
    },
  }),
};

function inForm(result: ReturnType<typeof resultOf>, compatibility: Compatibility) {
  return compatibility === 'kdf' ? statusAsThere(result) : result;
}

/** Answers what a device asks for. */
export const taskEnableEthUserAction: FrameworkMethod<FrameworkContext> = {
  name: 'task::enable_eth::user_action',
  summary: 'Gives a task the PIN or the passphrase that a device asks for.',
  v2: v2Form({
    params: userActionParams,
    async run({ task_id, user_action }: ById & { readonly user_action: UserAction }, { node: { node } }: Serving) {
      await node.start();
      return resultOf(await node.ethTasks.userAction(task_id, user_action));
    },
  }),
};

/** Stops a task that is not over. */
export const taskEnableEthCancel: FrameworkMethod<FrameworkContext> = {
  name: 'task::enable_eth::cancel',
  summary: 'Stops the activation of a coin of an EVM chain.',
  v2: v2Form({
    params: cancelParams,
    async run({ task_id }: ById, { node: { node } }: Serving) {
      await node.start();
      return resultOf(await node.ethTasks.cancel(task_id));
    },
  }),
};
