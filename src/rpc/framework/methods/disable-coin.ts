import { CoinInUse } from '../../../node/coin-in-use.ts';
import { tickerOf } from '../active.ts';
import type { FrameworkContext } from '../context.ts';
import { RpcFailure } from '../failure.ts';
import type { FrameworkMethod } from '../method.ts';

/** Takes a coin out that no running swap uses, which can then be activated anew. */
export const disableCoin: FrameworkMethod<FrameworkContext> = {
  name: 'disable_coin',
  summary: 'Deactivates a coin, unless a running swap uses it.',
  legacy: {
    async run(request, { node: { node } }) {
      const ticker = tickerOf(request);
      const force = request['force_disable'] === true;
      const done = await node.disable(ticker, { force }).catch((error: unknown) => {
        if (!(error instanceof CoinInUse)) throw error;
        throw refused('There are currently matching orders, active swaps', error.swaps);
      });
      if (done === undefined) throw refused(`No such coin: ${ticker}`, []);
      return { result: { coin: ticker, cancelled_orders: done.cancelledOrders, passivized: done.passivized } };
    },
  },
};

/** With the members that the real node adds to every refusal. `force_disable` is about tokens of a coin, and lifts none of them. */
function refused(text: string, swaps: readonly string[]): RpcFailure {
  const beside = { orders: { matching: [], cancelled: [] }, active_swaps: swaps };
  return new RpcFailure(text, { type: 'Internal', status: 500, beside });
}
