import {
  makerPaymentConfirmDeadline,
  makerPaymentSendDeadline,
  makerSpendDeadline,
  NEGOTIATION_GRACE,
  NEGOTIATION_WAIT,
  PAYMENT_MESSAGE_GRACE,
  PAYMENT_MESSAGE_WAIT,
  spendConfirmDeadline,
  takerPaymentMessageWait,
} from '../../src/htlc/lock-times.ts';
import { addSeconds, type Millis, type Seconds, toMillis, type UnixSeconds } from '../../src/primitives/time.ts';
import type { Deadline } from '../definition.ts';
import type { MakerSwapContext } from './context.ts';

/**
 * The absolute moments that matter in a state, derived from the log alone: nothing is stored and nothing is armed, so
 * a restart finds the same ones. Formulas: src/htlc/lock-times.ts.
 */
export function makerSwapDeadlines(state: string, context: MakerSwapContext): readonly Deadline[] {
  const { negotiated } = context;
  const own = stateDeadlines(state, context);
  // From the taker's lock on, the taker can take back what the maker has not claimed for good.
  const claiming = state !== 'finished' && context.takerPaymentValidated && !context.takerPaymentSpendConfirmed;
  return claiming && negotiated !== null ? [...own, takerRefundValid(negotiated.taker_payment_locktime)] : own;
}

function stateDeadlines(state: string, context: MakerSwapContext): readonly Deadline[] {
  const { started, lastEventAt } = context;
  if (started === null || lastEventAt === null) return [];
  const { started_at: startedAt, lock_duration: lockDuration, maker_payment_lock: makerLock } = started;
  const confirmBy = makerPaymentConfirmDeadline(startedAt, lockDuration);
  switch (state) {
    case 'negotiating':
      return [host('negotiation', after(lastEventAt, NEGOTIATION_WAIT + NEGOTIATION_GRACE))];
    case 'waitingForTakerFee':
    case 'instructionsReceived':
      return [host('takerFeeMessage', after(lastEventAt, PAYMENT_MESSAGE_WAIT + PAYMENT_MESSAGE_GRACE))];
    case 'sendingMakerPayment':
      return [host('makerPayment', toMillis(makerPaymentSendDeadline(startedAt, lockDuration)))];
    case 'waitingForTakerPayment':
      return [
        host('makerPaymentConfirmation', toMillis(confirmBy)),
        // Counted from the confirmation of the own payment, which the chain alone dates: the latest moment it can be.
        host('takerPaymentMessage', toMillis(addSeconds(confirmBy, takerPaymentMessageWait(lockDuration)))),
        refundValid(makerLock),
      ];
    case 'takerPaymentReceived':
    case 'confirmingTakerPayment':
    case 'claiming':
      return [host('takerPaymentSpend', toMillis(makerSpendDeadline(startedAt, lockDuration))), refundValid(makerLock)];
    case 'claimSent':
    case 'confirmingClaim': {
      const claimBy = claimConfirmBy(context);
      return claimBy === undefined ? [] : [host('claimConfirmation', claimBy)];
    }
    case 'claimFailed':
    case 'claimUnconfirmed':
    case 'makerPaymentDataNotSent':
    case 'makerPaymentUnconfirmed':
    case 'takerPaymentInvalid':
    case 'takerPaymentUnconfirmed':
    case 'waitingForRefund':
    case 'refunding':
    case 'refundFailed':
    case 'makerPaymentFailed':
      return [refundValid(makerLock)];
    default:
      return [];
  }
}

/**
 * When a claim that was just made should be confirmed. Undefined for one that was made later than that: it was made again,
 * or late, and is waited for until it is final.
 */
export function claimConfirmBy({ started, lastEventAt }: MakerSwapContext): Millis | undefined {
  if (started === null || lastEventAt === null) return undefined;
  const confirmBy = toMillis(spendConfirmDeadline(started.maker_payment_lock));
  return lastEventAt < confirmBy ? confirmBy : undefined;
}

function host(kind: string, at: Millis): Deadline {
  return { kind, at, clock: 'host' };
}

/** The chain accepts the refund once its median time past lies after the lock. */
function refundValid(lock: UnixSeconds): Deadline {
  return { kind: 'refundValid', at: toMillis(lock), clock: 'makerChain' };
}

function takerRefundValid(lock: UnixSeconds): Deadline {
  return { kind: 'takerRefundValid', at: toMillis(lock), clock: 'takerChain' };
}

function after(at: Millis, seconds: Seconds): Millis {
  return (at + seconds * 1000) as Millis;
}
