import type { FrameworkContext } from '../context.ts';
import type { FrameworkMethod } from '../method.ts';
import { ownMakerOrderJson, ownTakerOrderJson } from '../order-shapes.ts';

/** All own orders that stand. */
export const myOrders: FrameworkMethod<FrameworkContext> = {
  name: 'my_orders',
  summary: "Lists this node's open orders, with their current matches.",
  legacy: {
    run(_request, { node: { node } }) {
      const { self } = node.orders;
      const makers = node.orders.makers().map((order) => [order.uuid, ownMakerOrderJson(order, self)] as const);
      const takers = node.orders.takers().map((order) => [order.request.uuid, ownTakerOrderJson(order, self)] as const);
      return { result: { maker_orders: Object.fromEntries(makers), taker_orders: Object.fromEntries(takers) } };
    },
  },
};
