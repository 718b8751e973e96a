import type { SwapLog } from '../../../events/saved-swap.ts';
import { listSwaps, type Paging, pageOf, type SwapFilter } from '../../../node/swaps/list.ts';
import { readListed } from '../../../node/swaps/read-swap.ts';
import type { JsonObject } from '../../../primitives/json.ts';
import type { FrameworkContext } from '../context.ts';
import { RpcFailure } from '../failure.ts';
import { type FrameworkMethod, v2Form } from '../method.ts';
import { statusAnswer, typedSwap } from '../swap-answer.ts';
import { readLegacy, swapsPage } from '../swap-request.ts';

type Serving = { readonly node: FrameworkContext };
type Show = (swap: SwapLog) => JsonObject;

/** Swaps of this node, the latest first, page by page. */
export const myRecentSwaps: FrameworkMethod<FrameworkContext> = {
  name: 'my_recent_swaps',
  summary: 'Lists the swaps of this node, the latest first, page by page.',
  legacy: {
    run: async (request, { node }) => ({
      result: await recent(readLegacy(swapsPage, request), node, (swap) => statusAnswer(swap, node.node.compatibility)),
    }),
  },
  v2: v2Form({
    params: swapsPage,
    run: (asked: SwapFilter & Paging, { node }: Serving) =>
      recent(asked, node, (swap) => typedSwap(swap, node.node.compatibility)),
  }),
};

async function recent(asked: SwapFilter & Paging, { node }: FrameworkContext, show: Show): Promise<JsonObject> {
  const { from_uuid, limit, page_number } = asked;
  const page = pageOf(await listSwaps(node.log, asked), asked);
  if (page === null) {
    const text = `'from_uuid' not found: ${from_uuid}`;
    throw new RpcFailure(text, { type: 'FromUuidSwapNotFound', data: from_uuid, status: 400 });
  }
  const { rows, skipped, total, total_pages } = page;
  const swaps: JsonObject[] = [];
  for (const { stream } of rows) {
    const swap = await readListed(node.log, stream);
    if (swap !== null) swaps.push(show(swap));
  }
  return { swaps, from_uuid, skipped, limit, total, page_number, total_pages, found_records: rows.length };
}
