import { z } from 'zod';
import { isDecimalText, toBaseUnits } from '../../primitives/decimal.ts';
import { type JsonValue, type LosslessNumber, numberText } from '../../primitives/json.ts';

/** A JSON number of either representation. */
export const jsonNumber = z.custom<number | LosslessNumber>((value) => numberText(value) !== undefined);

/** Any JSON value, as it came. */
export const anyJson = z.custom<JsonValue>((value) => value !== undefined);

function textOf(value: number | string | LosslessNumber): string {
  return numberText(value) ?? String(value);
}

/** The decimal in base units; undefined if it is not a decimal or has too many digits. */
function baseUnits(text: string, decimals: number): bigint | undefined {
  if (!isDecimalText(text)) return undefined;
  // Decimals below a base unit must be zeros: nothing is truncated silently.
  const units = toBaseUnits(text, decimals);
  return toBaseUnits(text, decimals + SPARE) === units * 10n ** BigInt(SPARE) ? units : undefined;
}

const SPARE = 30;

function exact(decimals: number, what: string) {
  return (value: number | string | LosslessNumber, context: z.RefinementCtx): bigint => {
    const units = baseUnits(textOf(value), decimals);
    if (units !== undefined) return units;
    context.addIssue({ code: 'custom', message: what });
    return z.NEVER;
  };
}

/** Coins as a JSON number or a decimal text, in satoshis. */
export const coinsField = z.union([jsonNumber, z.string()]).transform(exact(8, 'no amount of coins'));

/** A whole number as a JSON number or a text. */
export const wholeField = z.union([jsonNumber, z.string()]).transform(exact(0, 'no whole number'));

/**
 * The supply of a token in tokens, which are satoshis: a whole JSON number is a count of them, any text and any number with a
 * point is an amount of coins, as older nodes print it.
 */
export const supplyField = z.union([jsonNumber, z.string()]).transform((value, context) => {
  const isCount = typeof value !== 'string' && /^-?\d+$/.test(textOf(value));
  return isCount ? exact(0, 'no count of tokens')(value, context) : exact(8, 'no amount of coins')(value, context);
});

/** A number that is always small, such as an index. */
export const countField = jsonNumber.transform((value, context) => {
  const number = Number(textOf(value));
  if (Number.isSafeInteger(number)) return number;
  context.addIssue({ code: 'custom', message: 'no whole number' });
  return z.NEVER;
});

export const hexField = z.string().regex(/^(?:[0-9a-f]{2})*$/i);

export const hashField = z.string().regex(/^[0-9a-f]{64}$/);
