import { struct } from '../../../node/serde.ts';
import type { FrameworkContext } from '../context.ts';
import { type FrameworkMethod, v2Form } from '../method.ts';
import { clientId, enabled } from '../stream/enabling.ts';

/** What becomes of swaps. */
export const streamSwapStatusEnable: FrameworkMethod<FrameworkContext> = {
  name: 'stream::swap_status::enable',
  summary: "Adds the status of swaps to a client's event streams.",
  v2: v2Form({
    params: struct('EnableStreamingRequest', { client_id: clientId }),
    run: ({ client_id }, { node }: { readonly node: FrameworkContext }) =>
      enabled(node, { id: client_id, streamer: 'SWAP_STATUS' }),
  }),
};
