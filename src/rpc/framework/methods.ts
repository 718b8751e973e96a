import type { FrameworkContext } from './context.ts';
import type { FrameworkMethod } from './method.ts';
import { disableCoin } from './methods/disable-coin.ts';
import { electrum } from './methods/electrum.ts';
import { enable } from './methods/enable.ts';
import { getEnabledCoins } from './methods/get-enabled-coins.ts';
import { myBalance } from './methods/my-balance.ts';
import { stop } from './methods/stop.ts';
import { version } from './methods/version.ts';

/** All methods of the trading framework's JSON-RPC, by name. */
export const FRAMEWORK_METHODS: readonly FrameworkMethod<FrameworkContext>[] = [
  disableCoin,
  electrum,
  enable,
  getEnabledCoins,
  myBalance,
  stop,
  version,
];
