import { toMillis } from '../../src/primitives/time.ts';
import type { Want } from '../definition.ts';
import type { MakerSwapEffect } from '../swap-effects.ts';
import type { MakerSwapContext } from './context.ts';
import { claimConfirmBy, makerSwapDeadlines } from './deadlines.ts';

type MakerWant = Want<MakerSwapEffect>;

const FINISH: MakerWant = { effect: 'finish' };

/**
 * What a maker's swap wants done in a state. Level-triggered: the answer depends on where the swap stands, never on
 * how it got there, so live run and restart cannot disagree.
 *
 * Money rules: once the maker has broadcast its spend of the taker payment, the secret is public and only that claim is
 * wanted until it is confirmed, never a refund beside it. Before that the own payment is refunded from its validity on,
 * and a taker payment that was found valid is claimed as long as that can succeed. The claim stands before the refund; a refund
 * beside a claim that waits needs a look which rules the claim out.
 */
export function makerSwapWants(state: string, context: MakerSwapContext): readonly MakerWant[] {
  if (state === 'finished') return [];
  if (context.takerPaymentSpend !== null && !context.takerPaymentSpendConfirmed) {
    return [state === 'claimSent' || state === 'confirmingClaim' ? confirmation(context) : claim(context)];
  }
  switch (state) {
    case 'created':
      return [{ effect: 'start' }];
    case 'negotiating':
      return [until('negotiate', state, context)];
    case 'waitingForTakerFee':
    case 'instructionsReceived':
      return [until('waitForTakerFee', state, context)];
    case 'sendingMakerPayment':
      return [until('sendMakerPayment', state, context)];
    case 'makerPaymentFailed':
      // Closing waits for the answer: an error of a node is no fact about a chain.
      if (context.makerPaymentUncertain) return [{ effect: 'findMakerPayment' }];
      return context.makerPayment === null ? [FINISH] : refund(context);
    case 'waitingForTakerPayment':
      return [until('waitForTakerPayment', state, context)];
    case 'takerPaymentReceived':
    case 'confirmingTakerPayment':
      return [until('validateTakerPayment', state, context)];
    case 'claiming':
      return [until('spendTakerPayment', state, context)];
    case 'claimFailed':
    case 'claimUnconfirmed':
    case 'makerPaymentDataNotSent':
    case 'makerPaymentUnconfirmed':
    case 'takerPaymentInvalid':
    case 'takerPaymentUnconfirmed':
    case 'waitingForRefund':
    case 'refunding':
    case 'refundFailed':
      return context.takerPaymentValidated ? [claim(context), ...refund(context)] : refund(context);
    case 'refunded':
      return [{ effect: 'finishRefund' }];
    default:
      return [FINISH];
  }
}

function confirmation(context: MakerSwapContext): MakerWant {
  const until = claimConfirmBy(context);
  const effect = 'confirmTakerPaymentSpend';
  return until === undefined ? { effect } : { effect, until, clock: 'host' };
}

/** A claim stays wanted after the taker's lock: from then on it is a race, not lost. */
function claim({ negotiated }: MakerSwapContext): MakerWant {
  if (negotiated === null) return { effect: 'spendTakerPayment' };
  const contestedFrom = toMillis(negotiated.taker_payment_locktime);
  return { effect: 'spendTakerPayment', contestedFrom, clock: 'takerChain' };
}

function until(effect: MakerSwapEffect, state: string, context: MakerSwapContext): MakerWant {
  const [deadline] = makerSwapDeadlines(state, context);
  return deadline === undefined ? { effect } : { effect, until: deadline.at, clock: deadline.clock };
}

function refund({ started }: MakerSwapContext): readonly MakerWant[] {
  const find: MakerWant = { effect: 'findMakerPaymentSpend' };
  if (started === null) return [find];
  return [find, { effect: 'refundMakerPayment', notBefore: toMillis(started.maker_payment_lock), clock: 'makerChain' }];
}
