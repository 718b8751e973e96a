import { struct, uuid } from '../../../node/serde.ts';
import type { FrameworkContext } from '../context.ts';
import { type FrameworkMethod, v2Form } from '../method.ts';
import { refusedLegacyOrder, refusedOrder } from '../order-refused.ts';
import { readLegacy } from '../swap-request.ts';

const cancelAsk = struct('CancelOrderReq', { uuid });

/** Cancels an order that nobody is about to connect to. */
export const cancelOrder: FrameworkMethod<FrameworkContext> = {
  name: 'cancel_order',
  summary: 'Cancels an order, unless it is being matched.',
  legacy: {
    async run(request, { node: { node } }) {
      const { uuid } = readLegacy(cancelAsk, request);
      await node.orders.cancel(uuid).catch(refusedLegacyOrder);
      return { result: 'success' };
    },
  },
  v2: v2Form({
    params: cancelAsk,
    async run({ uuid }, { node: { node } }: { readonly node: FrameworkContext }) {
      await node.orders.cancel(uuid).catch(refusedOrder);
      return { result: 'success' };
    },
  }),
};
