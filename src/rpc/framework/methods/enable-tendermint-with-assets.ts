import { z } from 'zod';
import { readAs } from '../../../node/serde.ts';
import type { EnabledTendermint } from '../../../node/tendermint/enable.ts';
import { TendermintFailure } from '../../../node/tendermint/failure.ts';
import { tendermintParams } from '../../../node/tendermint/params.ts';
import type { Balances } from '../../../ports/coin-wallet.ts';
import type { FrameworkContext } from '../context.ts';
import { invalidRequest } from '../dispatch.ts';
import { RpcFailure } from '../failure.ts';
import { type FrameworkMethod, v2Form } from '../method.ts';

/** Activates a coin of a Tendermint chain with assets (specification §4.10). */
export const enableTendermintWithAssets: FrameworkMethod<FrameworkContext> = {
  name: 'enable_tendermint_with_assets',
  summary: 'Activates a coin of a Tendermint chain with assets that came to it from other chains.',
  v2: v2Form({
    params: z.unknown(),
    async run(params: unknown, { node: { node } }: { readonly node: FrameworkContext }) {
      const read = readAs(tendermintParams[node.compatibility], params);
      if (!read.ok) throw invalidRequest(read.problem);
      return resultOf(await node.enableTendermint(read.value).catch(refused));
    },
  }),
};

function refused(error: unknown): never {
  if (!(error instanceof TendermintFailure)) throw error;
  const { message, type, data, status } = error;
  throw new RpcFailure(message, { type, data, status });
}

function resultOf({ coin, block, assets, balances }: EnabledTendermint) {
  const head = { ticker: coin.ticker, address: coin.address, current_block: block };
  if (balances === null) return { ...head, tokens_tickers: assets.map(({ ticker }) => ticker) };
  const shown = (ticker: string): Balances | undefined => balances[ticker];
  const tokens = Object.fromEntries(assets.map(({ ticker }) => [ticker, shown(ticker)]));
  return { ...head, balance: shown(coin.ticker), tokens_balances: tokens };
}
