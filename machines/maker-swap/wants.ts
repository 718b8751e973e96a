import { toMillis } from '../../src/primitives/time.ts';
import type { Want } from '../definition.ts';
import type { MakerSwapContext } from './context.ts';
import { makerSwapDeadlines } from './deadlines.ts';

const FINISH: Want = { effect: 'finish' };

/**
 * What a maker's swap wants done in a state. Level-triggered: the answer depends on where the swap stands, never on
 * how it got there, so live run and restart cannot disagree.
 *
 * Money rules: once its secret may be public (it broadcast a spend) the maker goes on claiming; its own payment is
 * refunded only from its validity on, and only while the taker has not spent it.
 */
export function makerSwapWants(state: string, context: MakerSwapContext): readonly Want[] {
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
      if (context.makerPaymentUncertain) return [{ effect: 'findMakerPayment' }, FINISH];
      return context.makerPayment === null ? [FINISH] : refund(context);
    case 'waitingForTakerPayment':
      return [until('waitForTakerPayment', state, context)];
    case 'takerPaymentReceived':
    case 'confirmingTakerPayment':
      return [until('validateTakerPayment', state, context)];
    case 'claiming':
      return [until('spendTakerPayment', state, context)];
    case 'claimSent':
    case 'confirmingClaim':
      return [until('confirmTakerPaymentSpend', state, context)];
    case 'claimFailed':
    case 'claimUnconfirmed':
      return [{ effect: 'spendTakerPayment' }, ...refund(context)];
    case 'makerPaymentDataNotSent':
    case 'makerPaymentUnconfirmed':
    case 'takerPaymentInvalid':
    case 'takerPaymentUnconfirmed':
    case 'waitingForRefund':
    case 'refunding':
    case 'refundFailed':
      return refund(context);
    case 'refunded':
      return [{ effect: 'finishRefund' }];
    case 'finished':
      return [];
    default:
      return [FINISH];
  }
}

function until(effect: string, state: string, context: MakerSwapContext): Want {
  const [deadline] = makerSwapDeadlines(state, context);
  return deadline === undefined ? { effect } : { effect, until: deadline.at, clock: deadline.clock };
}

function refund({ started }: MakerSwapContext): readonly Want[] {
  const find: Want = { effect: 'findMakerPaymentSpend' };
  if (started === null) return [find];
  return [find, { effect: 'refundMakerPayment', notBefore: toMillis(started.maker_payment_lock), clock: 'makerChain' }];
}
