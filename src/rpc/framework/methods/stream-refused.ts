import { z } from 'zod';
import { struct, text } from '../../../node/serde.ts';
import type { FrameworkContext } from '../context.ts';
import { RpcFailure } from '../failure.ts';
import { type FrameworkMethod, v2Form } from '../method.ts';
import { activeStreamedCoin } from '../stream/coin.ts';
import { clientId, enableError } from '../stream/enabling.ts';

// Streams of the real node that no event of a log tells of: each is refused by its name, with what serves instead.

function refusedStream(kind: string, instead: string): FrameworkMethod<FrameworkContext> {
  return {
    name: `stream::${kind}::enable`,
    summary: `Not supported. ${instead}.`,
    v2: v2Form({
      params: z.unknown(),
      run() {
        throw enableError(instead);
      },
    }),
  };
}

/** As the real node refuses a coin that it has no such stream of. */
function refusedCoinStream(kind: string, instead: string): FrameworkMethod<FrameworkContext> {
  return {
    name: `stream::${kind}::enable`,
    summary: `Not supported. ${instead}.`,
    v2: v2Form({
      params: struct('EnableStreamingRequest', { client_id: clientId, coin: text }),
      run({ coin }, { node }: { readonly node: FrameworkContext }) {
        activeStreamedCoin(coin, node.node);
        throw new RpcFailure(instead, { type: 'CoinNotSupported', status: 501 });
      },
    }),
  };
}

export const streamNetworkEnable = refusedStream(
  'network',
  'Connections to other nodes are not streamed; metrics shows which of their messages are dropped',
);

export const streamOrderbookEnable = refusedStream(
  'orderbook',
  "There is no order book, because orders answer requests; enable stream::order_status for this node's own orders",
);

export const streamShutdownSignalEnable = refusedStream(
  'shutdown_signal',
  'Every stream ends properly when the node stops; there is nothing to enable',
);

export const streamTxHistoryEnable = refusedCoinStream(
  'tx_history',
  'Transactions are not streamed; enable stream::balance, which reports when they change the balance',
);

export const streamFeeEstimatorEnable = refusedCoinStream(
  'fee_estimator',
  'Fees are not streamed; withdraw returns the fee of a transaction before it is sent',
);
