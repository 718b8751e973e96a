import { pick, type Rng, xorshift32 } from '../xorshift.ts';
import { completeFeedOf } from './complete-feeds.ts';
import { drawTiming } from './draw-party.ts';
import type { CompleteFeedPlan, PartyPlan, Scenario, WatcherPlan } from './scenario.ts';

/** `trouble`: how much goes wrong, from 0 to 1. */
export type ApartDraw = { readonly trouble: number };

/** One run in this many has feeds that promise to report everything. */
const FEEDS_ONE_IN = 8;

/** A drawn scenario with the parts that have their own generator, so that everything else of a seed stays the same. */
export function drawApart(scenario: Scenario, { trouble }: ApartDraw): Scenario {
  const rng = xorshift32(Math.imul(scenario.seed + 1, 0x27d4_eb2f) ^ 0x3c6e_f372);
  return rng.below(FEEDS_ONE_IN) === 0 ? withFeeds(rng, scenario, trouble) : scenario;
}

function withFeeds(rng: Rng, scenario: Scenario, trouble: number): Scenario {
  const { parties, watcher } = scenario;
  return {
    ...scenario,
    parties: { maker: partyFed(rng, parties.maker, trouble), taker: partyFed(rng, parties.taker, trouble) },
    watcher: watcher === null ? null : watcherFed(rng, watcher, trouble),
  };
}

/** A party with such a feed polls often where the feed spares nothing, so that what it spares shows. */
function partyFed(rng: Rng, plan: PartyPlan, trouble: number): PartyPlan {
  const fed = { ...plan, completeFeeds: { maker: drawFeed(rng, trouble), taker: drawFeed(rng, trouble) } };
  const timing = { ...drawTiming(rng), confirmationPoll: 60, spendPoll: 120, refundPoll: 300 };
  const spares = completeFeedOf(fed, 'maker') !== null || completeFeedOf(fed, 'taker') !== null;
  return spares ? { ...fed, timing } : fed;
}

function watcherFed(rng: Rng, plan: WatcherPlan, trouble: number): WatcherPlan {
  return { ...plan, completeFeeds: { maker: drawFeed(rng, trouble), taker: drawFeed(rng, trouble) } };
}

/** Some promise, and lose notifications; some send none at all. */
function drawFeed(rng: Rng, trouble: number): CompleteFeedPlan {
  if (rng.below(4) === 0) return null;
  const losesPerMille = pick(rng, [0, 0, 0, 300, 1000]);
  return { losesPerMille: trouble === 0 ? 0 : losesPerMille };
}
