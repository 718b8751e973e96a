import { z } from 'zod';
import type { TradingNode } from '../../../node/node.ts';
import type { FrameworkContext } from '../context.ts';
import { type FrameworkMethod, v2Form } from '../method.ts';

/** Tickers of the active coins. */
export const getEnabledCoins: FrameworkMethod<FrameworkContext> = {
  name: 'get_enabled_coins',
  summary: 'Lists the active coins.',
  legacy: {
    run: (_request, { node: { node } }) => ({
      result: enabledCoins(node),
    }),
  },
  v2: v2Form({
    params: z.unknown(),
    run: (_params, { node: { node } }: { readonly node: FrameworkContext }) => ({
      coins: enabledCoins(node).map(({ ticker }) => ({ ticker })),
    }),
  }),
};

type Enabled = { readonly ticker: string; readonly address: string };

function enabledCoins({ coins }: TradingNode): readonly Enabled[] {
  return coins.active().map(({ ticker, address }) => ({ ticker, address }));
}
