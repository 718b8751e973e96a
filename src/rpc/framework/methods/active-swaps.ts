import type { SwapLog } from '../../../events/saved-swap.ts';
import { runningSwaps } from '../../../node/running-swaps.ts';
import { flag, option, struct } from '../../../node/serde.ts';
import { readListed } from '../../../node/swaps/read-swap.ts';
import type { JsonObject } from '../../../primitives/json.ts';
import type { FrameworkContext } from '../context.ts';
import { type FrameworkMethod, v2Form } from '../method.ts';
import { savedSwap, typedSwap } from '../swap-answer.ts';
import { readLegacy } from '../swap-request.ts';

const request = struct('ActiveSwapsRequest', { include_status: option(flag) });

type Serving = { readonly node: FrameworkContext };

/** The swaps that run. */
export const activeSwaps: FrameworkMethod<FrameworkContext> = {
  name: 'active_swaps',
  summary: 'Lists running swaps, with all their events if asked.',
  legacy: {
    async run(given, { node }) {
      const { include_status } = readLegacy(request, given);
      const { compatibility } = node.node;
      const { uuids, statuses } = await running(node, include_status, (swap) => savedSwap(swap, compatibility));
      return { uuids, statuses: include_status === true ? statuses : null };
    },
  },
  v2: v2Form({
    params: request,
    run: ({ include_status }: { readonly include_status: boolean | null }, { node }: Serving) =>
      running(node, include_status, (swap) => typedSwap(swap, node.node.compatibility)),
  }),
};

async function running({ node }: FrameworkContext, whole: boolean | null, show: (swap: SwapLog) => JsonObject) {
  const found = await runningSwaps(node.runtime);
  const statuses: Record<string, JsonObject> = {};
  for (const { stream, uuid } of whole === true ? found : []) {
    const swap = await readListed(node.log, stream);
    if (swap !== null) statuses[uuid] = show(swap);
  }
  return { uuids: [...new Set(found.map(({ uuid }) => uuid))], statuses };
}
