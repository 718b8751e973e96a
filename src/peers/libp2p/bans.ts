import type { Millis } from '../../primitives/time.ts';
import { isLoopback, sourceOf } from './address.ts';

export type BanRules = {
  /** Milliseconds of the first ban; each further one of the same node or address lasts twice as long. */
  readonly first: number;
  readonly longest: number;
  /** Banned identities of one address after which the address is banned; this host itself never is. */
  readonly identities: number;
  /** How many bans are remembered at most. */
  readonly most: number;
};

export type Bans = {
  readonly add: (who: { readonly id: string; readonly host: string }, now: Millis) => void;
  readonly has: (who: { readonly id: string | null; readonly host: string }, now: Millis) => boolean;
  readonly size: () => number;
};

type Ban = { readonly until: number; readonly lasts: number };
type Suspect = { readonly ids: Set<string>; readonly since: number };

/** Nodes that broke the protocol, and may not return for a while. */
export function createBans({ first, longest, identities, most }: BanRules): Bans {
  const bans = new Map<string, Ban>();
  const suspects = new Map<string, Suspect>();

  const ban = (name: string, now: number): void => {
    const lasts = Math.min(longest, (bans.get(name)?.lasts ?? first / 2) * 2);
    bans.delete(name);
    bans.set(name, { until: now + lasts, lasts });
    trim(bans, most);
  };
  const suspect = (id: string, { host, now }: { readonly host: string; readonly now: number }): void => {
    const known = suspects.get(host);
    const { ids, since } = known !== undefined && now - known.since < longest ? known : { ids: new Set(), since: now };
    ids.add(id);
    suspects.delete(host);
    if (ids.size >= identities) ban(`host ${host}`, now);
    else suspects.set(host, { ids, since } as Suspect);
    trim(suspects, most);
  };
  const isBanned = (name: string, now: number): boolean => {
    const { until = 0, lasts = 0 } = bans.get(name) ?? {};
    // A clock that was set back makes no ban longer.
    return now < until && until - now <= lasts;
  };
  return {
    add({ id, host }, now) {
      ban(`id ${id}`, now);
      if (!isLoopback(host)) suspect(id, { host: sourceOf(host), now });
    },
    has: ({ id, host }, now) => (id !== null && isBanned(`id ${id}`, now)) || isBanned(`host ${sourceOf(host)}`, now),
    size: () => bans.size + suspects.size,
  };
}

function trim(table: Map<string, unknown>, most: number): void {
  for (const name of table.keys()) {
    if (table.size <= most) return;
    table.delete(name);
  }
}
