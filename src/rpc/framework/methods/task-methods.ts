import { z } from 'zod';
import type { TaskAnswer } from '../../../../machines/activation/task/decide.ts';
import type { Compatibility, TradingNode } from '../../../node/node.ts';
import { readAs } from '../../../node/serde.ts';
import { cancelParams, statusParams, userActionParams } from '../../../node/tasks/eth-params.ts';
import type { FamilyTypes } from '../../../node/tasks/family.ts';
import type { Init, PlatformTasks } from '../../../node/tasks/platform-tasks.ts';
import type { FrameworkContext } from '../context.ts';
import { inParams, invalidRequest } from '../dispatch.ts';
import { RpcFailure } from '../failure.ts';
import { type FrameworkMethod, v2Form } from '../method.ts';
import { statusAsThere, type ToldStatus } from '../task-answer.ts';

type Serving = { readonly node: FrameworkContext };
type ById = { readonly task_id: number };
type UserAction = z.output<typeof userActionParams>['user_action'];

export type FamilyOfMethods<F extends FamilyTypes & { readonly result: ToldStatus }> = {
  /** Between the colons of a method's name. */
  readonly name: string;
  /** What is activated, in a sentence. */
  readonly what: string;
  /** What `user_action` does, in one sentence. */
  readonly answers: string;
  readonly tasksOf: (node: TradingNode) => PlatformTasks<F>;
  readonly init: Readonly<Record<Compatibility, z.ZodType<Init<F['request']>>>>;
  readonly action: (given: UserAction) => F['action'];
};

type Methods = Readonly<Record<'init' | 'status' | 'userAction' | 'cancel', FrameworkMethod<FrameworkContext>>>;

/** `task::<name>::{init,status,user_action,cancel}` of a family of tasks (specification §4.6 to §4.9). */
export function taskMethods<F extends FamilyTypes & { readonly result: ToldStatus }>(
  family: FamilyOfMethods<F>,
): Methods {
  const { name, what, answers, tasksOf, init, action } = family;
  const tasksIn = async ({ node: { node } }: Serving): Promise<PlatformTasks<F>> => {
    await node.start();
    return tasksOf(node);
  };
  return {
    init: {
      name: `task::${name}::init`,
      summary: `Starts to activate ${what}, and returns the task's id.`,
      v2: v2Form({
        params: z.unknown(),
        async run(params: unknown, serving: Serving) {
          const { compatibility } = serving.node.node;
          const read = readAs(init[compatibility], params);
          if (!read.ok) throw invalidRequest(compatibility === 'kdf' ? read.problem : inParams(read));
          return resultOf(await (await tasksIn(serving)).init(read.value));
        },
      }),
    },
    status: {
      name: `task::${name}::status`,
      summary: `Returns the status of the activation of ${what}.`,
      v2: v2Form({
        params: statusParams,
        async run({ task_id, forget_if_finished }: z.output<typeof statusParams>, serving: Serving) {
          const result = resultOf(await (await tasksIn(serving)).status(task_id, forget_if_finished));
          return serving.node.node.compatibility === 'kdf' ? statusAsThere(result) : result;
        },
      }),
    },
    userAction: {
      name: `task::${name}::user_action`,
      summary: answers,
      v2: v2Form({
        params: userActionParams,
        async run({ task_id, user_action }: z.output<typeof userActionParams>, serving: Serving) {
          return resultOf(await (await tasksIn(serving)).userAction(task_id, action(user_action)));
        },
      }),
    },
    cancel: {
      name: `task::${name}::cancel`,
      summary: `Stops the activation of ${what}.`,
      v2: v2Form({
        params: cancelParams,
        async run({ task_id }: ById, serving: Serving) {
          return resultOf(await (await tasksIn(serving)).cancel(task_id));
        },
      }),
    },
  };
}

/** @throws RpcFailure */
function resultOf<T>(answer: TaskAnswer<T>) {
  if (answer.ok) return answer.result;
  const { error, error_type, error_data } = answer.error;
  throw new RpcFailure(error, { type: error_type, data: error_data, status: answer.http });
}
