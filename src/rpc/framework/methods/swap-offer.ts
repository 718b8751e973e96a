import { offerAsk } from '../../../node/orders/asks.ts';
import type { FrameworkContext } from '../context.ts';
import { type FrameworkMethod, v2Form } from '../method.ts';
import { refusedOrder } from '../order-refused.ts';

/** An offer for one swap, as one signed text that is handed over anyhow. */
export const swapOffer: FrameworkMethod<FrameworkContext> = {
  name: 'swap::offer',
  summary: 'Offers a swap as one signed text, which a taker accepts with `swap::take`.',
  v2: v2Form({
    params: offerAsk,
    async run(ask, { node: { node } }: { readonly node: FrameworkContext }) {
      const { offer, text } = await node.orders.offer(ask).catch(refusedOrder);
      return { uuid: offer.uuid, expires_at: Math.floor(offer.expires_at / 1000), offer: text };
    },
  }),
};
