import type { Answer } from '../../ports/chain.ts';
import { fault, ok } from './answers.ts';
import { costOf, MOST_COINS } from './choose-coins.ts';
import { type FeeRate, feeAt, rateAt } from './coin.ts';
import type { Made } from './made.ts';
import { coinsText, type Parts } from './parts.ts';
import { dayRate } from './prepare.ts';
import type { Plan } from './purse.ts';
import { type Coin, sizeWith } from './sign-coins.ts';

/** When coins of the own address are made one. */
export type MergeTerms = {
  /** From so many coins on, at least 2. */
  readonly at: number;
  /** Most coins that one transaction takes, at least 2. */
  readonly most: number;
};

/** What was made one; null where there is no need. */
export type Merged = { readonly made: Made; readonly coins: number } | null;

/** The fee is at most one of so many parts of what is merged. */
const MOST_PART = 10n;

/**
 * Signs what makes the smallest confirmed coins one. It takes none that a signed transaction takes, none that costs more than it brings, and
 * leaves what swaps will still need.
 */
export async function merge(parts: Parts, terms: MergeTerms): Promise<Answer<Merged>> {
  const { purse, coin } = parts;
  const free = purse.free();
  if (purse.confirmed().length < terms.at) return ok(null);
  const rate = rateAt(coin.fees, { rate: await dayRate(parts), urgency: 0 });
  const plan = planOf(parts, { ...terms, rate });
  if (plan === null) return ok(null);
  if (sum(free) - plan.fee < purse.heldByOthers('')) {
    return fault('coinsPromised', `the fee of ${coinsText(parts, plan.fee)} is held for swaps`);
  }
  const made = await purse.sign(plan);
  return ok({ made, coins: plan.coins.length });
}

function planOf({ purse, coin }: Parts, { most, rate }: MergeTerms & { readonly rate: FeeRate }): Plan | null {
  const coins = purse
    .confirmed()
    .filter(({ value }) => value > costOf(coin, rate))
    .toSorted((left, right) => (left.value < right.value ? -1 : Number(left.value > right.value)))
    .slice(0, Math.min(most, MOST_COINS));
  if (coins.length < 2) return null;
  const output = { value: 0n, script: purse.script };
  const fee = feeAt(rate, sizeWith(coins.length, [output], coin));
  const value = sum(coins) - fee;
  // Merging can wait, and what a transaction should pay may be the word of one server.
  if (fee * MOST_PART > value) return null;
  return value < coin.dust ? null : { coins, outputs: [{ ...output, value }], fee };
}

function sum(coins: readonly Pick<Coin, 'value'>[]): bigint {
  return coins.reduce((total, { value }) => total + value, 0n);
}
