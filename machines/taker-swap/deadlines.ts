import {
  makerPaymentWait,
  NEGOTIATION_GRACE,
  NEGOTIATION_WAIT,
  PAYMENT_MESSAGE_GRACE,
  PAYMENT_MESSAGE_WAIT,
  spendConfirmDeadline,
  takerFeeDeadline,
  watcherRefundFrom,
  watcherSpendFrom,
} from '../../src/htlc/lock-times.ts';
import { type Millis, type Seconds, toMillis, type UnixSeconds } from '../../src/primitives/time.ts';
import type { Deadline } from '../definition.ts';
import { secretIsPublic, type TakerSwapContext } from './context.ts';

/**
 * The absolute moments that matter in a state, derived from the log alone: nothing is stored and nothing is armed, so
 * a restart finds the same ones. Formulas: src/htlc/lock-times.ts.
 */
export function takerSwapDeadlines(state: string, context: TakerSwapContext): readonly Deadline[] {
  const { negotiated } = context;
  const own = stateDeadlines(state, context);
  // Whatever the state: from the maker's lock on, the maker can take back what the taker has not claimed for good.
  const claiming = state !== 'finished' && secretIsPublic(context) && !context.makerPaymentSpendConfirmed;
  return claiming && negotiated !== null ? [...own, makerRefundValid(negotiated.maker_payment_locktime)] : own;
}

function stateDeadlines(state: string, context: TakerSwapContext): readonly Deadline[] {
  const { started, lastEventAt } = context;
  if (started === null || lastEventAt === null) return [];
  const { started_at: startedAt, lock_duration: lockDuration, taker_payment_lock: takerLock } = started;
  switch (state) {
    case 'negotiating':
      return [
        host('negotiation', after(lastEventAt, NEGOTIATION_WAIT + NEGOTIATION_GRACE)),
        // Counted from the offer, which only the journal dates: the latest moment it can be.
        host('negotiated', after(lastEventAt, 2 * (NEGOTIATION_WAIT + NEGOTIATION_GRACE))),
      ];
    case 'sendingTakerFee':
      return [host('takerFee', toMillis(takerFeeDeadline(startedAt, lockDuration)))];
    case 'waitingForMakerPayment':
    case 'instructionsReceived':
      return [host('makerPaymentMessage', after(lastEventAt, PAYMENT_MESSAGE_WAIT + PAYMENT_MESSAGE_GRACE))];
    case 'makerPaymentReceived':
    case 'confirmingMakerPayment':
    case 'sendingTakerPayment':
      return [host('makerPaymentWait', toMillis(payBy(started)))];
    case 'waitingForSpend':
      return [ownLock(takerLock), refundValid(takerLock)];
    case 'waitingForSpendWatched':
      return [
        ownLock(takerLock),
        refundValid(takerLock),
        host('watcherSpend', toMillis(watcherSpendFrom(startedAt, lockDuration))),
        host('watcherRefund', toMillis(watcherRefundFrom(startedAt, lockDuration))),
      ];
    case 'confirmingClaim':
    case 'claimedByWatcher': {
      const confirmBy = claimConfirmBy(context);
      return confirmBy === undefined ? [] : [host('claimConfirmation', confirmBy)];
    }
    case 'takerPaymentDataNotSent':
    case 'takerPaymentUnconfirmed':
    case 'spendNotSeen':
    case 'waitingForRefund':
    case 'refunding':
    case 'refundFailed':
    case 'takerPaymentFailed':
      return secretIsPublic(context) ? [] : [refundValid(takerLock)];
    default:
      return [];
  }
}

/** The last moment at which a taker pays. */
export function payBy(started: NonNullable<TakerSwapContext['started']>): UnixSeconds {
  return started.maker_payment_wait ?? makerPaymentWait(started.started_at, started.lock_duration);
}

/**
 * When a claim that was just made should be confirmed. Undefined for one that was made later than that: it was made again,
 * or late, and is waited for until it is final.
 */
export function claimConfirmBy({ started, lastEventAt }: TakerSwapContext): Millis | undefined {
  if (started === null || lastEventAt === null) return undefined;
  const confirmBy = toMillis(spendConfirmDeadline(started.taker_payment_lock));
  return lastEventAt < confirmBy ? confirmBy : undefined;
}

function host(kind: string, at: Millis): Deadline {
  return { kind, at, clock: 'host' };
}

/** Until when the taker waits for the maker's spend: the chain says when that is over. */
function ownLock(lock: UnixSeconds): Deadline {
  return { kind: 'takerPaymentLock', at: toMillis(lock), clock: 'takerChain' };
}

/** The chain accepts the refund once its median time past lies after the lock. */
function refundValid(lock: UnixSeconds): Deadline {
  return { kind: 'refundValid', at: toMillis(lock), clock: 'takerChain' };
}

function makerRefundValid(lock: UnixSeconds): Deadline {
  return { kind: 'makerRefundValid', at: toMillis(lock), clock: 'makerChain' };
}

function after(at: Millis, seconds: Seconds): Millis {
  return (at + seconds * 1000) as Millis;
}
