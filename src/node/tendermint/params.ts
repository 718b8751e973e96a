import { z } from 'zod';
import { flag, listOf, option, struct, text, u64 } from '../serde.ts';

/** Whatever it is: it is looked at where it has a meaning. */
const anything = z.unknown().optional();

const node = struct('RpcNode', { url: text, komodo_proxy: flag.optional() });
const token = struct('TokenActivationRequest', { ticker: text, protocol: anything });

/** Parameters of `enable_tendermint_with_assets` (specification §4.10). What is wrong with them is told in the words of the real node. */
export const tendermintParams = struct('TendermintActivationParams', {
  ticker: text,
  nodes: listOf(node),
  tokens_params: listOf(token),
  tx_history: option(flag).optional(),
  get_balances: flag.optional(),
  path_to_address: anything,
  activation_params: anything,
  priv_key_policy: anything,
  mm2: option(u64).optional(),
  required_confirmations: option(u64).optional(),
  requires_notarization: option(flag).optional(),
});

export type TendermintParams = z.output<typeof tendermintParams>;
