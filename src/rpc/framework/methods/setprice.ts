import { setPriceAsk } from '../../../node/orders/asks.ts';
import type { JsonObject } from '../../../primitives/json.ts';
import type { FrameworkContext } from '../context.ts';
import { internalFailure } from '../failure.ts';
import type { FrameworkMethod } from '../method.ts';
import { refusedLegacyPair } from '../order-refused.ts';
import { makerOrderJson } from '../order-shapes.ts';
import { readLegacy } from '../swap-request.ts';

/** Makes a maker's order: `base` is given for `rel`, by takers who ask for it. */
export const setprice: FrameworkMethod<FrameworkContext> = {
  name: 'setprice',
  summary: "Places a maker's order, which answers takers until it is cancelled or filled.",
  legacy: {
    async run(request, { node: { node } }) {
      if (node.compatibility === 'specification') requireVolume(request);
      const ask = readLegacy(setPriceAsk, request, node);
      const order = await node.orders.setPrice(ask).catch(refusedLegacyPair(ask, node));
      return { result: makerOrderJson(order, node.orders.self) };
    },
  },
};

/** The real node takes an order of 0 where both are missing, and heeds `max` alone where both are there. @throws RpcFailure */
function requireVolume({ volume, max }: JsonObject): void {
  if (volume === undefined && max !== true) throw internalFailure('volume or max is missing');
  if (volume !== undefined && max === true) throw internalFailure('both volume and max are set: give only one of them');
}
