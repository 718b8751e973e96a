import type { ConnectedNode, NodeReader, TendermintChain } from '../../chains/tendermint/index.ts';
import { htlcModuleOf } from '../../htlc/tendermint-messages.ts';
import type { Clock } from '../../ports/clock.ts';

import type { ActiveCoin, CoinWallet } from '../../ports/coin-wallet.ts';
import type { Logger } from '../../ports/logger.ts';
import type { WalletSigner } from '../../ports/signer.ts';
import type { Seconds } from '../../primitives/time.ts';
import { endingClock } from '../ending-clock.ts';
import { loggedSilences } from '../node-silence.ts';
import type { TendermintAdapter } from './adapter-module.ts';
import type { CoinOfChain, TendermintOrder } from './order.ts';
import { type TendermintWalletParts, tendermintWallet, watchedWallet } from './wallet.ts';

export type TendermintParts = {
  readonly clock: Clock;
  /** Told of nodes that fall silent and come back. */
  readonly logger: Logger;
  readonly poll: Seconds;
  readonly adapter: TendermintAdapter;
  readonly signer: WalletSigner;
  readonly confirmationsOf: (coin: CoinOfChain) => number;
  readonly isWalletOnly: (coin: CoinOfChain) => boolean;
};

/** A block of these chains is final at once. */
const FINALITY = 1;
const SLOWEST: Seconds = 20;

export type OpenedTendermint = {
  /** Each that is closed lets go of its part of the connections. */
  readonly coins: readonly ActiveCoin[];
  /** Height of the last block, by as many nodes as answer: nothing moves by it. @throws BackendSilent */
  readonly block: () => Promise<number>;
};

/** Coins of one account, which are to be active together. Nothing is asked yet. */
export function openTendermint(parts: TendermintParts, order: TendermintOrder): OpenedTendermint {
  const { adapter, clock, logger, signer } = parts;
  const { chainId, prefix, platform, assets, voices, gasPrice } = order;
  const module = htlcModuleOf(prefix) ?? null;
  const nodes: ConnectedNode[] = [];
  const readers: readonly NodeReader[] = voices.map(({ name, urls }) => {
    const connected = urls.map((url) => adapter.connectNode({ url, timeout: SLOWEST }));
    nodes.push(...connected);
    const ways = connected.map((node) => adapter.heldToChain(node, chainId));
    return adapter.createNodeReader(adapter.voiceOf({ name, ways }), { chainId, module });
  });
  const fees = { denom: platform.denom, decimals: platform.decimals, coin: platform.ticker };
  const network = { chainId, prefix, module, fees, gasPrice };
  const told = loggedSilences({ clock, logger, what: 'a node of a Tendermint chain', of: { chain: chainId } });
  const reader = adapter.createQuorumReader({ readers, clock, memory: adapter.quorumMemory(told) });
  const account = new adapter.TendermintAccount({ reader, signer: signer.coins, network });
  let users = assets.length + 1;
  const leave = (): void => {
    users -= 1;
    if (users === 0) for (const node of nodes) node.close();
  };
  const coins = [platform, ...assets].map((coin) => {
    const waits = endingClock(clock);
    const { ticker, denom, decimals } = coin;
    const { blockTime, makerLocks } = order;
    const described = { coin: ticker, denom, decimals, finality: FINALITY, blockTime, makerLocks };
    const chain = adapter.createTendermintChain({ coin: described, account, clock: waits, poll: parts.poll });
    return openedCoin(parts, {
      coin,
      order,
      chain,
      address: account.address,
      close: once(() => {
        waits.end();
        chain.leave();
        leave();
      }),
    });
  });
  return { coins, block: async () => (await reader.look(true)).head.height };
}

function once(action: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) action();
    isDone = true;
  };
}

type Opened = {
  readonly coin: CoinOfChain;
  readonly order: TendermintOrder;
  readonly chain: TendermintChain;
  readonly address: string;
  readonly close: () => void;
};

function walletOf(parts: TendermintWalletParts, isWatched: boolean): CoinWallet {
  const wallet = tendermintWallet(parts);
  return isWatched ? watchedWallet(wallet, parts.coin) : wallet;
}

/** Others are told nothing of an account (as in the real node). */
const NO_INFO = '';

function openedCoin(parts: TendermintParts, { coin, order, chain, address, close }: Opened): ActiveCoin {
  const { ticker } = coin;
  const platform = order.platform.ticker;
  return {
    ...{ ticker, address, chain, close, requiresNotarization: false, matureConfirmations: null, tellsHeld: false },
    platform: ticker === platform ? null : platform,
    requiredConfirmations: parts.confirmationsOf(coin),
    walletOnly: !order.hasSwaps || order.watchedKey !== null || parts.isWalletOnly(coin),
    protocolInfo: NO_INFO,
    // What is paid is under the account of the other side's key, whatever else it says.
    supports: () => true,
    wallet: walletOf({ coin: ticker, platform, prefix: order.prefix, chain }, order.watchedKey !== null),
    balances: () => chain.balances(),
  };
}
