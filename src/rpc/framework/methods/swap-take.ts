import { takeAsk } from '../../../node/orders/asks.ts';
import type { FrameworkContext } from '../context.ts';
import { type FrameworkMethod, v2Form } from '../method.ts';
import { refusedOrder } from '../order-refused.ts';
import { takerOrderJson } from '../order-shapes.ts';

/** Takes an offer; the swap begins when its maker is there. */
export const swapTake: FrameworkMethod<FrameworkContext> = {
  name: 'swap::take',
  summary: "Accepts an offer and returns the swap's id; the swap starts once the maker is online.",
  v2: v2Form({
    params: takeAsk,
    async run({ offer }, { node: { node } }: { readonly node: FrameworkContext }) {
      const order = await node.orders.take(offer).catch(refusedOrder);
      return takerOrderJson(order, node.orders.self);
    },
  }),
};
