import { toMillis } from '../../src/primitives/time.ts';
import type { Want } from '../definition.ts';
import type { TakerSwapEffect } from '../swap-effects.ts';
import { secretIsPublic, type TakerSwapContext } from './context.ts';
import { claimConfirmBy, takerSwapDeadlines } from './deadlines.ts';

type TakerWant = Want<TakerSwapEffect>;

const FINISH: TakerWant = { effect: 'finish' };

/**
 * What a taker's swap wants done in a state. Level-triggered: the answer depends on where the swap stands, never on
 * how it got there, so live run and restart cannot disagree.
 *
 * Money rules: once the secret is public only the claim is wanted, whatever else the log says, until it is confirmed;
 * without the secret a refund is wanted from its validity on, together with a look for the maker's spend.
 */
export function takerSwapWants(state: string, context: TakerSwapContext): readonly TakerWant[] {
  if (state === 'finished') return [];
  if (secretIsPublic(context) && !context.makerPaymentSpendConfirmed) return claim(state, context);
  switch (state) {
    case 'created':
      return [{ effect: 'start' }];
    case 'negotiating':
      return [until('negotiate', state, context)];
    case 'sendingTakerFee':
      return [until('sendTakerFee', state, context)];
    case 'waitingForMakerPayment':
    case 'instructionsReceived':
      return [until('waitForMakerPayment', state, context)];
    case 'makerPaymentReceived':
    case 'confirmingMakerPayment':
      return [until('validateMakerPayment', state, context)];
    case 'sendingTakerPayment':
      return [until('sendTakerPayment', state, context)];
    case 'takerPaymentFailed':
      // Closing waits for the answer: an error of a node is no fact about a chain.
      return context.takerPaymentUncertain ? [{ effect: 'findTakerPayment' }] : [FINISH];
    case 'waitingForSpend':
    case 'waitingForSpendWatched':
      return [until('waitForTakerPaymentSpend', state, context)];
    case 'takerPaymentDataNotSent':
    case 'takerPaymentUnconfirmed':
    case 'spendNotSeen':
    case 'waitingForRefund':
    case 'refunding':
    case 'refundFailed':
      return refund(context);
    case 'refunded':
      return [{ effect: 'finishRefund' }];
    default:
      return [FINISH];
  }
}

function until(effect: TakerSwapEffect, state: string, context: TakerSwapContext): TakerWant {
  const [deadline] = takerSwapDeadlines(state, context);
  return deadline === undefined ? { effect } : { effect, until: deadline.at, clock: deadline.clock };
}

/** A claim stays wanted after the maker's lock: from then on it is a race, not lost. */
function claim(state: string, context: TakerSwapContext): readonly TakerWant[] {
  const { started, negotiated, secret } = context;
  if (started !== null && (state === 'confirmingClaim' || state === 'claimedByWatcher')) {
    const until = claimConfirmBy(context);
    const effect = 'confirmMakerPaymentSpend';
    return [until === undefined ? { effect } : { effect, until, clock: 'host' }];
  }
  const find: readonly TakerWant[] = secret === null ? [{ effect: 'findTakerPaymentSpend' }] : [];
  if (negotiated === null) return [...find, { effect: 'spendMakerPayment' }];
  const contestedFrom = toMillis(negotiated.maker_payment_locktime);
  return [...find, { effect: 'spendMakerPayment', contestedFrom, clock: 'makerChain' }];
}

function refund({ started }: TakerSwapContext): readonly TakerWant[] {
  const find: TakerWant = { effect: 'findTakerPaymentSpend' };
  if (started === null) return [find];
  return [find, { effect: 'refundTakerPayment', notBefore: toMillis(started.taker_payment_lock), clock: 'takerChain' }];
}
