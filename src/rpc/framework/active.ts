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
  if (coin === undefined) throw noSuchCoin(ticker, node);
  return coin;
}

type Knowing = Pick<TradingNode, 'coinsFile' | 'compatibility'>;

/** A coin that is not active. Outside of `--compatibility kdf` the text says whether it could be. */
export function noSuchCoin(ticker: string, { coinsFile, compatibility }: Knowing): RpcFailure {
  const why = compatibility === 'kdf' ? '' : `; ${whyInactive(ticker, coinsFile)}`;
  return new RpcFailure(`No such coin: ${ticker}${why}`, { type: 'NoSuchCoin', data: { coin: ticker }, status: 404 });
}

/** Why a coin is not active, as far as the coins file tells. */
export function whyInactive(ticker: string, { entryOf, tickers }: TradingNode['coinsFile']): string {
  if (entryOf(ticker) !== undefined) return 'it is in the coins file but not active';
  const other = tickers.find((name) => name.toLowerCase() === ticker.toLowerCase());
  return other === undefined ? 'the coins file has no such entry' : `did you mean ${other}?`;
}
