import { isJsonObject, type JsonObject } from '../primitives/json.ts';
import { activateOverDaemon, activateOverServers, type UtxoTerms } from './activate-utxo.ts';
import { ActivationFailure } from './activation-failure.ts';
import type { Activations } from './activations/activations.ts';
import type { ActiveCoin } from './active-coin.ts';
import { keyPathOf } from './coin-keys.ts';
import type { CoinTable } from './coin-table.ts';
import type { CoinsFile } from './coins-file.ts';
import { serversOf } from './electrum-request.ts';
import { mergingOf } from './merging.ts';
import { type ProtocolName, readProtocol } from './protocol.ts';
import { memberProblem, option, readAs, struct, u64, variant } from './serde.ts';

export type ActivationOrder = {
  /** Over the coin's own daemon, or over servers. */
  readonly method: 'enable' | 'electrum';
  /** The request as it came. */
  readonly request: JsonObject;
  readonly coins: CoinsFile;
  readonly table: CoinTable;
  /** Writes down what is asked and what comes of it. @defaultValue nothing is written */
  readonly record?: Activations['run'];
  readonly terms: Omit<UtxoTerms, 'requiredConfirmations' | 'requiresNotarization' | 'usualConfirmations' | 'merging'>;
  /** Confirmations where neither the request nor the coins file says. */
  readonly usualConfirmations: number;
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

/**
 * `enable` and `electrum` of a coin of outputs (specification §4.4, §4.5). Checked in the order of the real node (`activation.md` §5.1).
 *
 * @throws ActivationFailure
 */
export async function enableCoin(order: ActivationOrder): Promise<ActiveCoin> {
  const { method, request, coins, table, record = unrecorded, terms, usualConfirmations } = order;
  const { coin: ticker } = request;
  if (typeof ticker !== 'string') throw new ActivationFailure('coinMissing', "No 'coin' field");
  table.requireInactive(ticker);
  const configured = coins.entryOf(ticker) ?? {};
  requireMm2(configured, request);
  const protocol = protocolOf(configured);
  if (protocol !== 'UTXO' && protocol !== 'BCH') throw unsupported(protocol);
  const entry = { ...configured, ...addressFormatOf(configured, request) };
  const requiredConfirmations = confirmationsOf(request);
  const requiresNotarization = notarizationOf(request);
  const whole = { ...terms, usualConfirmations, requiredConfirmations, requiresNotarization };
  const merging = mergingOf(request);
  requireScanPolicy(request);
  const servers = method === 'electrum' ? serversOf(request) : null;
  const create = async (): Promise<ActiveCoin> => {
    const { signerOfPath } = terms;
    const signer = signerOfPath === undefined ? terms.signer : await signerOfPath(keyPathOf(entry, request));
    const signed = { ...whole, signer, merging };
    return servers === null ? activateOverDaemon(entry, signed) : activateOverServers(entry, { ...signed, ...servers });
  };
  return table.activate(ticker, () => record({ coin: ticker, method, request }, create));
}

const unrecorded: Activations['run'] = (_asked, create) => create();

const scanPolicy = option(variant('do_not_scan', 'scan_if_new_wallet', 'scan'));

/** A wallet of one key scans nothing, so the policy has no effect; a wrong one is refused all the same. */
function requireScanPolicy(request: JsonObject): void {
  const read = readAs(scanPolicy, request['scan_policy'] ?? null);
  if (!read.ok) throw new ActivationFailure('requestInvalid', read.problem);
}

/** Whatever its value, it must be there: in the request or in the coins file. */
function requireMm2(entry: JsonObject, request: JsonObject): void {
  if ((entry['mm2'] ?? request['mm2'] ?? null) !== null) return;
  throw new ActivationFailure(
    'mm2Missing',
    'mm2 param is not set neither in coins config nor enable request, assuming that coin is not supported',
  );
}

function protocolOf(entry: JsonObject): ProtocolName {
  const { protocol = null } = entry;
  if (protocol === null) {
    throw new ActivationFailure(
      'protocolMissing',
      '"protocol" field is missing in coins file. The file format is deprecated, please execute ./mm2 update_config command to convert it or download a new one',
    );
  }
  const read = readProtocol(protocol);
  if (!read.ok) throw new ActivationFailure('protocolInvalid', read.problem);
  return read.value.type;
}

function unsupported(protocol: ProtocolName): ActivationFailure {
  const name = ELSEWHERE.get(protocol) ?? protocol;
  return new ActivationFailure('protocolUnsupported', `${name} protocol is not supported by lp_coininit`);
}

const addressFormat = option(struct('UtxoAddressFormat', { format: variant('standard', 'segwit', 'cashaddress') }));

/**
 * The form of addresses that the request asks for, where it does. It changes no coin to one with a witness, or from one.
 *
 * @throws ActivationFailure requestInvalid
 */
function addressFormatOf(entry: JsonObject, request: JsonObject): JsonObject {
  const { address_format: asked = null } = request;
  const read = readAs(addressFormat, asked);
  if (!read.ok) throw new ActivationFailure('requestInvalid', read.problem);
  if (read.value === null) return {};
  const { address_format: configured = null } = entry;
  const isSegwit = isJsonObject(configured) && configured['format'] === 'segwit';
  if (isSegwit === (read.value.format === 'segwit')) return { address_format: asked };
  const text = `Both conf ${isSegwit ? 'Segwit' : 'Standard'} and request ${read.value.format} must be either Segwit or Standard/CashAddress`;
  throw new ActivationFailure('requestInvalid', text);
}

/** Null where the request does not say. @throws ActivationFailure requestInvalid */
function confirmationsOf(request: JsonObject): number | null {
  const read = readAs(option(u64), request['required_confirmations']);
  if (!read.ok) throw new ActivationFailure('requestInvalid', read.problem);
  return read.value;
}

/** Null where the request does not say. @throws ActivationFailure requestInvalid */
function notarizationOf(request: JsonObject): boolean | null {
  const asked = request['requires_notarization'] ?? null;
  if (asked === null || typeof asked === 'boolean') return asked;
  throw new ActivationFailure('requestInvalid', memberProblem(asked, 'a boolean'));
}
