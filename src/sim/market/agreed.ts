import { amountsOf } from '../../primitives/amounts.ts';
import type { DecimalText } from '../../primitives/decimal.ts';
import type { SimChain } from '../chains/types.ts';
import { rewardsOf } from '../world/judge/rewards.ts';
import type { MarketWorld } from './market.ts';
import type { MarketEnding } from './rules.ts';
import type { MarketSwap } from './scenario.ts';

/** A side of a swap. Amounts in coin units. */
export type Side = { readonly coin: string; readonly amount: DecimalText };

/** What a party gives and gets in a swap. */
export function sidesOf(swap: MarketSwap, role: 'maker' | 'taker'): { readonly gives: Side; readonly gets: Side } {
  const maker = { coin: swap.makerCoin, amount: swap.makerAmount };
  const taker = { coin: swap.takerCoin, amount: swap.takerAmount };
  return role === 'maker' ? { gives: maker, gets: taker } : { gives: taker, gets: maker };
}

/** In base units. */
export function units({ market }: MarketWorld, { coin, amount }: Side): bigint {
  const decimals = market.coins.find((plan) => plan.coin === coin)?.decimals ?? 8;
  return amountsOf(decimals).parse(amount);
}

/** What came into a wallet besides its own refunded payments and what rewards moved, in base units. */
export function receivedBy(name: string, { ledger }: SimChain): bigint {
  const { payments, dexFees } = ledger.outlay(name);
  let out = dexFees + ledger.feesPaid(name);
  for (const { amount, end } of payments) if (end !== 'back') out += amount;
  return ledger.balance(name).confirmed - ledger.funded(name) + out - rewardsOf(name, ledger);
}

type Due = { readonly coin: string; readonly counts: (ending: MarketEnding) => boolean };

/** The agreed amounts for the own payments that count, in base units of the coin. */
export function dueTo(world: MarketWorld, endings: readonly MarketEnding[], { coin, counts }: Due): bigint {
  let due = 0n;
  for (const ending of endings) {
    const { gets } = sidesOf(swapAt(world, ending.swap), ending.role);
    if (gets.coin === coin && counts(ending)) due += units(world, gets);
  }
  return due;
}

export function swapAt({ market }: Pick<MarketWorld, 'market'>, index: number): MarketSwap {
  return market.swaps[index] as MarketSwap;
}
