import type { EvmLook, EvmReader } from '../../../chains/evm/index.ts';
import type { Answer } from '../../../ports/chain.ts';
import type { ActiveCoin, HeldBy } from '../../../ports/coin-wallet.ts';
import type { EvmWallet } from '../../../ports/evm-activator.ts';
import { fromBaseUnits } from '../../../primitives/decimal.ts';
import type { EvmAdapter } from '../adapter-module.ts';

/** How many addresses of a wallet to follow for its lists of balances, in their order; more are not reported. */
export const MOST_FOLLOWED = 1000;

export type WalletCoins = {
  readonly adapter: EvmAdapter;
  /** Over all nodes of the request. */
  readonly reader: EvmReader;
  readonly coins: readonly ActiveCoin[];
  readonly accounts: Extract<EvmWallet, { readonly kind: 'hd' }>['accounts'];
  /** Contracts of the tokens among them by their tickers; 0x and 40 hex digits. */
  readonly tokens: Readonly<Record<string, string>>;
};

/** The same coins, which tell beside what their own address holds what the others of the wallet do. */
export function followingAll(wallet: WalletCoins): readonly ActiveCoin[] {
  const known = wallet.accounts.flatMap(({ addresses }) => addresses.map(({ address }) => address));
  return wallet.coins.map((coin) => {
    const addresses = known.slice(0, MOST_FOLLOWED).filter((address) => address !== coin.address);
    return addresses.length === 0 ? coin : { ...coin, others: () => heldBy(addresses, { ...wallet, coin }) };
  });
}

const NOTHING = fromBaseUnits(0n);

type Asking = Pick<WalletCoins, 'adapter' | 'reader' | 'tokens'> & { readonly coin: ActiveCoin };

/** As the nodes agree on it that answer: it is to be shown. */
async function heldBy(addresses: readonly string[], asking: Asking): Promise<Answer<readonly HeldBy[]>> {
  const { adapter, reader, tokens, coin } = asking;
  const contract = tokens[coin.ticker];
  const units = (look: EvmLook, owner: string): Promise<bigint> =>
    contract === undefined
      ? look.balance(owner)
      : adapter.erc20Balance(look, { token: contract.slice(2).toLowerCase(), owner });
  try {
    const look = await reader.look(true);
    const told = addresses.map(async (address): Promise<HeldBy> => {
      const held = await units(look, address.slice(2).toLowerCase());
      const spendable = fromBaseUnits(held, coin.chain.traits.decimals);
      return { address, balances: { spendable, unspendable: NOTHING } };
    });
    return { ok: true, value: await Promise.all(told) };
  } catch (error) {
    if (!(error instanceof adapter.BackendSilent || error instanceof adapter.CallReverted)) throw error;
    return { ok: false, fault: { kind: 'unavailable', message: error.message } };
  }
}
