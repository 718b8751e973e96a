import { BackendSilent } from '../../chains/accounts/silence.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ActiveCoin, Balances } from '../../ports/coin-wallet.ts';
import type { Logger } from '../../ports/logger.ts';
import type { WalletSigner } from '../../ports/signer.ts';
import { isJsonObject, type JsonObject, numberText } from '../../primitives/json.ts';
import { PackageMissingError } from '../../primitives/optional-package.ts';
import type { Seconds } from '../../primitives/time.ts';
import { ActivationFailure } from '../activation-failure.ts';
import type { Activations } from '../activations/activations.ts';
import type { Births } from '../births.ts';
import { keyPathOf, type SignerOfPath } from '../coin-keys.ts';
import type { CoinTable } from '../coin-table.ts';
import type { CoinsFile } from '../coins-file.ts';
import type { Compatibility } from '../compatibility.ts';
import { loadSwaps } from '../swap-keys.ts';
import { tendermintAdapter } from './adapter-module.ts';
import { creationFailure, occupiedBy, TendermintFailure } from './failure.ts';
import { watchingSigner } from './key-elsewhere.ts';
import { type OpenedTendermint, openTendermint } from './open.ts';
import { type CoinOfChain, orderOf, type TendermintOrder } from './order.ts';
import type { TendermintParams } from './params.ts';

export type TendermintEnabling = {
  readonly params: TendermintParams;
  readonly coins: CoinsFile;
  readonly table: CoinTable;
  readonly births: Births;
  readonly signer: WalletSigner;
  readonly signerOfPath: SignerOfPath | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly poll: Seconds;
  readonly compatibility: Compatibility;
  /** Confirmations where neither the request nor the coins file says. */
  readonly usualConfirmations: number;
  /** Writes down what is asked and what comes of it. @defaultValue nobody does */
  readonly record?: Activations['run'];
};

/** What has become active: the chain's own coin, and the assets that were asked for with it. */
export type EnabledTendermint = {
  readonly coin: ActiveCoin;
  readonly block: number;
  readonly assets: readonly ActiveCoin[];
  /** By ticker; null where nobody asked for them. */
  readonly balances: Readonly<Record<string, Balances>> | null;
};

/**
 * Activates a coin of a Tendermint chain with assets (specification §4.10), either all or none, in the order of the real node: what can be told without
 * asking anybody, then the last block, then the balances.
 *
 * @throws TendermintFailure; what the log throws
 */
export async function enableTendermint(enabling: TendermintEnabling): Promise<EnabledTendermint> {
  const { params, coins, table, compatibility } = enabling;
  const occupied = (ticker: string): ActivationFailure | null => {
    try {
      table.requireInactive(ticker);
      return null;
    } catch (error) {
      if (error instanceof ActivationFailure) return error;
      throw error;
    }
  };
  const order = orderOf({ params, coins, occupied, compatibility });
  const tickers = [order.platform, ...order.assets].map(({ ticker }) => ticker);
  if (new Set(tickers).size !== tickers.length) throw creationFailure(params.ticker, 'a token is named twice');
  const place = table.reserve(tickers);
  const made: Made = { opened: null, found: null };
  const { ticker } = params;
  try {
    const asked = { coin: ticker, method: 'enable_tendermint_with_assets', request: params as JsonObject } as const;
    await (enabling.record ?? unrecorded)(asked, () => make(made, { order, enabling }));
    const { opened, found } = made;
    if (opened === null || found === null) throw new RangeError('a coin was made that is none');
    place.commit(opened.coins);
    return found;
  } catch (error) {
    for (const coin of made.opened?.coins ?? []) coin.close();
    place.release();
    throw toldFailure(error, { ticker, compatibility });
  }
}

type Made = { opened: OpenedTendermint | null; found: EnabledTendermint | null };

const unrecorded: Activations['run'] = (_asked, create) => create();

/** What is open stands there at once, so that it is let go of whatever comes after it. @throws TendermintFailure */
async function make(made: Made, { order, enabling }: Looking): Promise<ActiveCoin> {
  const { params, compatibility } = enabling;
  try {
    made.opened = await open(enabling, order);
    made.found = await lookAt(made.opened, { order, enabling });
    return made.found.coin;
  } catch (error) {
    throw toldFailure(error, { ticker: params.ticker, compatibility });
  }
}

async function open(enabling: TendermintEnabling, order: TendermintOrder): Promise<OpenedTendermint> {
  const { births, signerOfPath, params, clock, logger, poll } = enabling;
  const { entry } = order.platform;
  const { watchedKey } = order;
  const byPath = signerOfPath !== undefined && watchedKey === null;
  const own = async () => (byPath ? signerOfPath(keyPathOf(entry, pathIn(params))) : enabling.signer);
  const signer = watchedKey === null ? await own() : watchingSigner(watchedKey);
  for (const { ticker } of [order.platform, ...order.assets]) await loadSwaps(ticker, { births, signer, byPath });
  const adapter = await tendermintAdapter();
  const confirmationsOf = (coin: CoinOfChain) => requiredConfirmations(coin, { platform: order.platform, enabling });
  const isWalletOnly = (coin: CoinOfChain) => isForWallet(coin, enabling);
  return openTendermint({ clock, logger, poll, adapter, signer, confirmationsOf, isWalletOnly }, order);
}

function pathIn({ path_to_address: path }: TendermintParams): JsonObject {
  return isJsonObject(path) ? { path_to_address: path } : {};
}

/**
 * By the request, else the coins file, else the platform; at least one: a payment of the other side that is in no block yet has no end of its lock. The
 * real node looks at no request, and at no platform.
 */
function requiredConfirmations(
  coin: CoinOfChain,
  { platform, enabling }: { readonly platform: CoinOfChain; readonly enabling: TendermintEnabling },
): number {
  const { usualConfirmations: usual, compatibility } = enabling;
  const ofPlatform = compatibility === 'kdf' ? null : saidOf(platform);
  return Math.max(1, saidOf(coin) ?? ofPlatform ?? usual);
}

function saidOf({ entry, asked }: CoinOfChain): number | null {
  if (asked !== null) return Number(asked);
  const configured = Number(numberText(entry['required_confirmations'] ?? null) ?? Number.NaN);
  return Number.isSafeInteger(configured) ? configured : null;
}

function isForWallet({ entry }: CoinOfChain, { params, compatibility }: TendermintEnabling): boolean {
  if (entry['wallet_only'] === true) return true;
  const mm2 = params.mm2 ?? entry['mm2'] ?? null;
  return compatibility === 'specification' && mm2 !== null && String(mm2) === '0';
}

type Looking = { readonly order: TendermintOrder; readonly enabling: TendermintEnabling };

async function lookAt(
  { coins: opened, block }: OpenedTendermint,
  { order, enabling }: Looking,
): Promise<EnabledTendermint> {
  const [coin, ...assets] = opened as [ActiveCoin, ...ActiveCoin[]];
  const found = { coin, assets, block: await block().catch(silent(order.platform.ticker, enabling)) };
  if (enabling.params.get_balances === false) return { ...found, balances: null };
  const balances: Record<string, Balances> = {};
  for (const each of opened) {
    const answer = await each.balances();
    if (!answer.ok) throw silence(order.platform.ticker, answer.fault.message, enabling);
    balances[each.ticker] = answer.value;
  }
  return { ...found, balances };
}

/** The specification has a name of its own for it; the real node tells it as a coin that was not made. */
function silence(ticker: string, why: string, { compatibility }: Pick<TendermintEnabling, 'compatibility'>) {
  const text = 'All the current rpc nodes are unavailable.';
  if (compatibility === 'kdf') return creationFailure(ticker, text);
  return new TendermintFailure('Transport', `${text} ${why}`, `${text} ${why}`);
}

function silent(ticker: string, enabling: Pick<TendermintEnabling, 'compatibility'>): (error: unknown) => never {
  return (error) => {
    throw error instanceof BackendSilent ? silence(ticker, error.message, enabling) : error;
  };
}

type Telling = { readonly ticker: string; readonly compatibility: Compatibility };

/** What is told of a failure; anything that is none of the outside as it is. */
export function toldFailure(error: unknown, { ticker, compatibility }: Telling): unknown {
  if (error instanceof ActivationFailure) {
    if (error.kind === 'alreadyActive' || error.kind === 'underWay')
      return occupiedBy(error, { ticker, compatibility });
    return creationFailure(ticker, error.message);
  }
  if (!(error instanceof PackageMissingError)) return error;
  const type = compatibility === 'kdf' ? 'Internal' : 'InternalError';
  return new TendermintFailure(type, error.message, error.message);
}
