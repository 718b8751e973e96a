import { z } from 'zod';
import { readAs } from '../../../node/serde.ts';
import { TaskFailure } from '../../../node/tasks/task-failure.ts';
import { statusOf } from '../../../node/tendermint/failure.ts';
import { tendermintParams } from '../../../node/tendermint/params.ts';
import type { JsonValue } from '../../../primitives/json.ts';
import type { FrameworkContext } from '../context.ts';
import { inParams, invalidRequest } from '../dispatch.ts';
import { RpcFailure } from '../failure.ts';
import { type FrameworkMethod, v2Form } from '../method.ts';

/** Activates a coin of a Tendermint chain with assets (specification §4.10). */
export const enableTendermintWithAssets: FrameworkMethod<FrameworkContext> = {
  name: 'enable_tendermint_with_assets',
  summary: 'Activates a coin of a Tendermint chain, with assets from other chains.',
  v2: v2Form({
    params: z.unknown(),
    async run(params: unknown, { node: { node } }: { readonly node: FrameworkContext }) {
      const read = readAs(tendermintParams[node.compatibility], params);
      if (!read.ok) throw invalidRequest(node.compatibility === 'kdf' ? read.problem : inParams(read));
      return node.enableTendermint(read.value).catch(refused);
    },
  }),
};

function refused(failure: unknown): never {
  if (!(failure instanceof TaskFailure)) throw failure;
  const { error, error_type, error_data } = failure.task;
  throw new RpcFailure(error, { type: error_type, data: error_data as JsonValue, status: statusOf(failure.task) });
}
