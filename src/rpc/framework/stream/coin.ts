import type { ActiveCoin } from '../../../node/active-coin.ts';
import type { TradingNode } from '../../../node/node.ts';
import { RpcFailure } from '../failure.ts';

/** The active coin that a stream is to tell of. @throws RpcFailure CoinNotFound */
export function activeStreamedCoin(ticker: string, node: TradingNode): ActiveCoin {
  const coin = node.coins.get(ticker);
  if (coin !== undefined) return coin;
  throw new RpcFailure('The coin is not active: first activate it with enable or electrum', {
    type: 'CoinNotFound',
    status: 404,
  });
}
