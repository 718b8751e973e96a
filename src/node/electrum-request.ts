import { ELECTRUM_PROTOCOLS, type ElectrumServerEntry } from '../chains/utxo/electrum/server.ts';
import { type JsonObject, type JsonValue, numberText } from '../primitives/json.ts';
import { ActivationFailure } from './activation-failure.ts';
import type { Compatibility } from './compatibility.ts';
import { flag, inMember, listOf, option, readAs, struct, text, u64, variant } from './serde.ts';

/** Over which servers a coin is activated (specification §4.4). */
export type ServersRequest = {
  readonly servers: readonly ElectrumServerEntry[];
  readonly minConnected: number;
  readonly maxConnected: number;
};

/** Seconds that connecting may take where a server does not say. */
const TIMEOUT_SECONDS = 20;

const server = struct('ElectrumConnectionSettings', {
  url: text,
  protocol: option(variant(...ELECTRUM_PROTOCOLS)),
  disable_cert_verification: option(flag),
  timeout_sec: option(u64),
});

/** @throws ActivationFailure requestInvalid, in the words of the real node */
export function serversOf(request: JsonObject, compatibility: Compatibility = 'kdf'): ServersRequest {
  const read = readAs(listOf(server), request['servers'] ?? null);
  if (!read.ok) throw new ActivationFailure('requestInvalid', inMember('servers', { ...read, compatibility }));
  const servers = read.value.map(({ url, protocol, disable_cert_verification, timeout_sec }) => ({
    url,
    protocol: protocol ?? 'TCP',
    disableCertVerification: disable_cert_verification ?? false,
    timeoutMs: (timeout_sec ?? TIMEOUT_SECONDS) * 1000,
  }));
  const minConnected = countOf(request['min_connected']) ?? 1;
  const maxConnected = countOf(request['max_connected']) ?? servers.length;
  return { servers, minConnected, maxConnected };
}

/** @throws ActivationFailure minConnectedZero or minAboveMax, in the words of the real node */
export function requireCounts({ minConnected, maxConnected }: ServersRequest): void {
  if (minConnected < 1) throw new ActivationFailure('minConnectedZero', 'min_connected should be greater than 0');
  if (minConnected <= maxConnected) return;
  const text = `min_connected (${minConnected}) must be <= max_connected (${maxConnected})`;
  throw new ActivationFailure('minAboveMax', text);
}

/** What is no whole number from 0 on counts as absent, as the real node has it. */
function countOf(value: JsonValue | undefined): number | null {
  const count = Number((value === undefined ? undefined : numberText(value)) ?? Number.NaN);
  return Number.isSafeInteger(count) && count >= 0 ? count : null;
}
