import { withoutCredentials } from '../../events/enable-eth-request.ts';
import type { EnableTendermintRequest } from '../../events/enable-tendermint-request.ts';
import { htlcModuleOf } from '../../htlc/tendermint-messages.ts';
import { type DecimalText, isDecimalText } from '../../primitives/decimal.ts';
import type { JsonObject } from '../../primitives/json.ts';
import { numberText } from '../../primitives/json.ts';
import type { CoinsFile } from '../coins-file.ts';
import type { Compatibility } from '../compatibility.ts';
import { type CoinProtocol, readProtocol } from '../protocol.ts';
import { voicesOf } from '../voices.ts';
import { creationFailure, TendermintFailure } from './failure.ts';
import { type AccountOwner, ownerOf } from './key-elsewhere.ts';

/** A coin or an asset of a chain, as the coins file has it. */
export type CoinOfChain = {
  readonly ticker: string;
  readonly entry: JsonObject;
  readonly denom: string;
  readonly decimals: number;
  /** Confirmations that the request has for it; null where it says nothing. */
  readonly asked: number | null;
  /** Whether it is active already, and stays as it is. */
  readonly kept: boolean;
};

/** Addresses that count as one, in the order in which they are tried, and by what it is told from others. */
export type NamedVoice = { readonly name: string; readonly urls: readonly string[] };

/** What is to be activated. All that can be told without asking anyone has been checked. */
export type TendermintOrder = {
  readonly platform: CoinOfChain;
  readonly assets: readonly CoinOfChain[];
  readonly chainId: string;
  readonly prefix: string;
  /** Nominal, in seconds. */
  readonly blockTime: number;
  readonly gasPrice: DecimalText;
  /** Who is asked. */
  readonly voices: readonly NamedVoice[];
  readonly hasSwaps: boolean;
  /** Whether the assets alone are to be in use: the chain's own coin was taken out before, or something else has it. */
  readonly passive: boolean;
  /** Whose account it is. */
  readonly owner: AccountOwner;
  /** How long own payments are locked as maker: with nodes of the framework, as these count. */
  readonly makerLocks: 'agreed' | 'framework';
};

const MOST_DECIMALS = 18;
/** The framework's, where the coins file says nothing. */
const USUAL_GAS_PRICE = '0.25' as DecimalText;

export type Reading = {
  readonly params: EnableTendermintRequest;
  readonly coins: CoinsFile;
  /** Whether an asset is active for this platform by the same denomination, and so stays as it is. @throws ActivationFailure where something else has its ticker */
  readonly isKept: (asset: { readonly ticker: string; readonly denom: string }) => boolean;
  /** Whether the assets alone are to be in use. */
  readonly passive: boolean;
  readonly compatibility: Compatibility;
};

/** Reads what is asked for, in the order in which the real node looks at it. @throws TendermintFailure */
export function orderOf({ params, coins, isKept, passive, compatibility }: Reading): TendermintOrder {
  const { ticker } = params;
  const entry = coins.entryOf(ticker);
  if (entry === undefined) throw new TendermintFailure('PlatformConfigIsNotFound', ticker);
  const { denom, decimals, account_prefix, chain_id, gas_price } = platformData(ticker, entry);
  const places = Number(decimals);
  if (places > MOST_DECIMALS)
    throw creationFailure(
      ticker,
      `'decimals' value is too high; it must be 18 or lower but the current value is ${places}`,
    );
  const blockTime = blockTimeOf(ticker, entry);
  const asked = compatibility === 'kdf' ? null : (params.required_confirmations ?? null);
  const owner = ownerOf(params, compatibility);
  const voices = voicesIn(params, compatibility);
  const prefix = String(account_prefix);
  return {
    platform: { ticker, entry, denom: String(denom), decimals: places, asked, kept: false },
    assets: params.tokens_params.map((token) => assetOf(token, { platform: ticker, coins, isKept })),
    ...{
      chainId: String(chain_id),
      prefix,
      blockTime,
      voices,
      passive,
      owner,
      hasSwaps: htlcModuleOf(prefix) !== undefined,
    },
    gasPrice: gasPriceOf(ticker, gas_price),
    makerLocks: compatibility === 'kdf' ? 'framework' : 'agreed',
  };
}

function platformData(ticker: string, entry: JsonObject): JsonObject {
  const read = readProtocol(entry['protocol']);
  if (!read.ok) throw new TendermintFailure('CoinProtocolParseError', { ticker, error: read.problem });
  const { type, data } = read.value;
  if (type === 'TENDERMINT') return data;
  throw new TendermintFailure('UnexpectedPlatformProtocol', { ticker, protocol: shown(read.value) });
}

/** As the coins file has it; a protocol without data is its type alone. */
function shown({ type, data }: CoinProtocol): JsonObject {
  return Object.keys(data).length === 0 ? { type } : { type, protocol_data: data };
}

const MOST_BLOCK_TIME = 255;

function blockTimeOf(ticker: string, { avg_blocktime: told = null }: JsonObject): number {
  if (told === null) throw creationFailure(ticker, 'avg_blocktime is missing in coin configuration');
  const seconds = Number(numberText(told) ?? Number.NaN);
  if (!Number.isFinite(seconds) || seconds <= 0 || seconds > MOST_BLOCK_TIME)
    throw creationFailure(ticker, `avg_blocktime must be in-between '0' and '255'.`);
  return seconds;
}

function gasPriceOf(ticker: string, told: JsonObject[string] | undefined): DecimalText {
  const text = told === undefined || told === null ? USUAL_GAS_PRICE : (numberText(told) ?? '');
  if (!isDecimalText(text) || !(Number(text) > 0)) throw creationFailure(ticker, 'gas_price must be a number above 0');
  return text;
}

function voicesIn({ ticker, nodes }: EnableTendermintRequest, compatibility: Compatibility): readonly NamedVoice[] {
  const why = compatibility === 'kdf' ? '' : ': nodes is empty, but needs at least one node with its url';
  if (nodes.length === 0) throw creationFailure(ticker, `EmptyRpcUrls${why}`);
  const wrong = nodes.filter(({ url }) => !isUrl(url));
  const shownOf = ({ url }: { readonly url: string }) =>
    // What is no address may still hold a password, or a key in its path.
    `Url ${withoutCredentials(url).slice(0, 100)} is invalid, got error expected an address of http or https`;
  if (wrong.length > 0) throw creationFailure(ticker, wrong.map(shownOf).join(', '));
  const urls = [...new Set(nodes.map(({ url }) => url))];
  const names = voicesOf(urls);
  return [...new Set(names)].map((name) => ({ name, urls: urls.filter((_, place) => names[place] === name) }));
}

function isUrl(text: string): boolean {
  try {
    return ['http:', 'https:', 'ws:', 'wss:'].includes(new URL(text).protocol);
  } catch {
    return false;
  }
}

type AssetPlace = Pick<Reading, 'coins' | 'isKept'> & { readonly platform: string };

function assetOf(
  { ticker, required_confirmations: asked = null }: EnableTendermintRequest['tokens_params'][number],
  { platform, coins, isKept }: AssetPlace,
): CoinOfChain {
  const entry = coins.entryOf(ticker);
  if (entry === undefined) throw new TendermintFailure('TokenConfigIsNotFound', ticker);
  const read = readProtocol(entry['protocol']);
  if (!read.ok) throw new TendermintFailure('TokenProtocolParseError', { ticker, error: read.problem });
  const { type, data } = read.value;
  // An asset of another chain may have another denomination here, or none.
  if (type !== 'TENDERMINTTOKEN' || data['platform'] !== platform)
    throw new TendermintFailure('UnexpectedTokenProtocol', { ticker, protocol: shown(read.value) });
  const denom = String(data['denom']);
  return { ticker, entry, denom, decimals: Number(data['decimals']), asked, kept: isKept({ ticker, denom }) };
}
