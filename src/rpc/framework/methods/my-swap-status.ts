import { struct, uuid } from '../../../node/serde.ts';
import { readSides } from '../../../node/swaps/read-swap.ts';
import type { Uuid } from '../../../primitives/ids.ts';
import type { FrameworkContext } from '../context.ts';
import { internalFailure, RpcFailure } from '../failure.ts';
import { type FrameworkMethod, v2Form } from '../method.ts';
import { statusAnswer, typedSwap } from '../swap-answer.ts';
import { uuidOfParams } from '../swap-request.ts';

type Serving = { readonly node: FrameworkContext };

/** A swap of this node, with all of its events. */
export const mySwapStatus: FrameworkMethod<FrameworkContext> = {
  name: 'my_swap_status',
  summary: 'Shows a swap of this node with all of its events.',
  legacy: {
    async run(request, { node: { node } }) {
      const id = uuidOfParams(request);
      const [swap] = await readSides(node.log, id);
      if (swap === undefined) throw internalFailure(`No swap with uuid ${id}`);
      return { result: statusAnswer(swap, node.compatibility) };
    },
  },
  v2: v2Form({
    params: struct('MySwapStatusRequest', { uuid }),
    async run({ uuid: id }: { readonly uuid: Uuid }, { node: { node } }: Serving) {
      const [swap] = await readSides(node.log, id);
      if (swap !== undefined) return typedSwap(swap, node.compatibility);
      const text = node.compatibility === 'kdf' ? id : `No swap with uuid ${id}`;
      throw new RpcFailure(text, { type: 'NoSwapWithUuid', data: id, status: 400 });
    },
  }),
};
