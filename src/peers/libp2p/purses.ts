import type { Millis } from '../../primitives/time.ts';
import { type Allowance, openAccount } from '../allowance.ts';
import { isLoopback, sourceOf } from './address.ts';
import type { NetworkLimits } from './limits.ts';
import type { Purse } from './reader.ts';
import { createTopicShares } from './topic-shares.ts';

/** What one address may send, as a node and as a relay. */
export type PursePair = { readonly usual: Purse; readonly relay: Purse };

type PurseLimits = Pick<NetworkLimits, 'each' | 'relay' | 'purses' | 'perTopic'>;

export type Purses = {
  /** For a link from that address, until it is given back. This host itself has a separate one for each link. */
  readonly take: (host: string, now: Millis) => PursePair;
  readonly giveBack: (host: string, now: Millis) => void;
  /** Addresses that are remembered. */
  readonly size: () => number;
};

type Used = { readonly pair: PursePair; links: number };
type Left = { readonly pair: PursePair; readonly since: number };

/**
 * - O8: an allowance belongs to an address, and outlives its links: a node that returns finds what it had left. An allowance unused for so long that
 *   it would be whole again is forgotten; if there are too many, so is the one unused for longest.
 */
export function createPurses(
  { each, relay, purses: most, perTopic }: PurseLimits,
  { sharesTopics }: { readonly sharesTopics: boolean },
): Purses {
  const used = new Map<string, Used>();
  const left = new Map<string, Left>();
  const whole = Math.max(...[each, relay].map(untilWhole));

  const open = (now: Millis): PursePair => ({
    usual: {
      allowance: each,
      account: openAccount(each, now),
      topics: sharesTopics ? createTopicShares(perTopic) : null,
    },
    relay: { allowance: relay, account: openAccount(relay, now), topics: null },
  });
  const forget = (now: number): void => {
    // In the order in which they were left.
    for (const [source, { since }] of left) {
      if (left.size <= most && now >= since && now - since < whole) return;
      left.delete(source);
    }
  };
  return {
    take(host, now) {
      if (isLoopback(host)) return open(now);
      const source = sourceOf(host);
      forget(now);
      const one = used.get(source) ?? { pair: left.get(source)?.pair ?? open(now), links: 0 };
      left.delete(source);
      one.links += 1;
      used.set(source, one);
      return one.pair;
    },
    giveBack(host, now) {
      const source = sourceOf(host);
      const one = used.get(source);
      if (one === undefined) return;
      one.links -= 1;
      if (one.links > 0) return;
      used.delete(source);
      // A node that comes back has a new share of each topic, but no more than before in total.
      one.pair.usual.topics?.clear();
      left.set(source, { pair: one.pair, since: now });
      forget(now);
    },
    size: () => used.size + left.size,
  };
}

/** Milliseconds until a spent allowance is full again. */
function untilWhole({ messages, weight }: Allowance): number {
  return 1000 * Math.max(...[messages, weight].map(({ burst, perSecond }) => burst / perSecond));
}
