import {
  convertaddress,
  disable_coin,
  electrum,
  enable,
  get_enabled_coins,
  my_balance,
  send_raw_transaction,
  withdraw,
} from './api/coins.ts';
import type { ApiMethod } from './api/form.ts';
import { discover, metrics, stop, version } from './api/node.ts';
import { buy, cancel_order, my_orders, offer, sell, setprice, take } from './api/orders.ts';
import * as streams from './api/streams.ts';
import {
  active_swaps,
  all_swaps_uuids_by_filter,
  coins_needed_for_kick_start,
  import_swaps,
  my_recent_swaps,
  my_swap_status,
  recover_funds_of_swap,
  recreate_swap_data,
  stats_swap_status,
} from './api/swaps.ts';
import { enable_eth, enable_tendermint } from './api/tasks.ts';
import { enable_tendermint_with_assets } from './api/tendermint.ts';

/**
 * What is on the wire: of every method and form, what it takes and what it answers. The document of the interface and the types of the client are
 * made of it, and the suites hold every answer against it.
 */
export const FRAMEWORK_API = {
  active_swaps,
  all_swaps_uuids_by_filter,
  buy,
  cancel_order,
  coins_needed_for_kick_start,
  convertaddress,
  disable_coin,
  electrum,
  enable,
  enable_tendermint_with_assets,
  get_enabled_coins,
  import_swaps,
  metrics,
  my_balance,
  my_orders,
  my_recent_swaps,
  my_swap_status,
  recover_funds_of_swap,
  recreate_swap_data,
  'rpc.discover': discover,
  sell,
  send_raw_transaction,
  setprice,
  stats_swap_status,
  stop,
  'stream::balance::enable': streams.balance,
  'stream::disable': streams.disable,
  'stream::fee_estimator::enable': streams.refusedCoin,
  'stream::heartbeat::enable': streams.heartbeat,
  'stream::network::enable': streams.refused,
  'stream::order_status::enable': streams.order_status,
  'stream::orderbook::enable': streams.refused,
  'stream::shutdown_signal::enable': streams.refused,
  'stream::swap_status::enable': streams.swap_status,
  'stream::tx_history::enable': streams.refusedCoin,
  'swap::offer': offer,
  'swap::take': take,
  'task::enable_eth::cancel': enable_eth.cancel,
  'task::enable_eth::init': enable_eth.init,
  'task::enable_eth::status': enable_eth.status,
  'task::enable_eth::user_action': enable_eth.user_action,
  'task::enable_tendermint::cancel': enable_tendermint.cancel,
  'task::enable_tendermint::init': enable_tendermint.init,
  'task::enable_tendermint::status': enable_tendermint.status,
  'task::enable_tendermint::user_action': enable_tendermint.user_action,
  version,
  withdraw,
} as const satisfies Readonly<Record<string, ApiMethod>>;

export type FrameworkApi = typeof FRAMEWORK_API;
