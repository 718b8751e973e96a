import { type DecimalText, fromBaseUnits, toBigNumber } from '../../primitives/decimal.ts';
import type { Rng } from '../xorshift.ts';
import type { Funds, MarketCoin, MarketSwap } from './scenario.ts';

type Needs = {
  readonly name: string;
  readonly coins: readonly MarketCoin[];
  readonly swaps: readonly MarketSwap[];
  /** Whether the funds may suffice for only some of the swaps. */
  readonly poor: boolean;
};

/** In base units, for the fees of a swap on a chain: far more than they cost on a quiet day. */
const FEES: Readonly<Record<MarketCoin['kind'], bigint>> = {
  utxo: 2_000_000n,
  account: 3_000_000n,
  autoRefund: 3_000_000n,
};

/** What a party holds of each coin: more than enough for all its swaps, just enough, or too little. */
export function fundsFor(rng: Rng, { name, coins, swaps, poor }: Needs): Readonly<Record<string, Funds>> {
  const funds: Record<string, Funds> = {};
  for (const { coin, decimals, kind } of coins) {
    let need = FEES[kind] * BigInt(swaps.length + 1);
    for (const swap of swaps) {
      if (swap.maker === name && swap.makerCoin === coin) need += unitsOf(swap.makerAmount, decimals);
      // With the trading fee, which is less than a hundredth.
      if (swap.taker === name && swap.takerCoin === coin) need += (unitsOf(swap.takerAmount, decimals) * 101n) / 100n;
    }
    const share = poor ? BigInt(60 + rng.below(80)) : rng.below(2) === 0 ? 220n : 1000n;
    funds[coin] = { amount: fromBaseUnits((need * share) / 100n, decimals), coins: 1 + rng.below(8) };
  }
  return funds;
}

function unitsOf(amount: DecimalText, decimals: number): bigint {
  return BigInt(toBigNumber(amount).shiftedBy(decimals).toFixed(0));
}
