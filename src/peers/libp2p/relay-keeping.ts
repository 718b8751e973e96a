import type { Clock, Random } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import { addressText, type PeerAddress } from './address.ts';
import { keepDialing } from './dialing.ts';
import { shuffled } from './drawing.ts';
import type { NetworkLimits } from './limits.ts';
import type { Link } from './link.ts';
import { dialFailure } from './links.ts';
import type { RelayRules } from './relay-addresses.ts';
import { askForRelays } from './relay-exchange.ts';
import { keepSearching, type Search } from './relay-search.ts';

export type KeepingOptions = {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly limits: Pick<NetworkLimits, 'dial' | 'search'>;
  readonly rules: RelayRules;
  readonly seeds: readonly PeerAddress[];
  /** Whether it looks for more relays than its seed nodes. */
  readonly searches: boolean;
  readonly dial: (address: PeerAddress) => Promise<Link>;
  /** Relays that this node has dialed. */
  readonly relays: () => readonly Link[];
  readonly admits: (relay: { readonly host: string; readonly id: string }) => boolean;
};

export type KeptRelays = Search;

/**
 * Stays connected to seed nodes and, if it searches, to others that these name. Of more seed nodes than there may be relays, it draws that
 * many, as the framework does; the search tries the others.
 */
export function keepRelays({ seeds, searches, ...options }: KeepingOptions): KeptRelays {
  const { random, limits } = options;
  const { most } = limits.search;
  const drawn = searches && seeds.length > most ? shuffled(seeds, random) : seeds;
  const kept = drawn.slice(0, searches ? most : seeds.length);
  const stops = kept.map((seed) => keepSeed(seed, options));
  const search = searches && seeds.length > 0 ? searching(drawn.slice(kept.length), options) : null;
  return {
    distrust: (link) => search?.distrust(link),
    stop() {
      for (const stop of stops) stop();
      search?.stop();
    },
  };
}

type Parts = Omit<KeepingOptions, 'seeds' | 'searches'>;

function keepSeed(seed: PeerAddress, { clock, random, limits, dial, logger }: Parts): () => void {
  return keepDialing(seed, {
    ...{ clock, random, ...limits.dial, dial },
    onLink: (address) => logger.info('a seed node is connected', { address: addressText(address) }),
    onFailure: (address, { error, pause }) =>
      logger.warn('a seed node is not connected', dialFailure(address, pause, error)),
  });
}

function searching(spare: readonly PeerAddress[], parts: Parts): Search {
  const { clock, random, limits, dial, logger, relays, rules, admits } = parts;
  const { timeout } = limits.search.ask;
  return keepSearching({
    ...{ clock, random, spare, dial, relays, admits, limits: limits.search },
    ask: (relay) => askForRelays(relay, { clock, rules, timeout }),
    onFound: (address) => logger.info('a node that others told of is connected', { address: addressText(address) }),
  });
}
