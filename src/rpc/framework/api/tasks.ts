import { z } from 'zod';
import { amount, count } from './form.ts';
import { addressPath, tendermintParams, tendermintResult } from './tendermint.ts';

const address = z.string();
const amounts = z.record(z.string(), z.strictObject({ spendable: amount, unspendable: amount }));

/** Members of a request that are not named are ignored. */
const node = z.object({
  url: z.string(),
  ws_url: z.string().nullish(),
  api_url: z.string().nullish(),
  grpc_url: z.string().nullish(),
  komodo_proxy: z.boolean().optional(),
});

const keyPolicy = z.enum(['ContextPrivKey', 'Trezor', 'WalletConnect']);

const init = z.object({
  ticker: z.string(),
  swap_contract_address: address,
  erc20_tokens_requests: z.array(
    z.object({ ticker: z.string(), required_confirmations: count.nullish(), protocol: z.unknown().optional() }),
  ),
  nodes: z.array(node).optional(),
  fallback_swap_contract: address.nullish(),
  swap_v2_contracts: z
    .object({ maker_swap_v2_contract: address, taker_swap_v2_contract: address, nft_maker_swap_v2_contract: address })
    .nullish(),
  contract_supports_watchers: z.boolean().optional(),
  rpc_mode: z.literal('Default').optional(),
  /** A name, or with `--compatibility kdf` an object alone. */
  priv_key_policy: z
    .union([
      keyPolicy,
      z.object({
        type: keyPolicy,
        params: z.object({ session_topic: z.string() }).optional(),
        data: z.string().optional(),
      }),
    ])
    .optional(),
  path_to_address: addressPath.optional(),
  gap_limit: count.nullish(),
  scan_policy: z.enum(['do_not_scan', 'scan_if_new_wallet', 'scan']).optional(),
  min_addresses_number: count.nullish(),
  get_balances: z.boolean().optional(),
  nft_req: z
    .object({
      provider: z.object({
        type: z.literal('Moralis'),
        info: z.object({ url: z.string(), komodo_proxy: z.boolean().optional() }),
      }),
    })
    .nullish(),
  gas_station_url: z.string().nullish(),
  gas_station_decimals: count.nullish(),
  gas_station_policy: z.object({ policy: z.enum(['MeanAverageFast', 'Average']) }).nullish(),
  mm2: count.nullish(),
  required_confirmations: count.nullish(),
  requires_notarization: z.boolean().nullish(),
  tx_history: z.boolean().nullish(),
  client_id: count.optional(),
});

const hdAddress = z.looseObject({
  address: z.string(),
  derivation_path: z.string(),
  chain: z.string(),
  balance: amounts.optional(),
});

const walletBalance = z.union([
  z.looseObject({
    wallet_type: z.string(),
    accounts: z.array(
      z.looseObject({
        account_index: count,
        derivation_path: z.string(),
        total_balance: amounts.optional(),
        addresses: z.array(hdAddress),
      }),
    ),
  }),
  z.looseObject({ wallet_type: z.string(), address: z.string(), balance: amounts.optional() }),
]);

const infos = z.record(
  z.string(),
  z.looseObject({ derivation_method: z.object({ type: z.string() }), pubkey: z.string() }),
);

const activated = z.union([
  z.looseObject({
    current_block: count,
    ticker: z.string(),
    wallet_balance: walletBalance,
    nfts_infos: z.record(z.string(), z.unknown()),
  }),
  z.looseObject({
    current_block: count,
    eth_addresses_infos: infos,
    erc20_addresses_infos: infos,
    nfts_infos: z.record(z.string(), z.unknown()),
  }),
]);

const taskError = z.object({
  error: z.string(),
  error_path: z.string(),
  error_trace: z.string(),
  error_type: z.string(),
  error_data: z.unknown().optional(),
});

const inProgress = z.strictObject({ status: z.literal('InProgress'), details: z.string() });
/** The second form is that of `--compatibility kdf`. */
const failed = z.strictObject({
  status: z.literal('Error'),
  details: z.union([z.strictObject({ result: taskError }), taskError]),
});

const status = z.union([
  inProgress,
  z.strictObject({
    status: z.literal('UserActionRequired'),
    details: z.enum(['EnterTrezorPin', 'EnterTrezorPassphrase']),
  }),
  z.strictObject({ status: z.literal('Ok'), details: activated }),
  failed,
]);

const tendermintStatus = z.union([
  inProgress,
  z.strictObject({ status: z.literal('Ok'), details: tendermintResult }),
  failed,
]);

const action = z.object({
  action_type: z.enum(['TrezorPin', 'TrezorPassphrase', 'DevicePin', 'DevicePassphrase']),
  pin: z.unknown().optional(),
  passphrase: z.unknown().optional(),
});

const statusAsked = z.object({ task_id: count, forget_if_finished: z.boolean().optional() });

/** The same of all families. */
const beside = {
  user_action: { v2: { params: z.object({ task_id: count, user_action: action }), result: z.literal('success') } },
  cancel: { v2: { params: z.object({ task_id: count }), result: z.literal('success') } },
};

export const enable_eth = {
  init: { v2: { params: init, result: z.strictObject({ task_id: count }) } },
  status: { v2: { params: statusAsked, result: status } },
  ...beside,
};

export const enable_tendermint = {
  init: {
    v2: {
      params: tendermintParams.extend({ client_id: count.optional() }),
      result: z.strictObject({ task_id: count }),
    },
  },
  status: { v2: { params: statusAsked, result: tendermintStatus } },
  ...beside,
};
