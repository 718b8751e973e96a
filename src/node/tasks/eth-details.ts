import type { EnableEthDetails } from '../../events/enable-eth-result.ts';
import type {
  ActivatedEvm,
  EvmActivationOrder,
  EvmBalances,
  EvmHdAccount,
  EvmWallet,
} from '../../ports/evm-activator.ts';
import type { Compatibility } from '../compatibility.ts';

type Asked = Pick<EvmActivationOrder, 'ticker' | 'tokens' | 'request'>;
type ForWhom = { readonly order: Asked; readonly compatibility: Compatibility };

/**
 * What a task that succeeded answers: the form of the specification (§4.7) for every wallet, or what the real node has for a wallet with one address.
 */
export function ethDetails(made: ActivatedEvm, { order, compatibility }: ForWhom): EnableEthDetails {
  const { block, wallet, nfts } = made;
  if (wallet.kind === 'address' && compatibility === 'kdf') {
    return { current_block: block, ...addressInfos(wallet, order), nfts_infos: { ...nfts } };
  }
  const withBalances = compatibility === 'kdf' || order.request.get_balances;
  return {
    current_block: block,
    ticker: order.ticker,
    wallet_balance: walletBalance(wallet, withBalances),
    nfts_infos: { ...nfts },
  };
}

function walletBalance(wallet: EvmWallet, withBalances: boolean) {
  if (wallet.kind === 'hd') {
    return { wallet_type: 'HD', accounts: wallet.accounts.map((account) => accountOf(account, withBalances)) };
  }
  const { address, balances } = wallet;
  return { wallet_type: 'Iguana', address, ...(balances === null ? {} : { balance: { ...balances } }) };
}

function accountOf({ index, derivationPath, total, addresses }: EvmHdAccount, withBalances: boolean) {
  return {
    account_index: index,
    derivation_path: derivationPath,
    ...(withBalances ? { total_balance: { ...total } } : {}),
    addresses: addresses.map(({ address, derivationPath: path, chain, balance }) => ({
      address,
      derivation_path: path,
      chain,
      ...(withBalances ? { balance: { ...balance } } : {}),
    })),
  };
}

type AddressWallet = Extract<EvmWallet, { readonly kind: 'address' }>;

function addressInfos({ address, pubkey, balances }: AddressWallet, { ticker, tokens }: Asked) {
  const derivation = { derivation_method: { type: 'Iguana' }, pubkey };
  const own = balances?.[ticker];
  const tickers = tokens.map((token) => token.ticker);
  return {
    eth_addresses_infos: { [address]: { ...derivation, ...(own === undefined ? {} : { balances: own }) } },
    erc20_addresses_infos: {
      [address]: { ...derivation, ...(balances === null ? { tickers } : { balances: only(balances, tickers) }) },
    },
  };
}

function only(balances: EvmBalances, tickers: readonly string[]): EvmBalances {
  return Object.fromEntries(Object.entries(balances).filter(([ticker]) => tickers.includes(ticker)));
}
