import { type DecimalText, fromBaseUnits, toBaseUnits } from './decimal.ts';
import { remembering } from './remember.ts';

/** Amounts of one coin, between coin units as text and base units. */
export type Amounts = {
  /** Base units of an amount in coin units, truncated. */
  readonly parse: (text: DecimalText) => bigint;
  /** The shortest text of an amount in base units. */
  readonly format: (units: bigint) => DecimalText;
};

// One table for each number of decimals: a conversion depends on nothing else, and callers ask for few amounts often.
const tables = new Map<number, Amounts>();

/**
 * Conversions for a coin with this many decimals. Caches results.
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
