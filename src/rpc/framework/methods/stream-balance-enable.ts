import { z } from 'zod';
import { struct, text } from '../../../node/serde.ts';
import type { FrameworkContext } from '../context.ts';
import { type FrameworkMethod, v2Form } from '../method.ts';
import { activeStreamedCoin } from '../stream/coin.ts';
import { clientId, enabled, enableError } from '../stream/enabling.ts';

const request = struct('EnableStreamingRequest', { client_id: clientId, coin: text, config: z.unknown().optional() });

/** What the wallet holds of a coin, each time it has changed. */
export const streamBalanceEnable: FrameworkMethod<FrameworkContext> = {
  name: 'stream::balance::enable',
  summary: "Adds the balance of an active coin, whenever it changes, to a client's event streams.",
  v2: v2Form({
    params: request,
    run({ client_id, coin, config }, { node }: { readonly node: FrameworkContext }) {
      const of = activeStreamedCoin(coin, node.node);
      if (config !== undefined && config !== null) throw enableError('Invalid config provided. No config needed');
      return enabled(node, { id: client_id, streamer: `BALANCE:${coin}`, terms: { of } });
    },
  }),
};
