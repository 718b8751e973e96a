import { noSuchCoin, tickerOf } from '../active.ts';
import type { FrameworkContext } from '../context.ts';
import type { FrameworkMethod } from '../method.ts';

/** Takes a coin out, which can then be activated anew. */
export const disableCoin: FrameworkMethod<FrameworkContext> = {
  name: 'disable_coin',
  summary: 'Takes an active coin out.',
  legacy: {
    run(request, { node: { node } }) {
      const ticker = tickerOf(request);
      if (node.disable(ticker) === undefined) throw noSuchCoin(ticker);
      return { result: { coin: ticker, cancelled_orders: [], passivized: false } };
    },
  },
};
