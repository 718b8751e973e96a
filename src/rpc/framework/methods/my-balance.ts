import { activeCoinOf } from '../active.ts';
import type { FrameworkContext } from '../context.ts';
import type { FrameworkMethod } from '../method.ts';
import { shownBalances } from '../shown-balances.ts';

/** What the own address of an active coin holds. */
export const myBalance: FrameworkMethod<FrameworkContext> = {
  name: 'my_balance',
  summary: "Returns the balance of this node's address of an active coin.",
  legacy: {
    async run(request, { node: { node } }) {
      const coin = activeCoinOf(request, node);
      const { address, balance, unspendable_balance } = await shownBalances(coin);
      return { coin: coin.ticker, balance, unspendable_balance, address };
    },
  },
};
