import { setPriceAsk } from '../../../node/orders/asks.ts';
import type { FrameworkContext } from '../context.ts';
import type { FrameworkMethod } from '../method.ts';
import { refusedLegacyOrder } from '../order-refused.ts';
import { makerOrderJson } from '../order-shapes.ts';
import { readLegacy } from '../swap-request.ts';

/** Makes a maker's order: `base` is given for `rel`, by takers who ask for it. */
export const setprice: FrameworkMethod<FrameworkContext> = {
  name: 'setprice',
  summary: "Makes a maker's order, which answers takers until it is cancelled or filled.",
  legacy: {
    async run(request, { node: { node } }) {
      const ask = readLegacy(setPriceAsk, request);
      const order = await node.orders.setPrice(ask).catch(refusedLegacyOrder);
      return { result: makerOrderJson(order, node.orders.self) };
    },
  },
};
