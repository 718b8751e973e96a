import type { EvmChain, EvmCoin } from '../../chains/evm/index.ts';
import { DeviceError } from '../../hardware/device-error.ts';
import { RemoteWalletError } from '../../hardware/remote/account.ts';
import type { Answer } from '../../ports/chain.ts';
import type { ActiveCoin } from '../../ports/coin-wallet.ts';
import { FROM_THE_TIP } from '../births.ts';
import { endingClock } from '../ending-clock.ts';
import type { EvmAdapter } from './adapter-module.ts';
import type { EvmHome } from './homes.ts';
import type { EvmParts } from './parts.ts';
import { evmWallet } from './wallet.ts';

export type CoinInHome = {
  readonly adapter: EvmAdapter;
  readonly coin: EvmCoin;
  readonly home: EvmHome;
  readonly platform: string | null;
  readonly requiredConfirmations: number;
  readonly walletOnly: boolean;
};

async function noneAwaited(): Promise<readonly string[]> {
  return [];
}

/** Others learn nothing about an account (as in the real node). */
const NO_INFO = '';

/**
 * What a swap sees of the chain. A key elsewhere that does not sign, or whose user does not confirm in time, says nothing about the chain: it may sign
 * the next time.
 */
function forSwaps(chain: EvmChain): EvmChain {
  return {
    ...chain,
    prepare: async (request, forSwap) => answered(async () => chain.prepare(request, forSwap)),
    broadcast: async (transaction, sending) => answered(async () => chain.broadcast(transaction, sending)),
  };
}

async function answered<T>(ask: () => Promise<Answer<T>>): Promise<Answer<T>> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof DeviceError || error instanceof RemoteWalletError)) throw error;
    const message = error instanceof DeviceError ? error.fault.message : error.message;
    return { ok: false, fault: { kind: 'unavailable', message: `the account's key did not sign: ${message}` } };
  }
}

/** A coin of an account as the node uses it. */
export function openedCoin(
  { clock, births, poll, awaitedOn = noneAwaited }: Pick<EvmParts, 'clock' | 'births' | 'poll' | 'awaitedOn'>,
  { adapter, coin, home, platform, requiredConfirmations, walletOnly }: CoinInHome,
): ActiveCoin {
  const { account, leave } = home;
  const waits = endingClock(clock);
  const birth = (): number => {
    const height = births.of(coin.coin);
    // If the log names none, a search may start anywhere.
    return height === FROM_THE_TIP ? 0 : height;
  };
  const chain = adapter.createEvmChain({ coin, account, clock: waits, birth, poll });
  return {
    ticker: coin.coin,
    address: adapter.addressText(account.address),
    chain: forSwaps(chain),
    platform,
    requiredConfirmations,
    requiresNotarization: false,
    walletOnly,
    matureConfirmations: null,
    tellsHeld: true,
    protocolInfo: NO_INFO,
    // What is paid is under the account of the other side's key, whatever else it says.
    supports: () => true,
    wallet: evmWallet({
      ...{ coin: coin.coin, platform: platform ?? coin.coin, chain, adapter },
      awaited: () => awaitedOn(account.chainId),
    }),
    balances: () => chain.balances(),
    close() {
      waits.end();
      chain.leave();
      leave();
    },
  };
}
