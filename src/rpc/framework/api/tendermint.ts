import { z } from 'zod';
import { amount, count } from './form.ts';

const balance = z.strictObject({ spendable: amount, unspendable: amount });

/** With `--compatibility kdf` all of it. */
export const addressPath = z.object({
  account_id: count.optional(),
  chain: z.enum(['External', 'Internal']).optional(),
  address_id: count.optional(),
});

/** Members of a request that are not named are ignored. */
export const tendermintParams = z.object({
  ticker: z.string(),
  nodes: z.array(z.object({ url: z.string(), komodo_proxy: z.boolean().optional() })),
  tokens_params: z.array(
    z.object({ ticker: z.string(), protocol: z.unknown().optional(), required_confirmations: count.nullish() }),
  ),
  tx_history: z.boolean().nullish(),
  get_balances: z.boolean().optional(),
  /** Of a node with `enable_hd`. */
  path_to_address: addressPath.optional(),
  activation_params: z.unknown().optional(),
  priv_key_policy: z.unknown().optional(),
  mm2: count.max(1).nullish(),
  required_confirmations: count.nullish(),
  requires_notarization: z.boolean().nullish(),
});

const head = { ticker: z.string(), address: z.string(), current_block: count };

export const tendermintResult = z.union([
  z.strictObject({ ...head, balance, tokens_balances: z.record(z.string(), balance) }),
  z.strictObject({ ...head, tokens_tickers: z.array(z.string()) }),
]);

export const enable_tendermint_with_assets = {
  v2: { params: tendermintParams, result: tendermintResult },
};
