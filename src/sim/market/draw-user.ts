import type { DecimalText } from '../../primitives/decimal.ts';
import type { Seconds } from '../../primitives/time.ts';
import { pick, type Rng, xorshift32 } from '../xorshift.ts';
import type { Market, MarketParty, MarketUser } from './scenario.ts';

const MISTAKES: readonly MarketUser['mistakes'][number]['kind'][] = [
  'usedSecret',
  'usedSecret',
  'oneCoin',
  'ownKey',
  'confirmations',
];

/**
 * What the users of all nodes ask, whose log answers with promises, and who is watched twice. Drawn separately, so that everything else of a seed
 * stays the same.
 */
export function withUsers(seed: number, market: Market, { adversaries }: { readonly adversaries: boolean }): Market {
  const rng = xorshift32(Math.imul(seed + 1, 0x2c1b_3c6d) ^ 0x297a_2d39);
  const parties = market.parties.map((party): MarketParty => {
    const own = market.swaps.flatMap(({ maker, taker }, place) =>
      maker === party.name || taker === party.name ? [place] : [],
    );
    return { ...party, user: userOf(rng, { own, until: market.horizon / 4 }), promisedLog: rng.below(4) === 0 };
  });
  return adversaries && rng.below(6) === 0 ? watchedTwice(rng, { ...market, parties }) : { ...market, parties };
}

function userOf(rng: Rng, { own, until }: { readonly own: readonly number[]; readonly until: Seconds }): MarketUser {
  const looksEvery = pick(rng, [null, 97, 301, 1201]);
  if (own.length === 0) return { looksEvery, mistakes: [], allowances: [] };
  const at = () => rng.below(pick(rng, [60, 1500, Math.floor(until)]));
  const mistakes = Array.from({ length: rng.below(3) }, () => ({
    at: at(),
    swap: pick(rng, own),
    kind: pick(rng, MISTAKES),
  }));
  const most = `${1 + rng.below(9)}.${10 + rng.below(80)}1` as DecimalText;
  const allowances =
    rng.below(4) === 0 ? [{ at: at(), swap: pick(rng, own), leg: pick(rng, ['maker', 'taker'] as const), most }] : [];
  return { looksEvery, mistakes, allowances };
}

/** Someone is the taker in a swap that others watch, and asks for it twice. */
function watchedTwice(rng: Rng, market: Market): Market {
  const swap = rng.below(market.swaps.length);
  const { taker, maker } = market.swaps[swap] as Market['swaps'][number];
  const rogue = market.parties.some(({ conduct }) => conduct.kind !== 'honest');
  if (rogue || !market.parties.some(({ name }) => name !== taker && name !== maker)) return market;
  return {
    ...market,
    swaps: market.swaps.map((one) => (one.taker === taker ? { ...one, useWatchers: true } : one)),
    parties: market.parties.map((party) => {
      if (party.name === taker) return { ...party, conduct: { kind: 'watchedTwice' }, completeFeeds: false };
      return { ...party, watches: true };
    }),
  };
}
