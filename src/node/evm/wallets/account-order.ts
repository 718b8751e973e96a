import type { EnableEthRequest } from '../../../events/enable-eth-request.ts';
import type { EvmActivationFault } from '../../../ports/evm-activator.ts';
import type { JsonObject } from '../../../primitives/json.ts';
import type { AddressChain } from './account-addresses.ts';

/** What of a request is about the accounts of a wallet (specification §4.6). */
export type AccountOrder = {
  /** Path of the coin, such as `m/44'/60'`. */
  readonly base: string;
  readonly account: number;
  readonly chain: AddressChain;
  readonly address: number;
  readonly gapLimit: number;
  readonly scanPolicy: EnableEthRequest['scan_policy'];
  /** Fewest addresses of each account. */
  readonly fewest: number;
};

export type AccountOrderRead =
  | { readonly ok: true; readonly value: AccountOrder }
  | { readonly ok: false; readonly fault: EvmActivationFault };

/** Of the numbers of a path those below it can be hardened. */
const MOST_INDEX = 0x7fff_ffff;
const PATH_TO_COIN = /^m\/(?:32|44|49|84)'\/\d{1,10}'$/;
const USUAL_GAP = 20;

/**
 * The most addresses of one account to report, or to lie unused between two used ones. The real node has no such limit; a request for two thousand
 * million addresses keeps it busy for weeks.
 */
export const MOST_TOLD = 100_000;

/** Checked in the order of the real node, and by it worded where it has a word. */
export function accountOrder(request: EnableEthRequest, entry: JsonObject): AccountOrderRead {
  const { path_to_address, gap_limit, scan_policy, min_addresses_number: fewest = 0 } = request;
  const { account_id: account, chain, address_id: address } = path_to_address;
  const gapLimit = gap_limit ?? USUAL_GAP;
  const { derivation_path: base = null } = entry;
  if (typeof base !== 'string') return refused(basePathProblem(base));
  if (!PATH_TO_COIN.test(base)) return refused(`derivation_path: expected a path such as m/44'/60'`);
  for (const [name, number] of Object.entries({ account_id: account, address_id: address })) {
    if (number > MOST_INDEX) return refused(`path_to_address: ${name} ${number} is above ${MOST_INDEX}`);
  }
  if (fewest > MOST_INDEX) {
    return fault('Internal', `Addresses limit reached. Max number of addresses: ${MOST_INDEX + 1}`);
  }
  for (const [name, number] of Object.entries({
    address_id: address,
    min_addresses_number: fewest,
    gap_limit: gapLimit,
  })) {
    if (number > MOST_TOLD) return refused(`${name} ${number} is above ${MOST_TOLD}, the most that this node shows`);
  }
  return { ok: true, value: { base, account, chain, address, gapLimit, scanPolicy: scan_policy, fewest } };
}

function basePathProblem(base: unknown): string {
  return base === null ? 'invalid type: null, expected a string' : 'derivation_path: expected a string';
}

function refused(text: string): AccountOrderRead {
  return fault('InvalidPayload', text);
}

function fault(type: EvmActivationFault['type'], data: string): AccountOrderRead {
  return { ok: false, fault: { type, data } };
}
