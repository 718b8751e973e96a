import type { SeenTransaction, SimChain, SimLedger } from '../chains/types.ts';
import { usualRewardOn } from '../world/judge/promises.ts';
import { endedTwice, rewardsOf, TARGET } from '../world/judge/rewards.ts';
import { sidesOf, units } from './agreed.ts';
import { isCalm } from './calm-market.ts';
import type { MarketWorld } from './market.ts';
import type { Report } from './rules.ts';
import type { MarketCoin, MarketParty, MarketSwap } from './scenario.ts';

/** Rule M15: promises by the roles of the swaps, and every wallet on a chain that pays rewards, whoever owns it. */
export function judgeRewards(world: MarketWorld, report: Report): void {
  const { coins, parties } = world.market;
  for (const plan of coins) {
    if (plan.rewards !== true) continue;
    const { ledger } = world.chains.get(plan.coin) as SimChain;
    const say = (party: string, text: string, swap: number | null = null) => report({ rule: 'M15', party, swap, text });
    for (const text of endedTwice(ledger)) say(plan.coin, text);
    for (const { name } of parties) {
      const { confirmed } = ledger.balance(name);
      const due = dueOf(world, name, ledger);
      if (confirmed !== due) say(name, `${confirmed} base units of ${plan.coin} are there, and ${due} are due`);
    }
    for (const party of parties) if (party.conduct.kind === 'honest') judgePromises(world, { plan, party }, say);
  }
}

/** What a wallet must hold, by everything that its owner did and that others did for it. */
function dueOf({ market }: MarketWorld, name: string, ledger: SimLedger): bigint {
  let due = ledger.funded(name) - ledger.feesPaid(name) + rewardsOf(name, ledger);
  for (const party of market.parties) {
    const { payments, dexFees } = ledger.outlay(party.name);
    if (party.name === name) due -= dexFees;
    for (const { amount, end, to } of payments) {
      if (party.name === name && end !== 'back') due -= amount;
      if (to === name && end === 'taken') due += amount;
    }
  }
  return due;
}

type Promising = { readonly plan: MarketCoin; readonly party: MarketParty };
type Say = (party: string, text: string, swap: number) => void;

function judgePromises(world: MarketWorld, { plan, party }: Promising, say: Say): void {
  const { ledger } = world.chains.get(plan.coin) as SimChain;
  for (const { hash, amount } of ledger.outlay(party.name).payments) {
    const index = world.market.swaps.findIndex((swap) => {
      const role = swap.maker === party.name ? 'maker' : swap.taker === party.name ? 'taker' : null;
      const gives = role === null ? null : sidesOf(swap, role).gives;
      return gives?.coin === plan.coin && units(world, gives) === amount;
    });
    const swap = world.market.swaps[index];
    const seen = ledger.transaction(hash);
    if (swap === undefined || seen === null) continue;
    const problem = promiseProblem(world, { plan, swap, leg: swap.maker === party.name ? 'maker' : 'taker' }, seen);
    if (problem !== null) say(party.name, `its payment ${problem}`, index);
  }
}

type Judged = { readonly plan: MarketCoin; readonly swap: MarketSwap; readonly leg: 'maker' | 'taker' };

function promiseProblem(
  { market }: MarketWorld,
  { plan, swap, leg }: Judged,
  { reward }: SeenTransaction,
): string | null {
  const coinOf = (ticker: string) => market.coins.find(({ coin }) => coin === ticker);
  const both = [coinOf(swap.makerCoin), coinOf(swap.takerCoin)];
  const isWatchable = swap.useWatchers && both.every((one) => one?.kind === 'utxo' || one?.rewards === true);
  if (reward === undefined) return isWatchable && isCalm(market) ? 'promises nothing to its watchers' : null;
  if (!isWatchable) return 'promises a reward though nobody can watch';
  const otherPays = both.every((one) => one?.rewards === true);
  const onClaim = leg === 'maker' && otherPays;
  const target =
    leg === 'taker' ? (otherPays ? TARGET.contract : TARGET.payer) : onClaim ? TARGET.nobody : TARGET.claimer;
  if (reward.target !== target || reward.onClaim !== onClaim)
    return `promises to ${reward.target} instead of ${target}`;
  const usual = usualRewardOn(plan);
  const isAsked = market.parties.some(({ name, conduct }) => name === swap.taker && conduct.kind !== 'honest');
  const right = isAsked ? 2n * reward.amount >= usual && reward.amount <= 2n * usual : reward.amount === usual;
  return right ? null : `promises ${reward.amount} where ${usual} is usual`;
}
