import { z } from 'zod';
import type { MatchBy } from '../../ports/orders.ts';
import { isDecimalText } from '../../primitives/decimal.ts';
import { type Fraction, fractionOf, fractionOfDecimal } from '../../primitives/fraction.ts';
import { isHex } from '../../primitives/hex.ts';
import { numberText, stringifyJson } from '../../primitives/json.ts';
import { flag, listOf, memberProblem, option, struct, text, u64, uuid, variantProblem } from '../serde.ts';

// What callers ask for, in the forms of the real node (`lp_ordermatch`, `mm2_number`).

/** Digits of a number, or of a part of a fraction: no amount has more, and arithmetic stays cheap. */
const MOST_DIGITS = 100;
const WHOLE = /^-?\d+$/;
const WORD = 2n ** 32n;

/** A decimal number or text, `{ numer, denom }` in texts, or the two big integers of a ratio as `[sign, [digits of 32 bits, least first]]`. */
export const mmNumber = (name: string) =>
  z.unknown().transform((value, context): Fraction => {
    const read = value === undefined ? null : readNumber(value);
    if (read !== null) return read;
    const message =
      value === undefined
        ? `missing field \`${name}\``
        : `Could not deserialize any variant of MmNumber from ${stringifyJson(value).slice(0, 200)}`;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

function readNumber(value: unknown): Fraction | null {
  const decimal = typeof value === 'string' ? value : numberText(value);
  if (decimal !== undefined) {
    if (decimal.length > MOST_DIGITS || !isDecimalText(decimal)) return null;
    const exponent = Number(/[eE](.*)$/.exec(decimal)?.[1] ?? 0);
    return Math.abs(exponent) > MOST_DIGITS ? null : fractionOfDecimal(decimal);
  }
  if (Array.isArray(value)) return ratio(bigInteger(value[0]), bigInteger(value[1]));
  const { numer, denom } = (value ?? {}) as { numer?: unknown; denom?: unknown };
  return ratio(wholeText(numer), wholeText(denom));
}

function ratio(numer: bigint | null, denom: bigint | null): Fraction | null {
  return numer === null || denom === null || denom === 0n ? null : fractionOf(numer, denom);
}

function wholeText(value: unknown): bigint | null {
  return typeof value === 'string' && value.length <= MOST_DIGITS && WHOLE.test(value) ? BigInt(value) : null;
}

function bigInteger(value: unknown): bigint | null {
  if (!Array.isArray(value) || !Array.isArray(value[1]) || value[1].length > MOST_DIGITS / 10) return null;
  const [sign, digits] = value as [unknown, readonly unknown[]];
  if (sign !== -1 && sign !== 0 && sign !== 1) return null;
  let whole = 0n;
  for (const digit of digits.toReversed()) {
    if (!Number.isInteger(digit) || (digit as number) < 0 || (digit as number) >= Number(WORD)) return null;
    whole = whole * WORD + BigInt(digit as number);
  }
  return BigInt(sign) * whole;
}

const keyText = text.transform((value, context): string => {
  if (value.length === 64 && isHex(value)) return value.toLowerCase();
  context.addIssue({ code: 'custom', message: memberProblem(value.slice(0, 80), 'a key of 32 bytes in hex') });
  return z.NEVER;
});

const flagOr = (usual: boolean) => flag.optional().default(usual);

const CONFIRMATIONS = {
  base_confs: option(u64),
  base_nota: option(flag),
  rel_confs: option(u64),
  rel_nota: option(flag),
};

/** `setprice`. */
export const setPriceAsk = struct('SetPriceReq', {
  base: text,
  rel: text,
  price: mmNumber('price'),
  max: flagOr(false),
  volume: mmNumber('volume').optional().default(fractionOf(0n)),
  min_volume: option(mmNumber('min_volume')),
  cancel_previous: flagOr(true),
  ...CONFIRMATIONS,
  save_in_history: flagOr(true),
});
export type SetPriceAsk = z.infer<typeof setPriceAsk>;

const tagged = z.unknown().superRefine((value, { addIssue }) => {
  const { type } = (value ?? {}) as { type?: unknown };
  const names = ['FillOrKill', 'GoodTillCancelled'];
  if (typeof value !== 'object' || value === null) {
    addIssue({ code: 'custom', message: memberProblem(value, 'adjacently tagged enum OrderType') });
  } else if (!names.includes(String(type))) addIssue({ code: 'custom', message: variantProblem(type, names) });
});
const orderType = tagged
  .optional()
  .transform(
    (value) => (value as { type?: 'FillOrKill' | 'GoodTillCancelled' } | undefined)?.type ?? 'GoodTillCancelled',
  );

/** Orders or keys that one request may name. */
const MOST_NAMED = 256;

const matchBy = z
  .unknown()
  .optional()
  .transform((value, context): MatchBy => {
    if (value === undefined) return { type: 'Any' };
    const { type, data } = (value ?? {}) as { type?: unknown; data?: unknown };
    if (type === 'Any') return { type };
    if (type === 'Orders' || type === 'Pubkeys') {
      const read = listOf(type === 'Orders' ? uuid : keyText)
        .max(MOST_NAMED, `at most ${MOST_NAMED} can be named`)
        .safeParse(data);
      if (read.success) return { type, data: [...new Set(read.data)] };
      context.addIssue({ code: 'custom', message: read.error.issues[0]?.message ?? 'invalid value' });
      return z.NEVER;
    }
    context.addIssue({ code: 'custom', message: variantProblem(type, ['Any', 'Orders', 'Pubkeys']) });
    return z.NEVER;
  });

/** `buy` and `sell`. */
export const takerAsk = struct('SellBuyRequest', {
  base: text,
  rel: text,
  price: mmNumber('price'),
  volume: mmNumber('volume'),
  timeout: option(u64),
  match_by: matchBy,
  order_type: orderType,
  ...CONFIRMATIONS,
  min_volume: option(mmNumber('min_volume')),
  save_in_history: flagOr(true),
});
export type TakerAsk = z.infer<typeof takerAsk>;

/** `swap::offer`: what the maker gives and wants, whole and for once. */
export const offerAsk = struct('OfferRequest', {
  base: text,
  rel: text,
  base_amount: mmNumber('base_amount'),
  rel_amount: mmNumber('rel_amount'),
  /** In seconds. */
  expires_in: option(u64),
  /** The only one who may take it: its key, 32 bytes in hex without parity. */
  taker: option(keyText),
  ...CONFIRMATIONS,
});
export type OfferAsk = z.infer<typeof offerAsk>;

/** `swap::take`. */
export const takeAsk = struct('TakeRequest', { offer: text });
