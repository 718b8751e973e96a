import { pick, type Rng, xorshift32 } from '../xorshift.ts';
import { type ChainPlan, type Scenario, soundWatcher, type WatcherPlan } from './scenario.ts';

/** `trouble`: how much goes wrong, from 0 to 1. */
export type RewardDraw = { readonly trouble: number; readonly adversaries: boolean };

/** One in this many of the runs whose chains can pay watchers does. */
const REWARDS_ONE_IN = 3;

/** Whether someone can act for a party on both chains, and is paid for it on one at least. */
export function paysWatchers({ chains: { maker, taker } }: Pick<Scenario, 'chains'>): boolean {
  return isWatchable(maker) && isWatchable(taker) && (maker.rewards === true || taker.rewards === true);
}

function isWatchable({ kind, rewards }: ChainPlan): boolean {
  return kind === 'utxo' || rewards === true;
}

/**
 * A drawn scenario whose payments promise rewards to watchers that are in time, late, offline, or raced by someone who takes whatever is available.
 * It has its own generator, so that everything else of a seed stays the same.
 */
export function drawRewards(scenario: Scenario, { trouble, adversaries }: RewardDraw): Scenario {
  const rng = xorshift32(Math.imul(scenario.seed + 1, 0x165f_35b1) ^ 0x0302_7c6a);
  const paying = rng.below(REWARDS_ONE_IN) === 0;
  const chains = { maker: paid(scenario.chains.maker), taker: paid(scenario.chains.taker) };
  if (!paying || !paysWatchers({ chains })) return scenario;
  return { ...scenario, chains, useWatchers: true, watcher: drawWatcher(rng, scenario, { trouble, adversaries }) };
}

function paid(plan: ChainPlan): ChainPlan {
  return plan.kind === 'account' ? { ...plan, rewards: true } : plan;
}

function drawWatcher(rng: Rng, { watcher }: Scenario, { trouble, adversaries }: RewardDraw): WatcherPlan | null {
  const isThere = rng.below(6) > 0;
  const late = pick(rng, [0, 0, 600, 5000]);
  const absent = rng.below(6) === 0;
  const greedy = rng.below(3) === 0;
  if (!isThere) return null;
  return {
    ...(watcher ?? soundWatcher()),
    ...(trouble > 0 && late > 0 ? { late } : {}),
    ...(trouble > 0 && absent ? { absent } : {}),
    ...(adversaries && greedy ? { greedy } : {}),
  };
}
