import type { TendermintChain } from '../../chains/tendermint/index.ts';
import { htlcModuleOf } from '../../htlc/tendermint-messages.ts';
import type { Clock } from '../../ports/clock.ts';

import type { ActiveCoin, Balances, CoinWallet } from '../../ports/coin-wallet.ts';
import type { WalletSigner } from '../../ports/signer.ts';
import { fromBaseUnits } from '../../primitives/decimal.ts';
import type { Seconds } from '../../primitives/time.ts';
import { endingClock } from '../ending-clock.ts';
import type { TendermintAdapter } from './adapter-module.ts';
import type { KeyPlace, TendermintHome, TendermintHomes } from './homes.ts';
import type { CoinOfChain, TendermintOrder } from './order.ts';
import { type TendermintWalletParts, tendermintWallet, watchedWallet } from './wallet.ts';

export type TendermintParts = {
  readonly clock: Clock;
  readonly poll: Seconds;
  readonly adapter: TendermintAdapter;
  readonly signer: WalletSigner;
  readonly keyPlace: KeyPlace;
  /** The accounts of the node. */
  readonly homes: TendermintHomes;
  readonly confirmationsOf: (coin: CoinOfChain) => number;
  readonly isWalletOnly: (coin: CoinOfChain) => boolean;
};

/** A block of these chains is final at once. */
const FINALITY = 1;

export type OpenedTendermint = {
  /** Each that is closed lets go of its part of the connections. */
  readonly coins: readonly ActiveCoin[];
  readonly address: string;
  /** Height of the last block, by as many nodes as answer: nothing moves by it. @throws BackendSilent */
  readonly block: () => Promise<number>;
  /** What the account has of the chain's own coin and of each asset that was asked for, to be shown. @throws BackendSilent */
  readonly balances: () => Promise<Readonly<Record<string, Balances>>>;
  /** Lets go of the account, once nobody looks at it any more: coins that are open keep it. */
  readonly leave: () => void;
};

/** Coins of one account, which are to be active together. Nothing is asked yet. @throws TendermintFailure for a chain that another coin describes otherwise */
export function openTendermint(parts: TendermintParts, order: TendermintOrder): OpenedTendermint {
  const { clock, signer, homes, keyPlace, adapter } = parts;
  const { chainId, prefix, platform, assets, voices, gasPrice } = order;
  const fees = { denom: platform.denom, decimals: platform.decimals, coin: platform.ticker };
  const network = { chainId, prefix, module: htlcModuleOf(prefix) ?? null, fees, gasPrice };
  const urls = voices.flatMap((voice) => voice.urls);
  const wanted = order.passive ? assets : [platform, ...assets];
  const added = wanted.filter(({ kept }) => !kept);
  const enter = (): TendermintHome => homes.enter({ network, signer: signer.coins, keyPlace, urls, adapter });
  // The account is there while it is looked at, whether or not a coin of it is to be in use.
  const own = enter();
  const coins = added.map((coin) => {
    const home = enter();
    const waits = endingClock(clock);
    const { ticker, denom, decimals } = coin;
    const { blockTime, makerLocks } = order;
    const described = { coin: ticker, denom, decimals, finality: FINALITY, blockTime, makerLocks };
    const { account } = home;
    const chain = adapter.createTendermintChain({ coin: described, account, clock: waits, poll: parts.poll });
    return openedCoin(parts, {
      ...{ coin, order, chain, address: account.address },
      close: once(() => {
        waits.end();
        chain.leave();
        home.leave();
      }),
    });
  });
  const { address, reader } = own.account;
  return {
    ...{ coins, address, leave: own.leave },
    block: async () => (await reader.look(true)).head.height,
    async balances() {
      const look = await reader.look(true);
      const shown = [platform, ...assets].map(async ({ ticker, denom, decimals }) => {
        const { all, unlocked } = await adapter.fundsOf(own, { look, denom });
        const units = (value: bigint) => fromBaseUnits(value, decimals);
        return [ticker, { spendable: units(unlocked), unspendable: units(all - unlocked) }] as const;
      });
      return Object.fromEntries(await Promise.all(shown));
    },
  };
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

/** Others learn nothing about an account (as in the real node). */
const NO_INFO = '';

function openedCoin(parts: TendermintParts, { coin, order, chain, address, close }: Opened): ActiveCoin {
  const { ticker } = coin;
  const platform = order.platform.ticker;
  return {
    ...{ ticker, address, chain, close, requiresNotarization: false, matureConfirmations: null, tellsHeld: false },
    platform: ticker === platform ? null : platform,
    requiredConfirmations: parts.confirmationsOf(coin),
    walletOnly: !order.hasSwaps || order.owner.kind === 'watched' || parts.isWalletOnly(coin),
    protocolInfo: NO_INFO,
    // What is paid is under the account of the other side's key, whatever else it says.
    supports: () => true,
    wallet: walletOf({ coin: ticker, platform, prefix: order.prefix, chain }, order.owner.kind === 'watched'),
    balances: () => chain.balances(),
  };
}
