import { takerAsk } from '../../../node/orders/asks.ts';
import type { FrameworkContext } from '../context.ts';
import type { FrameworkMethod } from '../method.ts';
import { refusedLegacyPair } from '../order-refused.ts';
import { takerOrderJson } from '../order-shapes.ts';
import { readLegacy } from '../swap-request.ts';

/** Asks makers for `rel` and gives `base`. The swap has the id of the order. */
export const sell: FrameworkMethod<FrameworkContext> = {
  name: 'sell',
  summary: 'Asks makers for `rel` and gives `base`.',
  legacy: {
    async run(request, { node: { node } }) {
      const ask = readLegacy(takerAsk, request, node);
      const order = await node.orders.sell(ask).catch(refusedLegacyPair(ask, node));
      return { result: takerOrderJson(order, node.orders.self) };
    },
  },
};
