import { NO_SECRET_TEXT } from '../../src/htlc/extract-secret.ts';
import { hash160 } from '../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../src/primitives/hex.ts';
import type { MakerSwapContext } from '../maker-swap/context.ts';
import { type FoundSpend, type Recovery, type RecoveryFacts, refuse } from './facts.ts';
import {
  answered,
  done,
  gone,
  isAbsent,
  matchingSecret,
  paymentOf,
  refundOwn,
  searchFailed,
  secretOf,
  unfitForKdf,
} from './steps.ts';

const NOT_FOUND = 'Maker payment transaction was not found';
const NO_TAKER_PAYMENT = 'No info about taker payment, swap is not recoverable';

/**
 * How a maker gets its coins, from any state. Once the taker has claimed, or the secret is public, the maker claims the
 * taker payment. Before that, it claims a taker payment that was found valid as long as the taker cannot take it back;
 * otherwise it refunds its own payment. It never refunds its own payment after a successful claim: that payment then
 * belongs to the taker.
 */
export function recoverMaker(context: MakerSwapContext, facts: RecoveryFacts): Recovery {
  const { started, negotiated } = context;
  if (started === null || negotiated === null) return refuse('notStarted', NOT_FOUND);
  const own = ownPayment(context, facts);
  if ('done' in own) return beyondSilence(context, facts, own.done);
  const spend = answered('ownPaymentSpend', facts.ownPaymentSpend, searchFailed('maker'));
  if ('done' in spend) return beyondSilence(context, facts, spend.done);
  if (spend.found?.kind === 'refunded') return refundedAlready(spend.found, started.maker_coin);
  if (spend.found !== null) return claim(context, facts, { shownBy: spend.found });
  const refund = () => refundOwn('maker', { coin: started.maker_coin, payment: own.found }, facts);
  if (context.takerPayment === null || isAbsent(facts.otherPayment)) return refund();
  const other = answered('otherPaymentSpend', facts.otherPaymentSpend, searchFailed('taker'));
  if ('done' in other) return other.done;
  if (other.found?.kind === 'refunded') return refund();
  if (other.found !== null) return gone('taker', other.found, { coin: started.taker_coin });
  if (ownSecret(context) === undefined) return refund();
  if (secretWasShown(context, facts)) return claim(context, facts);
  if (!context.takerPaymentValidated) return refund();
  const contested = answered('otherRefundable', facts.otherRefundable);
  if ('done' in contested) return contested.done;
  // A claim that loses the race against the taker's refund shows the secret, so the maker can lose its own payment as
  // well.
  return contested.found ? refund() : claim(context, facts);
}

/**
 * The same question answered as the real node's `recover_funds_of_swap` does (KDF), step by step and word for word: only for
 * finished swaps, and trusting the log about what is settled.
 */
export function recoverMakerAsKdf(context: MakerSwapContext, facts: RecoveryFacts): Recovery {
  const { started } = context;
  if (started === null || context.finishedAt === null) return unfitForKdf(context);
  if (context.makerPaymentRefund !== null) {
    return refuse('refunded', 'Maker payment is refunded, swap is not recoverable');
  }
  if (context.takerPaymentSpend !== null && context.takerPaymentSpendConfirmed) {
    return refuse('claimed', 'Taker payment spend transaction has been sent and confirmed');
  }
  const own = ownPayment(context, facts);
  if ('done' in own) return own.done;
  const spend = answered('ownPaymentSpend', facts.ownPaymentSpend, searchFailed('maker'));
  if ('done' in spend) return spend.done;
  if (spend.found === null) return refundOwn('maker', { coin: started.maker_coin, payment: own.found }, facts);
  if (spend.found.kind === 'refunded') return refundedAlready(spend.found, started.maker_coin);
  if (context.takerPayment === null) return refuse('otherPaymentUnknown', NO_TAKER_PAYMENT);
  return claim(context, facts, { shownBy: spend.found });
}

/**
 * What the maker may do even if its own payment's chain does not answer: before the taker's lock, which ends first, the
 * maker payment cannot have been refunded, so a claim never runs next to an own refund.
 */
function beyondSilence(context: MakerSwapContext, facts: RecoveryFacts, silence: Recovery): Recovery {
  if (!('reason' in silence) || silence.reason !== 'lookUpFailed') return silence;
  if (!context.takerPaymentValidated && !secretWasShown(context, facts)) return silence;
  // The log hides the secret, and the taker's claim that shows it is on the silent chain.
  if (ownSecret(context) === undefined) return silence;
  const contested = answered('otherRefundable', facts.otherRefundable);
  if ('done' in contested) return 'look' in contested.done ? contested.done : silence;
  return contested.found ? silence : claim(context, facts);
}

function refundedAlready(spend: FoundSpend, coin: string): Recovery {
  return { ...gone('maker', spend, { coin }), reason: 'refunded' } as Recovery;
}

function ownPayment({ makerPayment, negotiated }: MakerSwapContext, facts: RecoveryFacts) {
  const missing = refuse('ownPaymentNotFound', NOT_FOUND);
  // Before the negotiation there are no terms to search by, and no payment.
  if (makerPayment === null && negotiated === null) return done(missing);
  return paymentOf('ownPayment', { logged: makerPayment, missing }, facts);
}

/** The claim of the taker payment; `shownBy` is the taker's claim of the maker payment, which shows the secret too. */
function claim(
  context: MakerSwapContext,
  facts: RecoveryFacts,
  { shownBy }: { readonly shownBy?: FoundSpend } = {},
): Recovery {
  const payment = takerPayment(context, facts);
  if ('done' in payment) return payment.done;
  const coin = context.started?.taker_coin ?? '';
  const spend = answered('otherPaymentSpend', facts.otherPaymentSpend, searchFailed('taker'));
  if ('done' in spend) return spend.done;
  if (spend.found !== null) return gone('taker', spend.found, { coin });
  const secret = ownSecret(context) ?? (shownBy === undefined ? undefined : secretOf(shownBy, hashOf(context)));
  if (secret === undefined) return refuse('secretUnknown', NO_SECRET_TEXT);
  return { action: 'spendOtherPayment', coin, payment: payment.found, secret };
}

function takerPayment({ takerPayment: logged }: MakerSwapContext, facts: RecoveryFacts) {
  return paymentOf('otherPayment', { logged, missing: refuse('otherPaymentUnknown', NO_TAKER_PAYMENT) }, facts);
}

const PAST_DEADLINE = /(^|\] )Timeout \d+ > \d+( blocks)?$/;

/**
 * Whether a spend of the taker payment may have reached anyone, including one reported as failed, unless it was never
 * tried.
 */
function secretWasShown(
  { takerPaymentSpend, failures }: MakerSwapContext,
  { secretShown = false }: RecoveryFacts,
): boolean {
  const failed = failures.some(({ event, error }) => event === 'TakerPaymentSpendFailed' && !PAST_DEADLINE.test(error));
  return takerPaymentSpend !== null || failed || secretShown;
}

/** The hash from the negotiation; logs of 2019 store only the secret. */
function hashOf({ started }: MakerSwapContext): string | null {
  if (started === null || started.secret_hash !== null) return started?.secret_hash ?? null;
  return isHidden(started.secret) ? null : bytesToHex(hash160(hexToBytes(started.secret)));
}

/** Undefined if the log hides it, as the real node's answers and recreated logs do. */
function ownSecret(context: MakerSwapContext): string | undefined {
  return matchingSecret(context.started?.secret, hashOf(context));
}

function isHidden(secret: string): boolean {
  return /^0+$/.test(secret);
}
