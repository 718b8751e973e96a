import { isJsonObject, type JsonObject, numberText } from '../primitives/json.ts';
import { nearest } from '../primitives/nearest.ts';

/** Members of a legacy activation that take effect for some coin, or that the real node reads. */
const MEMBERS: readonly string[] = [
  ...['userpass', 'method', 'coin', 'id', 'mm2', 'tx_history', 'required_confirmations', 'requires_notarization'],
  ...['servers', 'min_connected', 'max_connected', 'urls', 'rpc_mode', 'utxo_merge_params', 'check_utxo_maturity'],
  ...['address_format', 'path_to_address', 'scan_policy', 'min_addresses_number', 'gap_limit', 'priv_key_policy'],
  ...['swap_contract_address', 'fallback_swap_contract', 'swap_v2_contracts', 'contract_supports_watchers'],
  ...['gas_station_url', 'gas_station_decimals', 'gas_station_policy', 'max_eth_tx_type', 'gas_fee_estimator'],
];

/** Longest name that a line of the log repeats, in characters. */
const LONGEST_NAME = /^[A-Za-z_]\w{0,39}$/;

/** Members that nothing reads, each with the nearest name where there is one. Their values are not told: one may be a password. */
export function unreadMembers(request: JsonObject): readonly string[] {
  const unread = Object.keys(request).filter((name) => !MEMBERS.includes(name));
  return unread.map((name) => {
    if (!LONGEST_NAME.test(name)) return 'one whose name is not a word';
    const [near] = nearest(name, MEMBERS);
    return near === undefined ? name : `${name} (did you mean ${near}?)`;
  });
}

export type AskedCoin = {
  readonly request: JsonObject;
  /** Of the coins file; empty where it has none. */
  readonly entry: JsonObject;
};

/** Why nobody can trade a coin that is active, by what was asked and configured. */
export function walletOnlyReason({ request, entry }: AskedCoin): string {
  const { protocol = null } = entry;
  const type = isJsonObject(protocol) ? protocol['type'] : null;
  if (entry['wallet_only'] === true) return 'the coins file says wallet_only';
  const mm2 = request['mm2'] ?? entry['mm2'] ?? null;
  if (numberText(mm2) === '0') return `mm2 is 0 in the ${request['mm2'] === undefined ? 'coins file' : 'request'}`;
  const isOfAccount = type === 'ETH' || type === 'ERC20';
  if (isOfAccount && (request['swap_contract_address'] ?? null) === null)
    return 'the request has no swap_contract_address';
  return 'its entry does not allow swaps';
}
