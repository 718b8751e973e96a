import type { ActiveCoin } from '../../../node/active-coin.ts';
import type { TradingNode } from '../../../node/node.ts';
import { RpcFailure } from '../failure.ts';

/** The active coin that a stream is to tell of. @throws RpcFailure CoinNotFound */
export function activeStreamedCoin(ticker: string, node: TradingNode): ActiveCoin {
  const coin = node.coins.get(ticker);
  if (coin !== undefined) return coin;
  throw new RpcFailure('The coin is not active: activate it by enable or electrum first', {
    type: 'CoinNotFound',
    status: 404,
  });
}
