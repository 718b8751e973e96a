import { type DecimalText, toBaseUnits } from '../../primitives/decimal.ts';

/** Amounts of one coin, between coin units as text and base units. */
export type Amounts = {
  /** Base units of an amount in coin units, the rest cut off. */
  readonly parse: (text: DecimalText) => bigint;
  /** The shortest text of an amount in base units. */
  readonly format: (units: bigint) => DecimalText;
};

const REMEMBERED = 512;

// One table for each count of decimals: a conversion depends on nothing else, and simulations ask for few amounts often.
const tables = new Map<number, Amounts>();

/** Conversions for a coin of so many decimals. What was worked out once is remembered. */
export function amountsOf(decimals: number): Amounts {
  let amounts = tables.get(decimals);
  if (amounts === undefined) {
    amounts = {
      parse: remembering((text: DecimalText) => toBaseUnits(text, decimals)),
      format: remembering((units: bigint) => formatUnits(units, decimals)),
    };
    tables.set(decimals, amounts);
  }
  return amounts;
}

function remembering<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const value = compute(key);
    if (known.size >= REMEMBERED) known.clear();
    known.set(key, value);
    return value;
  };
}

const ZERO = 0x30;

function formatUnits(units: bigint, decimals: number): DecimalText {
  if (decimals === 0) return units.toString() as DecimalText;
  if (units < 0n) return `-${formatUnits(-units, decimals)}` as DecimalText;
  const digits = units.toString().padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  let end = digits.length;
  while (end > point && digits.charCodeAt(end - 1) === ZERO) end--;
  const whole = digits.slice(0, point);
  return (end === point ? whole : `${whole}.${digits.slice(point, end)}`) as DecimalText;
}
