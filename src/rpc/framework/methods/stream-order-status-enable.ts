import { struct } from '../../../node/serde.ts';
import type { FrameworkContext } from '../context.ts';
import { type FrameworkMethod, v2Form } from '../method.ts';
import { clientId, enabled } from '../stream/enabling.ts';

/** What becomes of orders. */
export const streamOrderStatusEnable: FrameworkMethod<FrameworkContext> = {
  name: 'stream::order_status::enable',
  summary: "Adds the status of orders to a client's event streams.",
  v2: v2Form({
    params: struct('EnableStreamingRequest', { client_id: clientId }),
    run: ({ client_id }, { node }: { readonly node: FrameworkContext }) =>
      enabled(node, { id: client_id, streamer: 'ORDER_STATUS' }),
  }),
};
