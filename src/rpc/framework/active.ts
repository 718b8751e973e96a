import type { ActiveCoin } from '../../node/active-coin.ts';
import type { TradingNode } from '../../node/node.ts';
import type { JsonObject } from '../../primitives/json.ts';
import { internalFailure, RpcFailure } from './failure.ts';

/** The ticker that a legacy request names. @throws RpcFailure */
export function tickerOf({ coin }: JsonObject): string {
  if (typeof coin !== 'string') throw internalFailure("No 'coin' field");
  return coin;
}

/** The active coin that a legacy request names. @throws RpcFailure */
export function activeCoinOf(request: JsonObject, node: TradingNode): ActiveCoin {
  const ticker = tickerOf(request);
  const coin = node.coins.get(ticker);
  if (coin === undefined) throw noSuchCoin(ticker);
  return coin;
}

export function noSuchCoin(ticker: string): RpcFailure {
  return new RpcFailure(`No such coin: ${ticker}`, { type: 'NoSuchCoin', data: { coin: ticker }, status: 404 });
}
