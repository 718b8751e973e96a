import { NO_SECRET_TEXT } from '../../src/htlc/extract-secret.ts';
import type { TakerSwapContext } from '../taker-swap/context.ts';
import { type Recovery, type RecoveryFacts, refuse } from './facts.ts';
import {
  answered,
  done,
  gone,
  matchingSecret,
  paymentOf,
  refundOwn,
  type Step,
  searchFailed,
  secretOf,
  unfitForKdf,
} from './steps.ts';

const NOT_FOUND = 'Taker payment is not found, swap is not recoverable';
const NO_MAKER_PAYMENT = 'No info about maker payment, swap is not recoverable';

/**
 * How a taker gets its coins, from any state: claim whenever the secret is known and the maker payment is unspent,
 * otherwise refund its own payment once the chain permits. Only the chains decide what is settled: a log may report a
 * claim or a refund that a reorganization undid.
 */
export function recoverTaker(context: TakerSwapContext, facts: RecoveryFacts): Recovery {
  const { started, negotiated } = context;
  if (started === null || negotiated === null) return refuse('notStarted', NOT_FOUND);
  const known = matchingSecret(context.secret, negotiated.secret_hash);
  const first = known === undefined ? undefined : claim(context, facts, { secret: known });
  // If the maker payment is gone or never existed, the taker payment may still be there: its spend may have been
  // undone.
  if (first !== undefined && !leavesNothing(first)) return first;
  const own = ownPayment(context, facts);
  if ('done' in own) return first ?? own.done;
  const spend = answered('ownPaymentSpend', facts.ownPaymentSpend);
  if ('done' in spend) return spend.done;
  if (spend.found === null) return refundOwn('taker', { coin: started.taker_coin, payment: own.found }, facts);
  if (spend.found.kind === 'refunded') return refundedAlready(spend.found.tx.tx_hash);
  if (first !== undefined) return first;
  const secret = secretOf(spend.found, negotiated.secret_hash);
  return secret === undefined ? refuse('secretUnknown', NO_SECRET_TEXT) : claim(context, facts, { secret });
}

/**
 * The same question answered as the real node's `recover_funds_of_swap` does (KDF), step by step and word for word: only for
 * finished swaps, and trusting the log about what is settled.
 */
export function recoverTakerAsKdf(context: TakerSwapContext, facts: RecoveryFacts): Recovery {
  const { started } = context;
  if (started === null || context.finishedAt === null) return unfitForKdf(context);
  if (context.takerPaymentRefund !== null) {
    return refuse('refunded', 'Taker payment is refunded, swap is not recoverable');
  }
  if (context.makerPaymentSpend !== null && context.makerPaymentSpendConfirmed) {
    return refuse('claimed', 'Maker payment is spent and confirmed, swap is not recoverable');
  }
  if (context.makerPayment === null) return refuse('otherPaymentUnknown', NO_MAKER_PAYMENT);
  const own = ownPayment(context, facts);
  if ('done' in own) return own.done;
  if (context.takerPaymentSpend !== null && context.secret !== null)
    return claim(context, facts, { secret: context.secret });
  const spend = answered('ownPaymentSpend', facts.ownPaymentSpend);
  if ('done' in spend) return spend.done;
  if (spend.found === null) return refundOwn('taker', { coin: started.taker_coin, payment: own.found }, facts);
  if (spend.found.kind === 'refunded') return refundedAlready(spend.found.tx.tx_hash);
  const unspent = unspentMakerPayment(context, facts);
  if ('done' in unspent) return unspent.done;
  const secret = secretOf(spend.found, context.negotiated?.secret_hash ?? null);
  return secret === undefined ? refuse('secretUnknown', NO_SECRET_TEXT) : claim(context, facts, { secret });
}

function leavesNothing(claimed: Recovery): boolean {
  return 'reason' in claimed && (claimed.reason === 'otherRefunded' || claimed.reason === 'otherPaymentUnknown');
}

function refundedAlready(hash: string): Recovery {
  return refuse('refunded', `Taker payment has been refunded already by transaction ${hash}`);
}

function ownPayment({ takerPayment }: TakerSwapContext, facts: RecoveryFacts) {
  return paymentOf('ownPayment', { logged: takerPayment, missing: refuse('ownPaymentNotFound', NOT_FOUND) }, facts);
}

function unspentMakerPayment(context: TakerSwapContext, facts: RecoveryFacts): Step<null> {
  const spend = answered('otherPaymentSpend', facts.otherPaymentSpend, searchFailed('maker'));
  if ('done' in spend || spend.found === null) return spend as Step<null>;
  return done(gone('maker', spend.found, { coin: context.started?.maker_coin ?? '' }));
}

function claim(context: TakerSwapContext, facts: RecoveryFacts, { secret }: { readonly secret: string }): Recovery {
  const payment = makerPayment(context, facts);
  if ('done' in payment) return payment.done;
  const unspent = unspentMakerPayment(context, facts);
  if ('done' in unspent) return unspent.done;
  const coin = context.started?.maker_coin ?? '';
  return { action: 'spendOtherPayment', coin, payment: payment.found, secret };
}

function makerPayment({ makerPayment: logged }: TakerSwapContext, facts: RecoveryFacts) {
  return paymentOf('otherPayment', { logged, missing: refuse('otherPaymentUnknown', NO_MAKER_PAYMENT) }, facts);
}
