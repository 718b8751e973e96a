import { type DecimalText, fromBaseUnits, toBaseUnits } from '../src/primitives/decimal.ts';

/** No swapped coin has more decimals; further digits in a log come from a division. */
export const MOST_DECIMALS = 18;

/** An amount for a sentence, without digits that no chain has. */
export function toldAmount(amount: DecimalText): DecimalText {
  // A short text cannot have too many digits; this check matters when a million logs are judged.
  if (amount.length <= MOST_DECIMALS || amount.startsWith('-')) return amount;
  const cut = fromBaseUnits(toBaseUnits(amount, MOST_DECIMALS), MOST_DECIMALS);
  return cut === '0' ? amount : cut;
}
