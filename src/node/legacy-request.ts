import type { z } from 'zod';
import type { JsonObject } from '../primitives/json.ts';
import { ActivationFailure } from './activation-failure.ts';
import { addressPathOf } from './coin-keys.ts';
import type { Compatibility } from './compatibility.ts';
import { requireCounts, type ServersRequest, serversOf } from './electrum-request.ts';
import { type Merging, mergingOf } from './merging.ts';
import { flag, inMember, option, readAs, struct, u32, u64, variant } from './serde.ts';

/** What a legacy request says of a coin of outputs; null where it does not say. */
export type LegacyRequest = {
  /** Null for a coin over its own daemon. */
  readonly servers: ServersRequest | null;
  readonly merging: Merging | null;
  readonly requiredConfirmations: number | null;
  readonly requiresNotarization: boolean | null;
  readonly addressFormat: 'standard' | 'segwit' | 'cashaddress' | null;
};

const addressFormat = struct('UtxoAddressFormat', { format: variant('standard', 'segwit', 'cashaddress') });
const scanPolicy = variant('do_not_scan', 'scan_if_new_wallet', 'scan');
const privKeyPolicy = variant('ContextPrivKey', 'Trezor');

/**
 * Reads a request of `enable` or `electrum`. Of several wrong members, it reports the one that the real node reads first
 * (`UtxoActivationParams::from_legacy_req`); it also reads some without effect here, and refuses them if they are wrong.
 *
 * @throws ActivationFailure requestInvalid, minConnectedZero, minAboveMax
 */
export function readLegacyRequest(
  method: 'enable' | 'electrum',
  request: JsonObject,
  { compatibility = 'kdf' }: { readonly compatibility?: Compatibility } = {},
): LegacyRequest {
  const member = <T>(name: string, schema: z.ZodType<T>): T | null => {
    const read = readAs(option(schema), request[name] ?? null);
    if (!read.ok) throw new ActivationFailure('requestInvalid', inMember(name, { ...read, compatibility }));
    return read.value;
  };
  const servers = method === 'electrum' ? serversOf(request, compatibility) : null;
  const merging = mergingOf(request, compatibility);
  const requiredConfirmations = member('required_confirmations', u64);
  const requiresNotarization = member('requires_notarization', flag);
  const format = member('address_format', addressFormat);
  member('check_utxo_maturity', flag);
  // A wallet of one address a coin scans nothing and makes no further ones, and its keys are its own.
  member('scan_policy', scanPolicy);
  member('min_addresses_number', u32);
  member('priv_key_policy', privKeyPolicy);
  addressPathOf(request, compatibility);
  if (servers !== null) requireCounts(servers);
  return { servers, merging, requiredConfirmations, requiresNotarization, addressFormat: format?.format ?? null };
}
