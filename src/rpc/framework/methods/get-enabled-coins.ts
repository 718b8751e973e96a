import { z } from 'zod';
import type { FrameworkContext } from '../context.ts';
import { type FrameworkMethod, v2Form } from '../method.ts';

/** Tickers of the active coins. */
export const getEnabledCoins: FrameworkMethod<FrameworkContext> = {
  name: 'get_enabled_coins',
  summary: 'Lists the active coins.',
  legacy: {
    run: (_request, { node: { node } }) => ({
      result: node.coins.active().map(({ ticker, address }) => ({ ticker, address })),
    }),
  },
  v2: v2Form({
    params: z.unknown(),
    run: (_params, { node: { node } }: { readonly node: FrameworkContext }) => ({
      coins: node.coins.active().map(({ ticker }) => ({ ticker })),
    }),
  }),
};
