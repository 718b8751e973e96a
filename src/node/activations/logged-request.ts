import { ELECTRUM_PROTOCOLS } from '../../chains/utxo/electrum/server.ts';
import { withoutCredentials } from '../../events/enable-eth-request.ts';
import { isJsonObject, type JsonObject, type JsonValue, numberText } from '../../primitives/json.ts';
import { redactCredentials } from '../../primitives/redact-text.ts';
import { REDACTED } from '../../primitives/secret.ts';

/** Members that are numbers, truth values or null, whatever a caller puts there. */
const PLAIN = [
  'mm2',
  'min_connected',
  'max_connected',
  'required_confirmations',
  'requires_notarization',
  'tx_history',
  'check_utxo_maturity',
  'contract_supports_watchers',
  'gas_station_decimals',
] as const;
const MERGE = ['merge_at', 'check_every', 'max_merge_at_once'] as const;
const ADDRESS_PATH = ['account_id', 'address_id'] as const;
const SERVER = ['disable_cert_verification', 'timeout_sec'] as const;

/** Texts of a closed set. */
const WORDS: ReadonlySet<unknown> = new Set([
  ...ELECTRUM_PROTOCOLS,
  ...['do_not_scan', 'scan_if_new_wallet', 'scan'],
  ...['External', 'Internal'],
  ...['standard', 'segwit', 'cashaddress', 'bitcoincash', 'bchtest', 'bchreg'],
  ...['MeanAverageFast', 'Average'],
]);

/** A host, a port, and before them at most how they are spoken to. */
const ADDRESS = /^(?:[a-z]{2,5}:\/\/)?([\w.-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/**
 * What of an activation's request may stand in a log: the members that take effect, by name. Whatever else a caller sends, such as its password, is left
 * out, and so is of an address everything but host and port. Texts of `hide` are shown nowhere.
 */
export function loggedRequest(request: JsonObject, hide: readonly string[]): JsonObject {
  const {
    servers,
    urls,
    nodes,
    tokens_params: tokens,
    utxo_merge_params,
    address_format,
    path_to_address: path,
    scan_policy,
  } = request;
  const { gas_station_url: station, gas_station_policy: policy } = request;
  const kept: JsonObject = {
    ...plainOf(request, PLAIN),
    ...(Array.isArray(servers) ? { servers: servers.map((server: JsonValue) => serverOf(server, hide)) } : {}),
    ...(Array.isArray(urls) ? { urls: urls.map((url: JsonValue) => urlOf(url, hide)) } : {}),
    ...(Array.isArray(nodes) ? { nodes: nodes.map((node: JsonValue) => nodeOf(node, hide)) } : {}),
    ...(Array.isArray(tokens) ? { tokens_params: tokens.map((token: JsonValue) => tokenOf(token, hide)) } : {}),
    ...contractsOf(request),
    ...(typeof station === 'string' ? { gas_station_url: urlOf(station, hide) } : {}),
    ...(isJsonObject(policy) ? { gas_station_policy: wordsOf(policy) } : {}),
    ...(isJsonObject(utxo_merge_params) ? { utxo_merge_params: plainOf(utxo_merge_params, MERGE) } : {}),
    ...(isJsonObject(address_format) ? { address_format: wordsOf(address_format) } : {}),
    ...(isJsonObject(path) ? { path_to_address: { ...plainOf(path, ADDRESS_PATH), ...wordsOf(path) } } : {}),
    ...(WORDS.has(scan_policy) ? { scan_policy: scan_policy as string } : {}),
  };
  return kept;
}

/** A text of someone else without passwords, as far as they can be told. */
export function loggedText(text: string, hide: readonly string[]): string {
  return redactCredentials(
    hide.reduce((shown, word) => (word === '' ? shown : shown.replaceAll(word, REDACTED)), text),
  );
}

function plainOf(given: JsonObject, names: readonly string[]): JsonObject {
  const known = names.filter((name) => isPlain(given[name]));
  return Object.fromEntries(known.map((name) => [name, given[name] as JsonValue]));
}

function isPlain(value: JsonValue | undefined): boolean {
  return value === null || typeof value === 'boolean' || numberText(value) !== undefined;
}

function wordsOf(given: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(given).filter(([name, value]) => /^\w{1,20}$/.test(name) && WORDS.has(value)),
  );
}

const CONTRACTS = ['swap_contract_address', 'fallback_swap_contract'] as const;

function contractsOf(request: JsonObject): JsonObject {
  const named = CONTRACTS.flatMap((name) => {
    const value = request[name];
    return typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value) ? [[name, value] as const] : [];
  });
  return Object.fromEntries(named);
}

/** Without what could open a node. */
function urlOf(url: JsonValue, hide: readonly string[]): string {
  return typeof url === 'string' ? loggedText(withoutCredentials(url), hide) : REDACTED;
}

function nodeOf(node: JsonValue, hide: readonly string[]): JsonObject {
  return isJsonObject(node) && node['url'] !== undefined ? { url: urlOf(node['url'], hide) } : {};
}

/** Of another chain's asset its ticker, which the coins file knows. */
function tokenOf(token: JsonValue, hide: readonly string[]): JsonObject {
  if (!isJsonObject(token)) return {};
  const { ticker } = token;
  return {
    ...(typeof ticker === 'string' ? { ticker: loggedText(ticker, hide) } : {}),
    ...plainOf(token, ['required_confirmations']),
  };
}

function serverOf(server: JsonValue, hide: readonly string[]): JsonObject {
  if (!isJsonObject(server)) return {};
  const { url, protocol } = server;
  const isShown = typeof url === 'string' && ADDRESS.test(url) && loggedText(url, hide) === url;
  return {
    ...(url === undefined ? {} : { url: isShown ? url : REDACTED }),
    ...(WORDS.has(protocol) ? { protocol: protocol as string } : {}),
    ...plainOf(server, SERVER),
  };
}
