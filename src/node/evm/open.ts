import { Silences } from '../../chains/accounts/silences.ts';
import { CoinEntryError } from '../../chains/entry-reader.ts';
import type { EvmCoin, EvmEntry, EvmLook, EvmReader, GasStation, GasStationOptions } from '../../chains/evm/index.ts';
import type { ActiveCoin } from '../../ports/coin-wallet.ts';
import type { WalletSigner } from '../../ports/signer.ts';
import { type DecimalText, fromBaseUnits } from '../../primitives/decimal.ts';
import type { JsonObject } from '../../primitives/json.ts';
import { loggedSilences } from '../node-silence.ts';
import { loadSwaps } from '../swap-keys.ts';
import { type EvmAdapter, evmAdapter } from './adapter-module.ts';
import { requireEvents } from './event-search.ts';
import { EvmFailure } from './failure.ts';
import type { EvmHome, KeyPlace } from './homes.ts';
import { type NamedNode, reachNodes } from './nodes.ts';
import { openedCoin } from './opened-coin.ts';
import type { EvmParts } from './parts.ts';

/** A chain's own coin, or a token. */
export type CoinOfChain = {
  readonly ticker: string;
  /** Its entry of the coins file; empty for one that is not there. */
  readonly entry: JsonObject;
  /** The token's contract, 40 lower-case hex digits; null for the chain's own coin. */
  readonly token: string | null;
  /** As the request says; null where the entry decides. */
  readonly requiredConfirmations: number | null;
  /** Whether nobody may trade it, whatever the entry says. @defaultValue false */
  readonly walletOnly?: boolean;
  /** Whether it stays inactive, and is reported with the active ones. @defaultValue false */
  readonly passive?: boolean;
};

/** A token that is active already: it stays as it is, and is shown with the others. */
export type KeptToken = {
  readonly ticker: string;
  /** 40 lower-case hex digits. */
  readonly token: string;
  readonly decimals: number;
  /** In the mixed case of EIP-55. */
  readonly address: string;
};

export type EvmOpening = {
  /** Ticker of the chain's own coin, and its entry of the coins file. */
  readonly platform: { readonly ticker: string; readonly entry: JsonObject };
  readonly chainId: number;
  /** Addresses of nodes. */
  readonly urls: readonly string[];
  /** Of the account. */
  readonly signer: WalletSigner;
  readonly keyPlace: KeyPlace;
  /** Whether each coin has keys of its own. */
  readonly byPath: boolean;
  /** Swap contracts, 40 lower-case hex digits. Without one its coins are for the wallet alone. */
  readonly contract: string | null;
  readonly fallbackContract: string | null;
  /** Whether swaps of its coins may be watched, where the contracts have the functions for it. @defaultValue false */
  readonly watchers?: boolean;
  /** Asked once before anything is active, and then whenever a price is needed. @defaultValue none */
  readonly station?: GasStationOptions | undefined;
  /** Where neither request nor entry says. */
  readonly usualConfirmations: number;
  readonly coins: readonly CoinOfChain[];
  /** @defaultValue none */
  readonly kept?: readonly KeptToken[];
  /** Ends it. @defaultValue nothing does */
  readonly signal?: AbortSignal | undefined;
};

export type OpenedEvm = {
  /** Those that are to be in use, in the order in which they were asked for. Each one that is closed lets go of its part of the connections. */
  readonly coins: readonly ActiveCoin[];
  /** Of the account, in the mixed case of EIP-55. */
  readonly address: string;
  /** Digits after the point by ticker, of all that {@link OpenedEvm.shown} tells of. */
  readonly decimals: Readonly<Record<string, number>>;
  /** Over all nodes that the account is reached by, which get what is asked together in few requests. */
  readonly reader: EvmReader;
  /** Public key of the account without compression, 130 hex digits. */
  readonly pubkey: string;
  /** Height of the best block. */
  readonly block: number;
  /**
   * By ticker, what the account has: to be shown, and told by the nodes that answer, also where they are too few to settle anything.
   *
   * @throws BackendSilent; EvmFailure
   */
  readonly shown: () => Promise<Readonly<Record<string, DecimalText>>>;
};

/**
 * Opens coins of one account of an EVM chain: connects to the nodes, holds each coin against the chain, and makes its chain. Either all are open or
 * nothing is.
 *
 * @throws EvmFailure; ActivationFailure for a swap under another key or over another contract; PackageMissingError; what the log throws
 */
export async function openEvm(parts: EvmParts, opening: EvmOpening): Promise<OpenedEvm> {
  const adapter = await evmAdapter();
  const entries = readEntries(adapter, opening);
  const { chainId, urls, signal, signer, keyPlace, platform } = opening;
  const contracts = [opening.contract, opening.fallbackContract].filter((one) => one !== null);
  for (const { ticker } of opening.coins.filter(isUsed))
    await loadSwaps(ticker, { births: parts.births, ...opening, contracts });
  const station = await stationOf(parts, opening, adapter);
  const nodes = await reachNodes({ urls, chainId, adapter, random: parts.random, signal });
  const prices = { ...entries.platform.prices, ...(station === null ? {} : { station }) };
  const entered: EvmHome[] = [];
  const enter = (): EvmHome => {
    const home = parts.homes.enter({ chainId, signer: signer.coins, keyPlace, prices, nodes, adapter });
    entered.push(home);
    return home;
  };
  try {
    const own = enter();
    const { merged: reader, account } = own;
    requireOneAccount(opening, adapter.addressText(account.address));
    const described = await describedCoins(opening, { adapter, entries, reader, finality: parts.finality });
    const look = await reader.look(true).catch((error: unknown) => {
      throw error instanceof adapter.BackendSilent ? new EvmFailure('block', error.message) : error;
    });
    const { head } = look;
    if (entries.platform.finalizedTag === null) await adapter.hearFinality(look, account);
    const coins = await withRewards(parts, opening, { described, look, adapter });
    const used = coins.filter(({ of }) => isUsed(of));
    await checkAll({ ...parts, adapter }, opening, { coins, used, look, nodes, account: account.address });
    if (signal?.aborted === true) throw new EvmFailure('ended', 'the activation was ended');
    const usual = confirmationsOf(opening, entries);
    const made = used.map(({ of, entry, coin }) =>
      openedCoin(parts, {
        ...{ adapter, coin, home: enter() },
        platform: coin.token === undefined ? null : platform.ticker,
        requiredConfirmations: of.requiredConfirmations ?? entry.requiredConfirmations ?? usual,
        walletOnly: isWalletOnly({ of, entry }) || opening.contract === null,
      }),
    );
    own.leave();
    const all = [...coins.map(({ coin }) => shownCoin(coin)), ...(opening.kept ?? [])];
    const owner = account.address;
    return {
      ...{ coins: made, pubkey: adapter.longKey(signer.coins.key), address: adapter.addressText(owner) },
      ...{ reader, block: head.number, decimals: Object.fromEntries(all.map((one) => [one.ticker, one.decimals])) },
      shown: () => shownOf(all, { reader, adapter, owner }),
    };
  } catch (error) {
    for (const home of entered) home.leave();
    throw failureOf(error, adapter);
  }
}

type Checked = {
  readonly coins: Described;
  readonly used: Described;
  readonly look: EvmLook;
  readonly nodes: readonly NamedNode[];
  readonly account: string;
};

/** Holds the coins against the chain, and the nodes against what their swaps need. @throws EvmFailure; EvmCoinError; BackendSilent */
async function checkAll(
  parts: EvmParts & { readonly adapter: EvmAdapter },
  { contract, chainId }: EvmOpening,
  { coins, used, look, nodes, account }: Checked,
): Promise<void> {
  // A wallet without swaps sends amounts too, of as many digits as the entry says.
  const check = contract === null ? parts.adapter.checkEvmTokens : parts.adapter.checkEvmCoins;
  const [tickers, block] = [used.map(({ of }) => of.ticker), look.head.number];
  const isTraded = contract !== null && !used.every(isWalletOnly);
  await Promise.all([
    check({ coins: coins.map(({ coin }) => coin), look, account }),
    isTraded ? requireEvents(parts, { nodes, contract, chainId, block, tickers }) : null,
  ]);
}

function isUsed({ passive = false }: CoinOfChain): boolean {
  return !passive;
}

function isWalletOnly({ of, entry }: { readonly of: CoinOfChain; readonly entry: EvmEntry }): boolean {
  return of.walletOnly === true || entry.walletOnly;
}

type Described = Awaited<ReturnType<typeof describedCoins>>;
type Asking = { readonly look: EvmLook; readonly adapter: EvmAdapter };

/** The coins, with whether watchers are paid on them: by the request, and by the code of the contracts. It reports a request in vain. */
async function withRewards(
  parts: EvmParts,
  opening: EvmOpening,
  { described, look, adapter }: Asking & { described: Described },
) {
  const { watchers = false, contract, fallbackContract, platform } = opening;
  const contracts = [contract, fallbackContract].filter((one) => one !== null);
  if (!watchers || contract === null) return described;
  if (await adapter.paysWatchers(look, contracts))
    return described.map(({ coin, ...rest }) => ({ ...rest, coin: { ...coin, rewards: true } }));
  const reason =
    "a swap contract does not pay watchers from payments that promise a reward: its coins' swaps are not watched";
  parts.logger.warn('watchers are not supported', { coin: platform.ticker, reason });
  return described;
}

type Owned = { readonly reader: EvmReader; readonly adapter: EvmAdapter; readonly owner: string };

type ShownCoin = Pick<KeptToken, 'ticker' | 'decimals'> & { readonly token: string | null };

function shownCoin({ coin, decimals, token }: EvmCoin): ShownCoin {
  return { ticker: coin, decimals, token: token?.address ?? null };
}

/** Coins and tokens of one chain that pay their gas with one another are of one account. @throws EvmFailure coin */
function requireOneAccount({ kept = [] }: EvmOpening, address: string): void {
  const other = kept.find((token) => token.address !== address);
  if (other === undefined) return;
  const text = `${other.ticker} is active for the account ${other.address}, but this is ${address}; disable ${other.ticker} first`;
  throw new EvmFailure('coin', text);
}

async function shownOf(coins: readonly ShownCoin[], { reader, adapter, owner }: Owned) {
  const look = await reader.look(true);
  const units = ({ token }: ShownCoin): Promise<bigint> =>
    token === null ? look.balance(owner) : adapter.erc20Balance(look, { token, owner });
  const told = coins.map(async (coin) => [coin.ticker, fromBaseUnits(await units(coin), coin.decimals)] as const);
  return Object.fromEntries(
    await Promise.all(told).catch((error: unknown) => {
      throw error instanceof adapter.CallReverted ? failureOf(error, adapter) : error;
    }),
  );
}

type Entries = { readonly platform: EvmEntry; readonly coins: readonly EvmEntry[] };

/** @throws EvmFailure entry */
function readEntries({ readEvmEntry }: EvmAdapter, { platform, coins }: EvmOpening): Entries {
  try {
    return { platform: readEvmEntry(platform.entry), coins: coins.map(({ entry }) => readEvmEntry(entry)) };
  } catch (error) {
    if (!(error instanceof CoinEntryError)) throw error;
    throw new EvmFailure('entry', oneLine(error));
  }
}

/** Of the chain's own coin: what its tokens have where they say nothing themselves. */
function confirmationsOf({ coins, usualConfirmations }: EvmOpening, { platform }: Entries): number {
  const own = coins.find(({ token }) => token === null)?.requiredConfirmations ?? null;
  return own ?? platform.requiredConfirmations ?? usualConfirmations;
}

async function stationOf(
  { logger, clock }: EvmParts,
  { station, platform }: EvmOpening,
  { createGasStation }: EvmAdapter,
): Promise<GasStation | null> {
  if (station === undefined) return null;
  const { host } = new URL(station.url);
  const of = { coin: platform.ticker };
  const silences = new Silences(loggedSilences({ clock, logger, what: 'a gas station', of }));
  const made = createGasStation({ onFailure: (why) => silences.fell(host, why), ...station });
  const asked: GasStation = async () => {
    const price = await made();
    if (price !== null) silences.answered(host);
    return price;
  };
  if ((await asked()) === null)
    throw new EvmFailure('station', 'failed to get gas price from station', silences.behind([host]));
  return asked;
}

type Describing = EvmOpening & {
  /** Of as many nodes as settle what money depends on: amounts are read by the digits of a token. */
  readonly settled: () => Promise<EvmLook>;
  readonly adapter: EvmAdapter;
  readonly entry: EvmEntry;
  readonly entries: Entries;
  readonly finality: number;
};

type DescribingAll = Pick<Describing, 'adapter' | 'entries' | 'finality'> & { readonly reader: EvmReader };

async function describedCoins(opening: EvmOpening, { reader, ...given }: DescribingAll) {
  let settled: Promise<EvmLook> | undefined;
  const describing = {
    ...opening,
    ...given,
    settled: () => {
      settled ??= reader.look();
      return settled;
    },
  };
  return Promise.all(
    opening.coins.map(async (of, place) => {
      const entry = given.entries.coins[place] as EvmEntry;
      return { of, entry, coin: await describedCoin(of, { ...describing, entry }) };
    }),
  );
}

/** For a coin without a swap contract, an address without one. */
const NO_CONTRACT = '0'.repeat(40);
const WEI_DIGITS = 18;

async function describedCoin({ ticker, token }: CoinOfChain, given: Describing): Promise<EvmCoin> {
  const { contract, fallbackContract, platform, entry, entries, finality } = given;
  const { blockTime, logsBlockRange, finalizedTag } = entries.platform;
  return {
    coin: ticker,
    decimals: token === null ? WEI_DIGITS : (entry.decimals ?? (await askedDecimals(ticker, token, given))),
    contract: contract ?? NO_CONTRACT,
    fallbackContract,
    finality,
    blockTime,
    finalizedTag: finalizedTag ?? 'ifKnown',
    ...(logsBlockRange === null ? {} : { logsBlockRange }),
    ...(token === null ? {} : { token: { address: token, platform: platform.ticker } }),
    gas: token === null ? entry.gas.coin : entry.gas.token,
  };
}

const MOST_DECIMALS = 18n;
const FILE_WOULD_DO = 'with decimals in the coins file, one node that answers is enough';

async function askedDecimals(
  ticker: string,
  token: string,
  { settled, adapter }: Pick<Describing, 'settled' | 'adapter'>,
) {
  const told = await settled()
    .then((look) => adapter.tokenDecimals(look, token))
    .catch((error: unknown) => {
      if (error instanceof adapter.CallReverted) return null;
      if (!(error instanceof adapter.TooFew)) throw error;
      throw new EvmFailure('asked', `${ticker}: ${error.message}; ${FILE_WOULD_DO}`);
    });
  if (told !== null && told <= MOST_DECIMALS) return Number(told);
  const found = told === null ? 'does not report its decimals' : `has ${told} decimals, more than ${MOST_DECIMALS}`;
  throw new EvmFailure('coin', `${ticker}: the token 0x${token} ${found}; the coins file may say decimals`);
}

/** A fault from outside, as a failure with a text for the caller. */
function failureOf(error: unknown, { BackendSilent, EvmCoinError, CallReverted }: EvmAdapter): unknown {
  if (error instanceof EvmCoinError) return new EvmFailure('coin', oneLine(error));
  if (error instanceof BackendSilent || error instanceof CallReverted) return new EvmFailure('asked', error.message);
  return error;
}

function oneLine({ shortMessage, facts }: Pick<CoinEntryError, 'shortMessage' | 'facts'>): string {
  const listed = Object.entries(facts).map(([name, value]) => `${name}: ${String(value)}`);
  return [shortMessage, listed.join(', ')].join(' ').trim();
}
