import { isJsonObject, LosslessNumber } from '../primitives/json.ts';

/** Where a text gave an amount as a JSON number with a fraction, and that number, by path of member names. */
export type FloatDecimal = { readonly path: readonly (string | number)[]; readonly value: number };

const AMOUNT_MEMBERS = new Set([
  'maker_amount',
  'taker_amount',
  'maker_coin_usd_price',
  'taker_coin_usd_price',
  'amount',
  'WatcherReward',
]);

/**
 * Finds amounts that a text gives as JSON numbers with a fraction. We keep their digits as given; the real node reads
 * them as doubles and writes sixteen significant digits, so its form needs to know which they were.
 */
export function floatDecimals(value: unknown, path: readonly (string | number)[] = []): readonly FloatDecimal[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => floatDecimals(item, [...path, index]));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const number = member instanceof LosslessNumber ? Number(member.value) : member;
    const at = [...path, name];
    if (AMOUNT_MEMBERS.has(name) && typeof number === 'number') {
      return Number.isInteger(number) && !(member instanceof LosslessNumber) ? [] : [{ path: at, value: number }];
    }
    return typeof member === 'object' && member !== null ? floatDecimals(member, at) : [];
  });
}

/** A double as the real node writes it: sixteen significant digits in plain notation, `0.1` as `0.1000000000000000`. */
export function floatText(value: number): string {
  const [digits = '0', power = '0'] = value.toExponential(15).split('e');
  const sign = digits.startsWith('-') ? '-' : '';
  const figures = digits.replace('-', '').replace('.', '');
  const scale = 15 - Number(power);
  if (scale <= 0) return sign + figures + '0'.repeat(-scale);
  const padded = figures.padStart(scale + 1, '0');
  return `${sign}${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}
