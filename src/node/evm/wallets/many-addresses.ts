import type { EvmReader } from '../../../chains/evm/index.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { EventLog } from '../../../ports/event-log.ts';
import type { EvmActivationOrder, EvmActivationTalk, EvmWallet } from '../../../ports/evm-activator.ts';
import type { WalletSigner } from '../../../ports/signer.ts';
import type { Compatibility } from '../../compatibility.ts';
import { type EvmAdapter, evmAdapter } from '../adapter-module.ts';
import { AccountAddresses } from './account-addresses.ts';
import { AccountBook } from './account-book.ts';
import type { AccountKeys } from './account-keys.ts';
import type { AccountOrder } from './account-order.ts';
import { chainReader } from './chain-reader.ts';
import { hdAccounts } from './hd-accounts.ts';

export type ManyAddressesOptions = {
  readonly keys: AccountKeys;
  readonly log: EventLog;
  readonly clock: Clock;
  readonly compatibility: Compatibility;
  /** The signer of a key that the request's path leads to; it is given the public key, 33 bytes. */
  readonly signerAt: (path: string, key: Uint8Array) => WalletSigner | Promise<WalletSigner>;
};

/** A wallet of many addresses, of which one is known by its key and in use. */
export type OpenWallet = {
  readonly signer: WalletSigner;
  /** All that the wallet has. @throws what {@link hdAccounts} throws */
  readonly told: (asking: WalletAsking) => Promise<EvmWallet>;
};

export type WalletAsking = {
  /** Over all nodes of the request. */
  readonly reader: EvmReader;
  /** Of the coin and its tokens. */
  readonly decimals: Readonly<Record<string, number>>;
  readonly onBalances: () => Promise<void>;
};

type Asked = { readonly order: EvmActivationOrder; readonly talk: EvmActivationTalk };

/**
 * Opens the wallet of a request: its account is in the log from then on, and the key of the address of the path is known.
 *
 * @throws LogError; what the keys throw
 */
export async function openWallet(
  options: ManyAddressesOptions,
  asked: Asked & { readonly path: AccountOrder },
): Promise<OpenWallet> {
  const { keys, log, clock, signerAt } = options;
  const { order, talk, path } = asked;
  const bookOf = (wallet: string) => AccountBook.open({ log, clock, wallet, coin: order.ticker });
  const account = `${path.base}/${path.account}'`;
  const isKnown = async (wallet: string) => (await bookOf(wallet)).get(path.account) !== undefined;
  const found = await keys.account({ path: account, isKnown, talk });
  const book = await bookOf(found.wallet);
  const isMissing = book.get(path.account) === undefined;
  if (isMissing && found.xpub !== null) await book.create({ account: path.account, path: account, xpub: found.xpub });
  const kept = book.get(path.account);
  if (kept === undefined) throw new RangeError(`account ${path.account} has no key`);
  const own = new AccountAddresses(kept.xpub).keyAt(path);
  const signer = await signerAt(`${kept.path}/${path.chain === 'Internal' ? 1 : 0}/${path.address}`, own);
  return {
    signer,
    told: async (asking) => told({ ...options, ...asked, ...asking, adapter: await evmAdapter(), book }),
  };
}

type Telling = ManyAddressesOptions &
  Asked &
  WalletAsking & {
    readonly path: AccountOrder;
    readonly adapter: EvmAdapter;
    readonly book: AccountBook;
  };

async function told(telling: Telling): Promise<EvmWallet> {
  const { order, talk, path, adapter, book, decimals, onBalances, compatibility } = telling;
  const { request, ticker, tokens } = order;
  const reader = chainReader({
    ...{ adapter, reader: telling.reader, coin: ticker, signal: talk.signal },
    tokens: Object.fromEntries(tokens.map((token) => [token.ticker, token.contract])),
  });
  const accounts = await hdAccounts({
    ...{ order: path, book, reader, decimals, onBalances },
    // In the real node it has no effect on such wallets.
    withBalances: compatibility === 'kdf' || request.get_balances,
    check: () => talk.signal.throwIfAborted(),
  });
  return { kind: 'hd', accounts };
}
