import { isJsonObject, type JsonObject, type JsonValue, numberText } from '../primitives/json.ts';
import { activateOverDaemon, activateOverServers, type UtxoTerms } from './activate-utxo.ts';
import { ActivationFailure } from './activation-failure.ts';
import type { Activations } from './activations/activations.ts';
import type { ActiveCoin } from './active-coin.ts';
import { keyPathOf } from './coin-keys.ts';
import type { CoinTable } from './coin-table.ts';
import type { CoinsFile } from './coins-file.ts';
import type { Compatibility } from './compatibility.ts';
import { type LegacyEvmTerms, legacyEvm } from './evm/enable-legacy.ts';
import { accountIn } from './evm/legacy-request.ts';
import { type LegacyRequest, readLegacyRequest } from './legacy-request.ts';
import { type CoinProtocol, type ProtocolName, readProtocol } from './protocol.ts';
import { activateQrc20 } from './qrc20/activate.ts';
import { inMember, memberProblem } from './serde.ts';

export type ActivationOrder = {
  /** Over the coin's own daemon, or over servers. */
  readonly method: 'enable' | 'electrum';
  /** The request as it came. */
  readonly request: JsonObject;
  readonly coins: CoinsFile;
  readonly table: CoinTable;
  /** Writes down what is asked and what comes of it. @defaultValue nothing is written */
  readonly record?: Activations['run'];
  readonly terms: Omit<
    UtxoTerms,
    'requiredConfirmations' | 'requiresNotarization' | 'usualConfirmations' | 'merging' | 'walletOnly'
  > &
    Pick<LegacyEvmTerms, 'evm' | 'compatibility' | 'tradingProtoV2'>;
  /** Confirmations where neither the request nor the coins file says. */
  readonly usualConfirmations: number;
  /** Whether nobody may trade a coin of which `mm2` is 0 (specification §4.4). The real node does not look at the value. */
  readonly heedsMm2: boolean;
};

/** Protocols of coins that the legacy methods never activate; the real node names some of them otherwise. */
const ELSEWHERE: ReadonlyMap<ProtocolName, string> = new Map([
  ['TENDERMINT', 'TENDERMINT'],
  ['TENDERMINTTOKEN', 'TENDERMINTTOKEN'],
  ['ZHTLC', 'ZHTLC'],
  ['NFT', 'NFT'],
  ['TRX', 'TRX'],
  ['LIGHTNING', 'Lightning'],
]);

/** Coins of chains of outputs. */
const OF_OUTPUTS: ReadonlySet<ProtocolName> = new Set(['UTXO', 'BCH', 'QTUM', 'QRC20']);

/** Of a QRC20 token; any address will do, as with the real node. @throws ActivationFailure requestInvalid */
function contractsIn(
  request: JsonObject,
  compatibility: Compatibility,
): { readonly contract: string; readonly fallbackContract: string | null } {
  const named = (name: string) => (problem: string) =>
    new ActivationFailure('requestInvalid', inMember(name, { problem, path: [], compatibility }));
  const contract = accountIn(request['swap_contract_address'] ?? null, named('swap_contract_address'));
  const fallback = request['fallback_swap_contract'] ?? null;
  return {
    contract,
    fallbackContract: fallback === null ? null : accountIn(fallback, named('fallback_swap_contract')),
  };
}

/**
 * `enable` and `electrum` (specification §4.4, §4.5). Checked in the order of the real node. What the coin is decides how it is
 * activated, and not the method: a coin of an account is reached over `urls` either way.
 *
 * @throws ActivationFailure
 */
export async function enableCoin(order: ActivationOrder): Promise<ActiveCoin> {
  const { method, request, coins, table, record = unrecorded, terms, usualConfirmations, heedsMm2 } = order;
  const { coin: ticker } = request;
  if (typeof ticker !== 'string') throw new ActivationFailure('coinMissing', "No 'coin' field");
  table.requireInactive(ticker);
  const configured = coins.entryOf(ticker) ?? {};
  const mm2 = mm2Of(configured, { request, missing: coins.entryOf(ticker) === undefined ? ticker : null });
  const protocol = protocolOf(configured);
  const walletOnly = heedsMm2 && numberText(mm2) === '0';
  if (protocol.type === 'ETH' || protocol.type === 'ERC20') {
    requireUrls({ method, request, ticker, compatibility: terms.compatibility });
    const create = legacyEvm(
      { ticker, entry: configured, protocol, request, walletOnly },
      { ...terms, coins, usualConfirmations },
    );
    return table.activate(ticker, () => record({ coin: ticker, method, request }, create));
  }
  if (!OF_OUTPUTS.has(protocol.type)) throw unsupported(protocol, terms.compatibility);
  const swapContracts = protocol.type === 'QRC20' ? contractsIn(request, terms.compatibility) : null;
  const { servers, merging, addressFormat, ...asked } = readLegacyRequest(method, request, terms);
  const entry = { ...configured, ...addressFormatOf(configured, { request, addressFormat }) };
  const whole = { ...terms, usualConfirmations, ...asked, walletOnly };
  const create = async (): Promise<ActiveCoin> => {
    const { signerOfPath } = terms;
    const signer = signerOfPath === undefined ? terms.signer : await signerOfPath(keyPathOf(entry, request));
    const signed = { ...whole, signer, merging };
    if (swapContracts !== null) {
      const { platform, contract_address } = protocol.data;
      const token = { platform: String(platform), contractAddress: String(contract_address), ...swapContracts };
      return activateQrc20(entry, { ...signed, ...token, servers });
    }
    return servers === null ? activateOverDaemon(entry, signed) : activateOverServers(entry, { ...signed, ...servers });
  };
  return table.activate(ticker, () => record({ coin: ticker, method, request }, create));
}

const unrecorded: Activations['run'] = (_asked, create) => create();

type AskedUrls = Pick<ActivationOrder, 'method' | 'request'> & {
  readonly ticker: string;
  readonly compatibility: Compatibility;
};

/** A caller that names Electrum servers for a coin of an EVM chain, or nothing at all, learns how to reach it. @throws ActivationFailure */
function requireUrls({ method, request, ticker, compatibility }: AskedUrls): void {
  if (compatibility === 'kdf' || (request['urls'] ?? null) !== null) return;
  const servers = method === 'electrum' || request['servers'] !== undefined ? 'not over servers of Electrum, but ' : '';
  const text = `urls: ${memberProblem(null, 'a sequence')}; ${ticker} is of an EVM chain, and is activated ${servers}over its nodes: by enable with urls, or by task::enable_eth::init with nodes`;
  throw new ActivationFailure('requestInvalid', text);
}

type AskedMm2 = { readonly request: JsonObject; readonly missing: string | null };

/** It must be there: in the request, or in the coins file. The text is the real node's, and behind it whether the coin is in the file at all. */
function mm2Of(entry: JsonObject, { request, missing }: AskedMm2): JsonValue {
  const mm2 = request['mm2'] ?? entry['mm2'] ?? null;
  if (mm2 !== null) return mm2;
  const text = 'mm2 param is not set neither in coins config nor enable request, assuming that coin is not supported';
  const why = missing === null ? '' : `: the coins file has no entry for ${missing.slice(0, 40)}`;
  throw new ActivationFailure('mm2Missing', `${text}${why}`);
}

function protocolOf(entry: JsonObject): CoinProtocol {
  const { protocol = null } = entry;
  if (protocol === null) {
    throw new ActivationFailure(
      'protocolMissing',
      '"protocol" field is missing in coins file. The file format is deprecated, please execute ./mm2 update_config command to convert it or download a new one',
    );
  }
  const read = readProtocol(protocol);
  if (!read.ok) throw new ActivationFailure('protocolInvalid', read.problem);
  return read.value;
}

/** Outside of `--compatibility kdf` it says which method activates such a coin, where one does. */
function unsupported({ type, data }: CoinProtocol, compatibility: Compatibility): ActivationFailure {
  const name = ELSEWHERE.get(type) ?? type;
  const call = 'enable_tendermint_with_assets';
  const others: Partial<Record<ProtocolName, string>> = {
    TENDERMINT: `; call ${call} with it`,
    TENDERMINTTOKEN: `; call ${call} with ${String(data['platform'])}, and name it in tokens_params`,
  };
  const other = compatibility === 'kdf' ? '' : (others[type] ?? '; this node has no method that activates such a coin');
  return new ActivationFailure('protocolUnsupported', `${name} protocol is not supported by lp_coininit${other}`);
}

type AskedFormat = Pick<LegacyRequest, 'addressFormat'> & { readonly request: JsonObject };

/**
 * The form of addresses that the request asks for, where it does. It changes no coin to one with a witness, or from one.
 *
 * @throws ActivationFailure requestInvalid
 */
function addressFormatOf(entry: JsonObject, { request, addressFormat }: AskedFormat): JsonObject {
  const { address_format: asked = null } = request;
  if (addressFormat === null) return {};
  const { address_format: configured = null } = entry;
  const isSegwit = isJsonObject(configured) && configured['format'] === 'segwit';
  if (isSegwit === (addressFormat === 'segwit')) return { address_format: asked };
  const text = `Both conf ${isSegwit ? 'Segwit' : 'Standard'} and request ${addressFormat} must be either Segwit or Standard/CashAddress`;
  throw new ActivationFailure('requestInvalid', text);
}
