import type { DecimalText } from '../../primitives/decimal.ts';
import { xorshift32 } from '../xorshift.ts';
import { calmParty, type Market, type MarketCoin, type MarketParty, type MarketSwap } from './scenario.ts';

/** One in this many markets with an account pays watchers. */
const REWARDS_ONE_IN = 2;

/** A market whose accounts promise rewards to watchers. Drawn separately, so that everything else of a seed stays the same. */
export function withRewards(seed: number, market: Market, { adversaries }: { readonly adversaries: boolean }): Market {
  const rng = xorshift32(Math.imul(seed + 1, 0x2c1b_3c6d) ^ 0x1b87_3593);
  const paying = rng.below(REWARDS_ONE_IN) === 0;
  if (!paying || !market.coins.some(({ kind }) => kind === 'account')) return market;
  const coin = (plan: MarketCoin): MarketCoin => (plan.kind === 'account' ? { ...plan, rewards: true } : plan);
  const swap = (plan: MarketSwap): MarketSwap => (rng.below(5) > 0 ? { ...plan, useWatchers: true } : plan);
  const party = (plan: MarketParty): MarketParty => (rng.below(2) === 0 ? { ...plan, watches: true } : plan);
  const coins = market.coins.map(coin);
  const swaps = market.swaps.map(swap);
  const parties = market.parties.map(party);
  const isRaked = rng.below(3) === 0;
  return { ...market, coins, swaps, parties: adversaries && isRaked ? [...parties, rakerIn(market)] : parties };
}

function rakerIn({ coins }: Market): MarketParty {
  const funds = coins.map(({ coin }) => [coin, { amount: '9' as DecimalText, coins: 3 }] as const);
  return calmParty('mallory', Object.fromEntries(funds), {
    conduct: { kind: 'raker' },
    user: { looksEvery: null, mistakes: [], allowances: [] },
  });
}
