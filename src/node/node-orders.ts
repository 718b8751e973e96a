import type { NetworkProfile } from '../htlc/network-profile.ts';
import { createOrderNetwork } from '../peers/in-process/orders.ts';
import type { Clock, Random } from '../ports/clock.ts';
import type { EventLog } from '../ports/event-log.ts';
import type { Logger } from '../ports/logger.ts';
import type { Orders } from '../ports/orders.ts';
import type { WalletSigner } from '../ports/signer.ts';
import { fractionOf } from '../primitives/fraction.ts';
import { bytesToHex } from '../primitives/hex.ts';
import type { Seconds } from '../primitives/time.ts';
import { systemRandom } from '../runtime/host/random-system.ts';
import type { Runtime } from '../runtime/operate/supervisor.ts';
import type { ActiveCoin } from './active-coin.ts';
import type { CoinTable } from './coin-table.ts';
import { createNodeOrders, type NodeOrders } from './orders/orders.ts';
import type { OrderCoin } from './orders/parts.ts';
import { holdsStream } from './orders/streams.ts';
import { unpaidMakerSwaps } from './running-swaps.ts';

export type OrdersOfNode = {
  readonly log: EventLog;
  readonly clock: Clock;
  readonly random?: Random | undefined;
  readonly logger?: Logger | undefined;
  readonly orders?: Orders | undefined;
  readonly signer: WalletSigner;
  readonly network: NetworkProfile;
  readonly runtime: Runtime;
  readonly coins: CoinTable;
  readonly paymentLocktime?: Seconds | undefined;
  readonly useWatchers?: boolean | undefined;
};

/** Orders over what a node has: its active coins, its swaps and its log. */
export function ordersOf(parts: OrdersOfNode): NodeOrders {
  const { log, clock, signer, network, runtime, coins, paymentLocktime, useWatchers } = parts;
  const identity = signer.coins;
  return createNodeOrders({
    log,
    clock,
    random: parts.random ?? systemRandom,
    logger: parts.logger ?? QUIET,
    network: parts.orders ?? createOrderNetwork().node(bytesToHex(identity.key.subarray(1))),
    identity,
    profile: network,
    coin: (ticker) => orderCoin(coins.get(ticker)),
    purse(ticker) {
      const active = coins.get(ticker);
      return active === undefined ? undefined : { chain: active.chain, locked: runtime.locked() };
    },
    startSwap: (request) => runtime.startSwap(request),
    hasSwap: ({ role, uuid }) => holdsStream(log, `${role}-swap/${uuid}`),
    unpaidSwaps: () => unpaidMakerSwaps(log, clock.now()),
    ...(paymentLocktime === undefined ? {} : { paymentLocktime }),
    ...(useWatchers === undefined ? {} : { useWatchers }),
  });
}

/** An order is at least ten times what the coin can send at least, as with the real node. */
const LEAST_VOLUME = 10n;

function orderCoin(coin: ActiveCoin | undefined): OrderCoin | undefined {
  if (coin === undefined) return undefined;
  const { ticker, requiredConfirmations, requiresNotarization, walletOnly, protocolInfo, supports, chain } = coin;
  const { decimals, minTxAmount, watchers, rewards = false, notarised = false } = chain.traits;
  return {
    ...{ ticker, decimals, requiredConfirmations, requiresNotarization, walletOnly, watchers, rewards, protocolInfo },
    tellsNotarised: notarised,
    minTradingVolume: fractionOf(LEAST_VOLUME * minTxAmount, 10n ** BigInt(decimals)),
    supports: (info) => !walletOnly && supports(info),
  };
}

const QUIET: Logger = { info() {}, warn() {}, error() {} };
