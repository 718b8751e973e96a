import { toMillis } from '../../src/primitives/time.ts';
import type { Want } from '../definition.ts';
import type { TakerSwapContext } from './context.ts';
import { takerSwapDeadlines } from './deadlines.ts';

const FINISH: Want = { effect: 'finish' };

/**
 * What a taker's swap wants done in a state. Level-triggered: the answer depends on where the swap stands, never on
 * how it got there, so live run and restart cannot disagree.
 *
 * Money rules: with the secret known only claims are wanted, never a refund; without it a refund is wanted from its
 * validity on, together with a look for the maker's spend.
 */
export function takerSwapWants(state: string, context: TakerSwapContext): readonly Want[] {
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
      return context.takerPaymentUncertain ? [{ effect: 'findTakerPayment' }, FINISH] : [FINISH];
    case 'waitingForSpend':
    case 'waitingForSpendWatched':
      return [until('waitForTakerPaymentSpend', state, context)];
    case 'takerPaymentDataNotSent':
    case 'takerPaymentUnconfirmed':
    case 'spendNotSeen':
    case 'waitingForRefund':
    case 'refunding':
    case 'refundFailed':
    case 'claiming':
    case 'claimFailed':
    case 'claimUnconfirmed':
      return secretIsPublic(context) ? claim(context) : refund(context);
    case 'confirmingClaim':
    case 'claimedByWatcher':
      return [until('confirmMakerPaymentSpend', state, context)];
    case 'refunded':
      return [{ effect: 'finishRefund' }];
    case 'finished':
      return [];
    default:
      return [FINISH];
  }
}

function until(effect: string, state: string, context: TakerSwapContext): Want {
  const [deadline] = takerSwapDeadlines(state, context);
  return deadline === undefined ? { effect } : { effect, until: deadline.at, clock: deadline.clock };
}

/**
 * Whether the maker has spent the taker payment, so that the secret stands on the chain. A restarted node may store
 * what it did with the secret without the event that told it the secret.
 */
export function secretIsPublic({ secret, makerPaymentSpend, failures }: TakerSwapContext): boolean {
  return (
    secret !== null || makerPaymentSpend !== null || failures.some(({ event }) => event === 'MakerPaymentSpendFailed')
  );
}

function claim({ negotiated, secret }: TakerSwapContext): readonly Want[] {
  const find: readonly Want[] = secret === null ? [{ effect: 'findTakerPaymentSpend' }] : [];
  if (negotiated === null) return [...find, { effect: 'spendMakerPayment' }];
  const until = toMillis(negotiated.maker_payment_locktime);
  return [...find, { effect: 'spendMakerPayment', until, clock: 'makerChain' }];
}

function refund({ started }: TakerSwapContext): readonly Want[] {
  const find: Want = { effect: 'findTakerPaymentSpend' };
  if (started === null) return [find];
  return [find, { effect: 'refundTakerPayment', notBefore: toMillis(started.taker_payment_lock), clock: 'takerChain' }];
}
