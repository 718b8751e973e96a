import { z } from 'zod';
import { memberProblem, option, strictStruct, struct } from '../../../node/serde.ts';
import type { FrameworkContext } from '../context.ts';
import { type FrameworkMethod, v2Form } from '../method.ts';
import { HEARTBEAT, USUAL_INTERVAL } from '../stream/clients.ts';
import { clientId, enabled, enableError } from '../stream/enabling.ts';

/** Fewest and most seconds between two heartbeats. */
const LEAST = 1;
const MOST = 3600;

const seconds = z.number({ error: ({ input }) => memberProblem(input, 'f64') }).default(USUAL_INTERVAL);

const request = struct('EnableStreamingRequest', {
  client_id: clientId,
  config: option(strictStruct('HeartbeatEventConfig', { stream_interval_seconds: seconds })),
});

/** That the node runs. */
export const streamHeartbeatEnable: FrameworkMethod<FrameworkContext> = {
  name: 'stream::heartbeat::enable',
  summary: "Adds heartbeats, from every second to every hour, to a client's event streams.",
  v2: v2Form({
    params: request,
    run({ client_id, config }, { node }: { readonly node: FrameworkContext }) {
      const interval = config?.stream_interval_seconds ?? USUAL_INTERVAL;
      if (interval < LEAST || interval > MOST) {
        throw enableError(`stream_interval_seconds is a number from ${LEAST} to ${MOST}`);
      }
      return enabled(node, { id: client_id, streamer: HEARTBEAT, terms: { interval } });
    },
  }),
};
