import type { FrameworkContext } from './context.ts';
import type { FrameworkMethod } from './method.ts';
import { activeSwaps } from './methods/active-swaps.ts';
import { allSwapsUuidsByFilter } from './methods/all-swaps-uuids-by-filter.ts';
import { buy } from './methods/buy.ts';
import { cancelOrder } from './methods/cancel-order.ts';
import { coinsNeededForKickStart } from './methods/coins-needed-for-kick-start.ts';
import { convertaddress } from './methods/convertaddress.ts';
import { disableCoin } from './methods/disable-coin.ts';
import { discover } from './methods/discover.ts';
import { electrum } from './methods/electrum.ts';
import { enable } from './methods/enable.ts';
import { enableTendermintWithAssets } from './methods/enable-tendermint-with-assets.ts';
import { getEnabledCoins } from './methods/get-enabled-coins.ts';
import { importSwapsMethod } from './methods/import-swaps.ts';
import { metrics } from './methods/metrics.ts';
import { myBalance } from './methods/my-balance.ts';
import { myOrders } from './methods/my-orders.ts';
import { myRecentSwaps } from './methods/my-recent-swaps.ts';
import { mySwapStatus } from './methods/my-swap-status.ts';
import { recoverFundsOfSwap } from './methods/recover-funds-of-swap.ts';
import { recreateSwapData } from './methods/recreate-swap-data.ts';
import { sell } from './methods/sell.ts';
import { sendRawTransaction } from './methods/send-raw-transaction.ts';
import { setprice } from './methods/setprice.ts';
import { statsSwapStatus } from './methods/stats-swap-status.ts';
import { stop } from './methods/stop.ts';
import { streamBalanceEnable } from './methods/stream-balance-enable.ts';
import { streamDisable } from './methods/stream-disable.ts';
import { streamHeartbeatEnable } from './methods/stream-heartbeat-enable.ts';
import { streamOrderStatusEnable } from './methods/stream-order-status-enable.ts';
import {
  streamFeeEstimatorEnable,
  streamNetworkEnable,
  streamOrderbookEnable,
  streamShutdownSignalEnable,
  streamTxHistoryEnable,
} from './methods/stream-refused.ts';
import { streamSwapStatusEnable } from './methods/stream-swap-status-enable.ts';
import { swapOffer } from './methods/swap-offer.ts';
import { swapTake } from './methods/swap-take.ts';
import { taskEnableEth } from './methods/task-enable-eth.ts';
import { taskEnableTendermint } from './methods/task-enable-tendermint.ts';
import { version } from './methods/version.ts';
import { withdraw } from './methods/withdraw.ts';

/** All methods of the trading framework's JSON-RPC, by name. */
export const FRAMEWORK_METHODS: readonly FrameworkMethod<FrameworkContext>[] = [
  activeSwaps,
  allSwapsUuidsByFilter,
  coinsNeededForKickStart,
  importSwapsMethod,
  myRecentSwaps,
  mySwapStatus,
  recoverFundsOfSwap,
  recreateSwapData,
  statsSwapStatus,
  buy,
  cancelOrder,
  myOrders,
  sell,
  setprice,
  swapOffer,
  swapTake,
  convertaddress,
  disableCoin,
  electrum,
  enable,
  enableTendermintWithAssets,
  getEnabledCoins,
  metrics,
  myBalance,
  streamBalanceEnable,
  streamDisable,
  streamHeartbeatEnable,
  streamOrderStatusEnable,
  streamSwapStatusEnable,
  streamFeeEstimatorEnable,
  streamNetworkEnable,
  streamOrderbookEnable,
  streamShutdownSignalEnable,
  streamTxHistoryEnable,
  taskEnableEth.init,
  taskEnableEth.status,
  taskEnableEth.userAction,
  taskEnableEth.cancel,
  taskEnableTendermint.init,
  taskEnableTendermint.status,
  taskEnableTendermint.userAction,
  taskEnableTendermint.cancel,
  discover,
  stop,
  version,
  sendRawTransaction,
  withdraw,
];
