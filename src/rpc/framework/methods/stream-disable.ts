import { struct, text, u64 } from '../../../node/serde.ts';
import type { FrameworkContext } from '../context.ts';
import { type FrameworkMethod, v2Form } from '../method.ts';
import { disabled } from '../stream/enabling.ts';

/** Takes back what a client has enabled. */
export const streamDisable: FrameworkMethod<FrameworkContext> = {
  name: 'stream::disable',
  summary: 'Removes what a client has enabled from all of its event streams.',
  v2: v2Form({
    params: struct('DisableStreamingRequest', { client_id: u64, streamer_id: text }),
    run: ({ client_id, streamer_id }, { node }: { readonly node: FrameworkContext }) =>
      disabled(node, { id: client_id, streamer: streamer_id }),
  }),
};
