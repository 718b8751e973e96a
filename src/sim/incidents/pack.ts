import { accountIncidents } from './accounts.ts';
import { broadcastIncidents } from './broadcasts.ts';
import { clockIncidents } from './clocks.ts';
import type { Incident, IncidentOptions, IncidentResult } from './incident.ts';
import { mempoolIncidents } from './mempool.ts';
import { refundIncidents } from './refunds.ts';
import { playIncident } from './run.ts';

/** Systems in the order of the pack. */
const SYSTEMS = [
  'KDF',
  'Farcaster',
  'xmr-btc-swap',
  'boltz-backend',
  'boltz-client',
  'dcrdex',
  'Arkade',
  'Breez',
  'Bisq',
] as const;

function place({ system, id }: Incident): number {
  const number = Number(id.slice(id.lastIndexOf('-') + 1));
  return SYSTEMS.indexOf(system as (typeof SYSTEMS)[number]) * 1_000_000 + number;
}

/** Public incidents of other swap systems, each as scenarios that reproduce its cause, with the ending that they must have. */
export const incidents: readonly Incident[] = [
  ...broadcastIncidents,
  ...clockIncidents,
  ...refundIncidents,
  ...accountIncidents,
  ...mempoolIncidents,
].toSorted((left, right) => place(left) - place(right));

/**
 * Plays one incident, given or named by its id, with its named seed unless another one is given.
 *
 * @throws RangeError for an unknown id.
 *
 * @example
 * ```ts
 * import { runIncident } from 'swapfold/testing';
 *
 * const { ok, problems, runs } = runIncident('kdf-491');
 * [ok, problems, runs.length]; // → [true, [], 1]
 * runIncident('kdf-0'); // throws RangeError
 * ```
 */
export function runIncident(incident: Incident | string, options: IncidentOptions = {}): IncidentResult {
  const found = typeof incident === 'string' ? incidents.find(({ id }) => id === incident) : incident;
  if (found === undefined) throw new RangeError(`no incident has the id '${String(incident)}'`);
  return playIncident(found, options);
}

/**
 * Plays the whole pack, in its order.
 *
 * @example
 * ```ts
 * import { incidents, runIncidents } from 'swapfold/testing';
 *
 * const results = runIncidents({ seed: 7 });
 * results.filter(({ ok }) => !ok).map(({ id }) => id); // → []
 * results.length; // → incidents.length
 * ```
 */
export function runIncidents(options: IncidentOptions = {}): readonly IncidentResult[] {
  return incidents.map((incident) => playIncident(incident, options));
}
