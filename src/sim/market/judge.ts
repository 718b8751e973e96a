import { type DecimalText, toBigNumber } from '../../primitives/decimal.ts';
import type { Outlay, SimChain } from '../chains/types.ts';
import { dueTo, receivedBy, sidesOf, swapAt, units } from './agreed.ts';
import { isCalm } from './calm-market.ts';
import { judgeEnd, judgeLog } from './judge-logs.ts';
import { judgeRewards } from './judge-rewards.ts';
import { judgeTold } from './judge-told.ts';
import type { MarketWorld } from './market.ts';
import { judgeRest } from './rest.ts';
import type { MarketEnding, MarketJudgement, MarketViolation, Report } from './rules.ts';
import type { Market, MarketParty, MarketSwap } from './scenario.ts';

/**
 * Judges the end of a market by the rules: balances and blocks say what happened, the market says what was agreed, and the logs are claims to check.
 * It asks no engine.
 *
 * @example
 * ```ts
 * import { calmMarket, createMarket, judgeMarket, runMarket } from 'swapfold/testing';
 *
 * const world = createMarket(calmMarket());
 * await runMarket(world);
 * const { violations, endings } = judgeMarket(world);
 * violations; // → []
 * endings.map(({ party, swap, role, own }) => `${party} ${swap} ${role} ${own}`); // → [
 * //   'alice 0 maker taken',
 * //   'alice 1 taker taken',
 * //   'bob 0 taker taken',
 * //   'bob 1 maker taken',
 * // ]
 * ```
 */
export function judgeMarket(world: MarketWorld): MarketJudgement {
  const violations: MarketViolation[] = [];
  const endings: MarketEnding[] = [];
  const report: Report = (violation) => violations.push(violation);
  for (const [coin, chain] of world.chains) {
    const text = chain.ledger.imbalance();
    if (text !== null) report({ rule: 'M8', party: coin, swap: null, text });
  }
  judgeRewards(world, report);
  for (const process of world.processes) judgeRest(process, report);
  for (const party of world.market.parties) {
    if (party.conduct.kind !== 'honest') continue;
    const process = world.processes.find((other) => other.party === party);
    if (process === undefined) continue;
    const own = endingsOf(world, party, report);
    endings.push(...own);
    judgeWallets(world, { party, endings: own }, report);
    judgeLog(world, { process, endings: own }, report);
    judgeEnd(world, { process, endings: own }, report);
    judgeTold(world, process, report);
  }
  if (isCalm(world.market)) judgeCalm(world, endings, report);
  return { violations, endings };
}

function outlayOf({ chains }: MarketWorld, party: MarketParty, coin: string): Outlay {
  return (chains.get(coin) as SimChain).ledger.outlay(party.name);
}

/** Amounts differ from each other, so a payment's amount names its swap. */
function endingsOf(world: MarketWorld, party: MarketParty, report: Report): readonly MarketEnding[] {
  return world.market.swaps.flatMap((swap, index): MarketEnding[] => {
    const role = swap.maker === party.name ? 'maker' : swap.taker === party.name ? 'taker' : null;
    if (role === null) return [];
    const { gives } = sidesOf(swap, role);
    const amount = units(world, gives);
    const paid = outlayOf(world, party, gives.coin).payments.filter((payment) => payment.amount === amount);
    if (paid.length > 1) {
      report({
        rule: 'M3',
        party: party.name,
        swap: index,
        text: `${paid.length} payments of ${gives.amount} are in blocks`,
      });
    }
    const taken = paid.find(({ end }) => end === 'taken') ?? paid.find(({ end }) => end === 'open') ?? paid[0];
    return [{ party: party.name, swap: index, role, own: taken?.end ?? 'none' }];
  });
}

type Judged = { readonly party: MarketParty; readonly endings: readonly MarketEnding[] };

/**
 * Sums over all swaps of a wallet: what came in is at least what was agreed for all that went out. A payment that nobody has taken yet counts as gone
 * once its party has what it was for; else as locked.
 */
function judgeWallets(world: MarketWorld, { party, endings }: Judged, report: Report): void {
  const { name } = party;
  let fees = 0;
  for (const [coin, chain] of world.chains) {
    const { dexFeeCount } = chain.ledger.outlay(name);
    fees += dexFeeCount;
    const received = receivedBy(name, chain);
    const due = dueTo(world, endings, { coin, counts: ({ own }) => own === 'taken' });
    if (received < due) {
      const text = `it got ${received} base units of ${coin} and gave its own for ${due}`;
      report({ rule: 'M1', party: name, swap: null, text });
    }
    const open = dueTo(world, endings, { coin, counts: ({ own }) => own === 'open' });
    if (received >= due + open) continue;
    for (const { swap, own, role } of endings) {
      if (own !== 'open' || sidesOf(swapAt(world, swap), role).gets.coin !== coin) continue;
      report({ rule: 'M2', party: name, swap, text: 'the own payment is still locked, and nothing came for it' });
    }
  }
  const takerSwaps = endings.filter(({ role }) => role === 'taker').length;
  if (fees > takerSwaps) {
    const text = `${fees} trading fees are in blocks for ${takerSwaps} swaps`;
    report({ rule: 'M3', party: name, swap: null, text });
  }
}

/** A swap ends well if neither side is poor: a side that cannot pay also keeps the other from paying. */
function judgeCalm({ market }: MarketWorld, endings: readonly MarketEnding[], report: Report): void {
  for (const { party, swap: index, own } of endings) {
    const swap = swapAt({ market }, index);
    if (own === 'taken' || isPoor(market, swap, 'maker') || isPoor(market, swap, 'taker')) continue;
    report({ rule: 'M10', party, swap: index, text: `nothing went wrong, and the own payment is ${own}` });
  }
}

/** A side is not poor if it has twice what all swaps together need of the coin that it gives. */
function isPoor({ parties, swaps }: Market, swap: MarketSwap, role: 'maker' | 'taker'): boolean {
  const { [role]: name } = swap;
  const { coin } = sidesOf(swap, role).gives;
  const funds = parties.find((party) => party.name === name)?.funds[coin];
  const all = swaps.reduce((sum, one) => sum.plus(spentBy(one, name, coin)), toBigNumber(NOTHING));
  return funds === undefined || toBigNumber(funds.amount).lt(all.times(2));
}

const NOTHING = '0' as DecimalText;

/** What a swap takes of a coin from a party's wallet besides fees. */
function spentBy(swap: MarketSwap, party: string, coin: string): DecimalText {
  if (swap.maker === party && swap.makerCoin === coin) return swap.makerAmount;
  return swap.taker === party && swap.takerCoin === coin ? swap.takerAmount : NOTHING;
}
