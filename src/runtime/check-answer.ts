import { z } from 'zod';
import { secretFits } from '../htlc/secret-hash.ts';
import type { FaultKind, PaymentQuery, PaymentView } from '../ports/chain.ts';
import { type DecimalText, isDecimalText } from '../primitives/decimal.ts';
import type { AnswerValue, AskResult, Question } from './command.ts';

const KINDS = [
  'unavailable',
  'unknown',
  'disagreement',
  'insufficientFunds',
  'coinsPromised',
  'feeTooLow',
  'noReplacement',
  'parentsUnknown',
  'notFinal',
  'inputsSpent',
  'nonceUsed',
  'nonceGap',
  'tooManyAncestors',
  'invalid',
  'unsupported',
] as const satisfies readonly FaultKind[];

/** Number of hex digits above which a transaction's bytes are omitted: an event must fit into the log. */
const LONGEST_TX_HEX = 2_000_000;
const LONGEST_TEXT = 10_000;
/** No transaction that fits into a log takes more: an input has 41 bytes at least. */
const MOST_SPENDS = 25_000;

const count = z.number().int().nonnegative();
/** Never below zero: no amount that a chain reports can be negative, and a negative fee would pass every limit. */
const amount = z.custom<DecimalText>(
  (value) => typeof value === 'string' && isDecimalText(value) && !/^-.*[1-9]/.test(value.replace(/[eE].*/, '')),
);
const hash = z.string().min(1).max(256);
const text = z.string().transform((value) => value.slice(0, LONGEST_TEXT));
/** A transaction mined by someone else may be larger than any record; its id is enough to name it. */
const seenTx = z.object({
  tx_hex: z.string().transform((value) => (value.length > LONGEST_TX_HEX ? '' : value)),
  tx_hash: hash,
});

const SHAPES = {
  quote: z.looseObject({
    height: count,
    clock: count,
    spendable: amount,
    coming: amount.optional(),
    paymentFee: amount,
    spendFee: amount,
    spendFeeFrom: z.enum(['claim', 'wallet']),
    dexFeeFee: amount,
    reward: amount.optional(),
    feeCoin: z.looseObject({ coin: z.string().min(1), spendable: amount, coming: amount.optional() }).optional(),
  }),
  payment: z.looseObject({
    funding: z.looseObject({ tx: seenTx, confirmations: count, notarised: z.boolean().optional() }).nullable(),
    problem: text.nullable(),
    spend: z
      .looseObject({
        how: z.enum(['secret', 'refund']),
        tx: seenTx.nullable(),
        confirmations: count,
        secret: z.string().nullable(),
      })
      .nullable(),
    refundable: z.boolean(),
    clock: count,
    height: count,
    expiry: z.looseObject({ unit: z.enum(['seconds', 'blocks']), at: count, now: count }).optional(),
  }),
  transaction: z.looseObject({
    status: z.enum(['unknown', 'mempool', 'confirmed', 'conflicted', 'reverted']),
    confirmations: count,
    tx_hex: z.string().optional(),
  }),
  checkFee: text.nullable(),
  prepare: z.looseObject({
    tx_hex: z.string().min(1).max(LONGEST_TX_HEX),
    tx_hash: hash,
    spends: z.array(z.string().max(256)).max(MOST_SPENDS),
    fee: amount,
    refundFee: amount.optional(),
  }),
  broadcast: z.enum(['sent', 'known', 'confirmed']),
} as const satisfies Record<Question['op'], z.ZodType>;

const FAULT = z.looseObject({
  kind: z.enum(KINDS),
  message: text,
  leastFee: amount.optional().catch(undefined),
  doubtful: z.unknown().optional(),
});

export type CheckOptions = {
  /** Cleans the adapter's own words before they are kept. @defaultValue they stay unchanged */
  readonly clean?: (text: string) => string;
};

const asItIs = (text: string): string => text;

/**
 * An adapter's answer, if it has the form that the port requires. Any other answer says nothing about the chain and
 * becomes a fault, so a broken node can neither stop a swap nor get its words into a log. Never throws.
 */
export function checkedAnswer(question: Question, answer: unknown, { clean = asItIs }: CheckOptions = {}): AskResult {
  try {
    if (typeof answer !== 'object' || answer === null) return malformed('no object');
    const { ok } = answer as { readonly ok?: unknown };
    if (ok === false) {
      const fault = FAULT.safeParse((answer as { readonly fault?: unknown }).fault);
      if (!fault.success) return malformed('a fault without kind and message');
      const { leastFee, doubtful, ...told } = fault.data;
      const message = clean(told.message);
      const view = doubtful === undefined ? null : doubtfulView(question, doubtful, clean);
      return {
        ok,
        fault: {
          ...told,
          message,
          ...(leastFee === undefined ? {} : { leastFee }),
          ...(view === null ? {} : { doubtful: view }),
        },
      };
    }
    if (ok !== true) return malformed('neither an answer nor a fault');
    const read = SHAPES[question.op].safeParse((answer as { readonly value?: unknown }).value);
    if (!read.success) return malformed(placeOf(read.error, (answer as { readonly value?: unknown }).value));
    const value = cleaned(question, read.data, clean);
    // It has the form that its question asks for.
    return question.op === 'payment'
      ? checkedPayment(question.query, value as PaymentView)
      : { ok: true, value: value as AnswerValue };
  } catch {
    // A member that throws when it is read.
    return malformed('something that cannot be read');
  }
}

/** The words of an adapter in a good answer: why a payment or a fee is not as it must be. */
function cleaned({ op }: Question, value: unknown, clean: (text: string) => string): unknown {
  if (op === 'checkFee') return typeof value === 'string' ? clean(value) : value;
  if (op !== 'payment') return value;
  const { problem } = value as { readonly problem?: unknown };
  return typeof problem === 'string' ? { ...(value as object), problem: clean(problem) } : value;
}

/**
 * What too few nodes say about a payment, if it is readable; it never counts as more, even where a settled answer would
 * be refused.
 */
function doubtfulView(question: Question, doubtful: unknown, clean: (text: string) => string): PaymentView | null {
  if (question.op !== 'payment') return null;
  const read = SHAPES.payment.safeParse(doubtful);
  if (!read.success) return null;
  const checked = checkedPayment(question.query, cleaned(question, read.data, clean) as PaymentView);
  return checked.ok ? checked.value : null;
}

/** A secret counts only if its hash matches the terms: a wrong one in the log would spoil every later claim. */
function checkedPayment({ terms }: PaymentQuery, view: PaymentView): AskResult<'payment'> {
  const { spend } = view;
  if (spend === null || spend.how === 'refund' || spend.secret === null) return { ok: true, value: view };
  const secret = spend.secret.toLowerCase().replace(/^0x/, '');
  if (!secretFits(secret, terms.secretHash)) return malformed('a secret that does not fit the payment');
  return { ok: true, value: secret === spend.secret ? view : { ...view, spend: { ...spend, secret } } };
}

/** The wrong member and its value, except text, which may contain anything. */
function placeOf({ issues }: z.ZodError, value: unknown): string {
  const path = issues[0]?.path ?? [];
  let found = value;
  for (const name of path) found = (found as Readonly<Record<PropertyKey, unknown>> | null | undefined)?.[name];
  const told =
    typeof found === 'number' || found === undefined ? String(found) : found === null ? 'null' : typeof found;
  return `a wrong ${path.length === 0 ? 'value' : path.join('/')}: ${told}`;
}

const MALFORMED = 'the adapter answered with ';

function malformed(what: string): AskResult<never> {
  return { ok: false, fault: { kind: 'unavailable', message: `${MALFORMED}${what}` } };
}

/** Why an engine would not accept this answer; null if it reads it. */
export function unreadable(question: Question, answer: unknown): string | null {
  const read = checkedAnswer(question, answer);
  return !read.ok && read.fault.message.startsWith(MALFORMED) ? read.fault.message : null;
}
