import { z } from 'zod';
import { amount, count, hex, none, resultOf } from './form.ts';

/** What every activation of a coin of outputs takes (specification §4.4, §4.5). */
const activation = {
  coin: z.string(),
  mm2: z.unknown().optional(),
  required_confirmations: count.nullish(),
  requires_notarization: z.boolean().nullish(),
  tx_history: z.boolean().optional(),
  utxo_merge_params: z
    .object({ merge_at: count, check_every: count.nullish(), max_merge_at_once: count.nullish() })
    .nullish(),
  address_format: z
    .object({ format: z.enum(['standard', 'segwit', 'cashaddress']), network: z.string().optional() })
    .nullish(),
  /** Of a node with `enable_hd`. */
  path_to_address: z
    .object({
      account_id: count.nullish(),
      chain: z.enum(['External', 'Internal']).nullish(),
      address_id: count.nullish(),
    })
    .nullish(),
  scan_policy: z.enum(['do_not_scan', 'scan_if_new_wallet', 'scan']).nullish(),
};

const activated = z.strictObject({
  result: z.literal('success'),
  address: z.string(),
  balance: amount,
  unspendable_balance: amount,
  coin: z.string(),
  required_confirmations: count,
  requires_notarization: z.boolean(),
  /** Of coins of EVM chains. */
  locked_by_swaps: amount.optional(),
  mature_confirmations: count.optional(),
});

const server = z.object({
  /** Host and port. */
  url: z.string(),
  protocol: z.enum(['TCP', 'SSL', 'WS', 'WSS']).nullish(),
  disable_cert_verification: z.boolean().nullish(),
  timeout_sec: count.nullish(),
});

const contract = z.string().regex(/^0x[0-9a-fA-F]{40}$/);

export const electrum = {
  legacy: {
    params: z.object({
      ...activation,
      servers: z.array(server),
      min_connected: count.optional(),
      max_connected: count.optional(),
      /** Of a QRC20 token, where it must be there. */
      swap_contract_address: contract.nullish(),
      fallback_swap_contract: contract.nullish(),
    }),
    result: activated,
  },
};

export const enable = {
  legacy: {
    params: z.object({
      ...activation,
      /** Of a coin of an EVM chain: its nodes, over http, https, ws or wss. */
      urls: z.array(z.string()).optional(),
      swap_contract_address: contract.nullish(),
      fallback_swap_contract: contract.nullish(),
      contract_supports_watchers: z.boolean().nullish(),
      gas_station_url: z.string().nullish(),
      gas_station_decimals: count.nullish(),
      gas_station_policy: z.object({ policy: z.enum(['MeanAverageFast', 'Average']) }).nullish(),
    }),
    result: activated,
  },
};

const ofCoin = z.object({ coin: z.string() });

export const disable_coin = {
  legacy: {
    params: ofCoin.extend({ force_disable: z.boolean().optional() }),
    result: resultOf(
      z.strictObject({ coin: z.string(), cancelled_orders: z.array(z.string()), passivized: z.boolean() }),
    ),
  },
};

export const get_enabled_coins = {
  legacy: { params: none, result: resultOf(z.array(z.strictObject({ ticker: z.string(), address: z.string() }))) },
  v2: { params: none, result: z.strictObject({ coins: z.array(z.strictObject({ ticker: z.string() })) }) },
};

export const my_balance = {
  legacy: {
    params: ofCoin,
    result: z.strictObject({ coin: z.string(), balance: amount, unspendable_balance: amount, address: z.string() }),
  },
};

const decimal = z.union([z.string(), z.number()]);

const withdrawal = z.object({
  coin: z.string(),
  /** Any but null is refused: the coins of a node are at one address of each coin. */
  from: z.null().optional(),
  to: z.string(),
  amount: decimal.optional(),
  max: z.boolean().nullish(),
  fee: z
    .union([
      z.object({ type: z.enum(['UtxoFixed', 'UtxoPerKbyte']), amount: decimal }),
      /** Of QRC20 tokens, in base units of the coin that pays for each unit of gas. */
      z.object({ type: z.literal('Qrc20Gas'), gas_limit: count.nullish(), gas_price: count.nullish() }),
      /** Of coins of EVM chains, in gwei for each unit of gas. */
      z.object({ type: z.literal('EthGas'), gas_price: decimal, gas: count }),
      z.object({
        type: z.literal('EthGasEip1559'),
        max_fee_per_gas: decimal,
        max_priority_fee_per_gas: decimal,
        gas_option: z
          .union([z.object({ type: z.literal('Calc') }), z.object({ type: z.literal('Set'), gas: count })])
          .optional(),
      }),
    ])
    .nullish(),
});

const withdrawn = z.strictObject({
  tx_hex: hex,
  tx_hash: hex,
  from: z.array(z.string()),
  to: z.array(z.string()),
  total_amount: amount,
  spent_by_me: amount,
  received_by_me: amount,
  my_balance_change: amount,
  block_height: count,
  timestamp: count,
  fee_details: z.union([
    z.strictObject({ type: z.literal('Utxo'), coin: z.string(), amount }),
    z.strictObject({
      type: z.literal('Qrc20'),
      coin: z.string(),
      miner_fee: amount,
      gas_limit: count,
      gas_price: count,
      total_gas_fee: amount,
    }),
    z.strictObject({
      type: z.literal('Eth'),
      coin: z.string(),
      gas: count,
      gas_price: amount,
      max_fee_per_gas: amount.nullable(),
      max_priority_fee_per_gas: amount.nullable(),
      total_fee: amount,
    }),
  ]),
  coin: z.string(),
  internal_id: z.string(),
  transaction_type: z.literal('StandardTransfer'),
  memo: z.null(),
});

export const withdraw = {
  legacy: { params: withdrawal, result: withdrawn },
  v2: { params: withdrawal, result: withdrawn },
};

export const send_raw_transaction = {
  legacy: { params: z.object({ coin: z.string(), tx_hex: z.string() }), result: z.strictObject({ tx_hash: hex }) },
};

export const convertaddress = {
  legacy: {
    params: z.object({
      coin: z.string(),
      from: z.string(),
      to_address_format: z.object({ format: z.enum(['wallet', 'contract']) }),
    }),
    result: resultOf(z.strictObject({ address: z.string() })),
  },
};
