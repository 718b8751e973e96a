import { type Millis, toMillis } from '../../src/primitives/time.ts';
import { byChain, byHost } from '../deadlines/deadline.ts';
import { endOf, type MessageWait } from '../deadlines/message-wait.ts';
import {
  claimConfirmedBy,
  feeBy,
  negotiationWait,
  paymentMessageWait,
  raceAgainst,
  takerPaysBy,
  watcherClaimsFrom,
  watcherRefundsAfter,
} from '../deadlines/table.ts';
import type { Deadline, Want } from '../definition.ts';
import { type JournalContext, NO_JOURNAL } from '../journal/context.ts';
import type { TakerSwapEffect } from '../swap-effects.ts';
import { secretIsPublic, type TakerSwapContext } from './context.ts';

type Journal = Pick<JournalContext, 'heardAt'>;
type TakerWant = Want<TakerSwapEffect>;

/**
 * The absolute times that matter in a state, derived from the log only: nothing is stored and no timer is armed, so a
 * restart finds the same ones. Formulas: machines/deadlines/table.ts.
 */
export function takerSwapDeadlines(
  state: string,
  context: TakerSwapContext,
  journal: Journal = NO_JOURNAL,
): readonly Deadline[] {
  const { negotiated } = context;
  const own = stateDeadlines(state, context, journal);
  // In any state: from the end of the maker's lock on, the maker can take back what the taker has not finally claimed.
  const claiming = state !== 'finished' && secretIsPublic(context) && !context.makerPaymentSpendConfirmed;
  if (!claiming || negotiated === null) return own;
  return [...own, byChain('makerRefundValid', negotiated.maker_payment_locktime, 'makerChain')];
}

function stateDeadlines(state: string, context: TakerSwapContext, journal: Journal): readonly Deadline[] {
  const { started, lastEventAt } = context;
  if (started === null || lastEventAt === null) return [];
  const { taker_payment_lock: lock } = started;
  // The chain accepts the refund once its median time past is after the lock.
  const refundValid = byChain('refundValid', lock, 'takerChain');
  switch (state) {
    case 'negotiating': {
      const offer = endOf(negotiationWait(lastEventAt));
      // Counted from the offer, which only the journal dates; without a journal, from the latest time at which it can
      // come.
      return [
        byHost('negotiation', offer),
        byHost('negotiated', endOf(negotiationWait(journal.heardAt['negotiation'] ?? offer))),
      ];
    }
    case 'sendingTakerFee':
      return [byHost('takerFee', feeBy(started))];
    case 'waitingForMakerPayment':
    case 'instructionsReceived':
      return [byHost('makerPaymentMessage', endOf(paymentMessageWait(lastEventAt)))];
    case 'makerPaymentReceived':
    case 'confirmingMakerPayment':
    case 'sendingTakerPayment':
      return [byHost('makerPaymentWait', takerPaysBy(started))];
    case 'waitingForSpend':
      return [byChain('takerPaymentLock', lock, 'takerChain'), refundValid];
    case 'waitingForSpendWatched':
      return [
        byChain('takerPaymentLock', lock, 'takerChain'),
        refundValid,
        byHost('watcherSpend', watcherClaimsFrom(started)),
        byHost('watcherRefund', watcherRefundsAfter(started)),
      ];
    case 'confirmingClaim':
    case 'claimedByWatcher': {
      const confirmBy = claimConfirmedBy(lock, lastEventAt);
      return confirmBy === undefined ? [] : [byHost('claimConfirmation', confirmBy)];
    }
    case 'takerPaymentDataNotSent':
    case 'takerPaymentUnconfirmed':
    case 'spendNotSeen':
    case 'waitingForRefund':
    case 'refunding':
    case 'refundFailed':
    case 'takerPaymentFailed':
      return secretIsPublic(context) ? [] : [refundValid];
    default:
      return [];
  }
}

/** The inputs of a want's limits. */
type Dated = {
  readonly started: NonNullable<TakerSwapContext['started']>;
  readonly negotiated: TakerSwapContext['negotiated'];
  readonly lastEventAt: Millis;
  readonly journal: Journal;
};

/** What a taker wants, with the limits of each want: the table that it acts by. */
const LIMITED: Readonly<Record<TakerSwapEffect, (at: Dated) => TakerWant>> = {
  start: () => ({ effect: 'start' }),
  // First for the offer; after the offer, for the maker's confirmation.
  negotiate: ({ lastEventAt, journal }) =>
    awaiting('negotiate', negotiationWait(journal.heardAt['negotiation'] ?? lastEventAt)),
  sendTakerFee: ({ started }) => ({ effect: 'sendTakerFee', until: feeBy(started), clock: 'host' }),
  waitForMakerPayment: ({ lastEventAt }) => awaiting('waitForMakerPayment', paymentMessageWait(lastEventAt)),
  validateMakerPayment: ({ started }) => ({
    effect: 'validateMakerPayment',
    until: takerPaysBy(started),
    clock: 'host',
  }),
  sendTakerPayment: ({ started, negotiated }) => {
    const want: TakerWant = { effect: 'sendTakerPayment', until: takerPaysBy(started), clock: 'host' };
    if (negotiated === null) return want;
    return { ...want, race: raceAgainst(negotiated.maker_payment_locktime, started.lock_duration) };
  },
  findTakerPayment: () => ({ effect: 'findTakerPayment' }),
  waitForTakerPaymentSpend: ({ started }) => ({
    effect: 'waitForTakerPaymentSpend',
    until: toMillis(started.taker_payment_lock),
    clock: 'takerChain',
  }),
  findTakerPaymentSpend: () => ({ effect: 'findTakerPaymentSpend' }),
  // A claim stays wanted after the maker's lock: from then on it is a race, not lost.
  spendMakerPayment: ({ started, negotiated }) => {
    if (negotiated === null) return { effect: 'spendMakerPayment' };
    const { maker_payment_locktime: lock } = negotiated;
    const race = raceAgainst(lock, started.lock_duration);
    return { effect: 'spendMakerPayment', contestedFrom: toMillis(lock), race, clock: 'makerChain' };
  },
  confirmMakerPaymentSpend: ({ started, lastEventAt }) => {
    const until = claimConfirmedBy(started.taker_payment_lock, lastEventAt);
    const effect = 'confirmMakerPaymentSpend';
    return until === undefined ? { effect } : { effect, until, clock: 'host' };
  },
  refundTakerPayment: ({ started }) => ({
    effect: 'refundTakerPayment',
    notBefore: toMillis(started.taker_payment_lock),
    clock: 'takerChain',
  }),
  finishRefund: () => ({ effect: 'finishRefund' }),
  finish: () => ({ effect: 'finish' }),
  guard: () => ({ effect: 'guard' }),
  closeLost: () => ({ effect: 'closeLost' }),
  recover: () => ({ effect: 'recover' }),
};

/** A want of this effect with its limits; without limits if the log does not say when the swap started. */
export function takerWant(
  effect: TakerSwapEffect,
  { started, negotiated, lastEventAt }: TakerSwapContext,
  journal: Journal = NO_JOURNAL,
): TakerWant {
  if (started === null || lastEventAt === null) return { effect };
  return LIMITED[effect]({ started, negotiated, lastEventAt, journal });
}

function awaiting(effect: TakerSwapEffect, wait: MessageWait): TakerWant {
  return { effect, until: endOf(wait), wait, clock: 'host' };
}
