import { type DecimalText, fromBaseUnits, toBaseUnits } from './decimal.ts';
import { remembering } from './remember.ts';

/** Amounts of one coin, between coin units as text and base units. */
export type Amounts = {
  /** Base units of an amount in coin units, the rest cut off. */
  readonly parse: (text: DecimalText) => bigint;
  /** The shortest text of an amount in base units. */
  readonly format: (units: bigint) => DecimalText;
};

// One table for each count of decimals: a conversion depends on nothing else, and few amounts are asked for often.
const tables = new Map<number, Amounts>();

/**
 * Conversions for a coin of so many decimals. What was worked out once is remembered.
 *
 * @example
 * ```ts
 * import { amountsOf, decimalOf } from 'swapfold/htlc';
 *
 * const { parse, format } = amountsOf(6);
 * parse(decimalOf('2.4000009')); // → 2_400_000n
 * format(2_400_000n); // → '2.4'
 * ```
 */
export function amountsOf(decimals: number): Amounts {
  let amounts = tables.get(decimals);
  if (amounts === undefined) {
    amounts = {
      parse: remembering((text: DecimalText) => toBaseUnits(text, decimals)),
      format: remembering((units: bigint) => fromBaseUnits(units, decimals)),
    };
    tables.set(decimals, amounts);
  }
  return amounts;
}
