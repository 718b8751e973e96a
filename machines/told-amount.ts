import { type DecimalText, fromBaseUnits, toBaseUnits } from '../src/primitives/decimal.ts';

/** No coin that swaps are made in has more decimals: what a log writes beyond is left from a division. */
export const MOST_DECIMALS = 18;

/** An amount for a sentence, with no digits that no chain has. */
export function toldAmount(amount: DecimalText): DecimalText {
  // What is short enough has no digit too many, which counts where a million logs are judged.
  if (amount.length <= MOST_DECIMALS || amount.startsWith('-')) return amount;
  const cut = fromBaseUnits(toBaseUnits(amount, MOST_DECIMALS), MOST_DECIMALS);
  return cut === '0' ? amount : cut;
}
