import { type Millis, toMillis } from '../../src/primitives/time.ts';
import { byChain, byHost } from '../deadlines/deadline.ts';
import { endOf, type MessageWait } from '../deadlines/message-wait.ts';
import {
  claimConfirmedBy,
  makerConfirmedBy,
  makerPaysBy,
  negotiationWait,
  paymentMessageWait,
  raceAgainst,
  revealBy,
  takerPaymentWait,
} from '../deadlines/table.ts';
import type { Deadline, Want } from '../definition.ts';
import type { MakerSwapEffect } from '../swap-effects.ts';
import type { MakerSwapContext } from './context.ts';

type MakerWant = Want<MakerSwapEffect>;

/**
 * The absolute times that matter in a state, derived from the log only: nothing is stored and no timer is armed, so a
 * restart finds the same ones. Formulas: machines/deadlines/table.ts.
 */
export function makerSwapDeadlines(state: string, context: MakerSwapContext): readonly Deadline[] {
  const { negotiated } = context;
  const own = stateDeadlines(state, context);
  // From the end of the taker's lock on, the taker can take back what the maker has not finally claimed.
  const claiming = state !== 'finished' && context.takerPaymentValidated && !context.takerPaymentSpendConfirmed;
  if (!claiming || negotiated === null) return own;
  return [...own, byChain('takerRefundValid', negotiated.taker_payment_locktime, 'takerChain')];
}

function stateDeadlines(state: string, { started, lastEventAt }: MakerSwapContext): readonly Deadline[] {
  if (started === null || lastEventAt === null) return [];
  const { maker_payment_lock: lock } = started;
  // The chain accepts the refund once its median time past is after the lock.
  const refundValid = byChain('refundValid', lock, 'makerChain');
  switch (state) {
    case 'negotiating':
      return [byHost('negotiation', endOf(negotiationWait(lastEventAt)))];
    case 'waitingForTakerFee':
    case 'instructionsReceived':
      return [byHost('takerFeeMessage', endOf(paymentMessageWait(lastEventAt)))];
    case 'sendingMakerPayment':
      return [byHost('makerPayment', makerPaysBy(started))];
    case 'waitingForTakerPayment':
      return [
        byHost('makerPaymentConfirmation', makerConfirmedBy(started)),
        byHost('takerPaymentMessage', endOf(takerPaymentWait(started))),
        refundValid,
      ];
    case 'takerPaymentReceived':
    case 'confirmingTakerPayment':
    case 'claiming':
      return [byHost('takerPaymentSpend', revealBy(started)), refundValid];
    case 'claimSent':
    case 'confirmingClaim': {
      const confirmBy = claimConfirmedBy(lock, lastEventAt);
      return confirmBy === undefined ? [] : [byHost('claimConfirmation', confirmBy)];
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
      return [refundValid];
    default:
      return [];
  }
}

/** The inputs of a want's limits. */
type Dated = {
  readonly started: NonNullable<MakerSwapContext['started']>;
  readonly negotiated: MakerSwapContext['negotiated'];
  readonly lastEventAt: Millis;
  /** Whether the claim is the next step of the swap, and not one that continues during a refund. */
  readonly isFirstClaim: boolean;
};

/** What a maker wants, with the limits of each want: the table that it acts by. */
const LIMITED: Readonly<Record<MakerSwapEffect, (at: Dated) => MakerWant>> = {
  start: () => ({ effect: 'start' }),
  negotiate: ({ lastEventAt }) => awaiting('negotiate', negotiationWait(lastEventAt)),
  waitForTakerFee: ({ lastEventAt }) => awaiting('waitForTakerFee', paymentMessageWait(lastEventAt)),
  sendMakerPayment: ({ started }) => ({ effect: 'sendMakerPayment', until: makerPaysBy(started), clock: 'host' }),
  findMakerPayment: () => ({ effect: 'findMakerPayment' }),
  // The maker's own payment must be confirmed by the first time; the wait for the other side's message starts with its
  // confirmation.
  waitForTakerPayment: ({ started }) => ({
    effect: 'waitForTakerPayment',
    until: makerConfirmedBy(started),
    wait: takerPaymentWait(started),
    clock: 'host',
  }),
  validateTakerPayment: ({ started }) => ({ effect: 'validateTakerPayment', until: revealBy(started), clock: 'host' }),
  spendTakerPayment: claim,
  confirmTakerPaymentSpend: ({ started, lastEventAt }) => {
    const until = claimConfirmedBy(started.maker_payment_lock, lastEventAt);
    const effect = 'confirmTakerPaymentSpend';
    return until === undefined ? { effect } : { effect, until, clock: 'host' };
  },
  findMakerPaymentSpend: () => ({ effect: 'findMakerPaymentSpend' }),
  refundMakerPayment: ({ started }) => ({
    effect: 'refundMakerPayment',
    notBefore: toMillis(started.maker_payment_lock),
    clock: 'makerChain',
  }),
  finishRefund: () => ({ effect: 'finishRefund' }),
  finish: () => ({ effect: 'finish' }),
  guard: () => ({ effect: 'guard' }),
  closeLost: () => ({ effect: 'closeLost' }),
  recover: () => ({ effect: 'recover' }),
};

/**
 * The first claim has an end. One that the log holds, or that runs next to a refund, stays wanted after the taker's
 * lock: from then on it is a race, not lost. Until it has shown the secret, the same last moment limits it.
 */
function claim({ isFirstClaim, started, negotiated }: Dated): MakerWant {
  const effect = 'spendTakerPayment';
  const by = revealBy(started);
  if (negotiated === null) return isFirstClaim ? { effect, until: by, revealBy: by, clock: 'host' } : { effect };
  const { taker_payment_locktime: lock } = negotiated;
  const race = raceAgainst(lock, started.lock_duration);
  if (isFirstClaim) return { effect, until: by, revealBy: by, race, clock: 'host' };
  return { effect, contestedFrom: toMillis(lock), revealBy: by, race, clock: 'takerChain' };
}

/** A want of this effect with its limits; without limits if the log does not say when the swap started. */
export function makerWant(
  effect: MakerSwapEffect,
  state: string,
  { started, negotiated, lastEventAt, takerPaymentSpend, takerPaymentSpendConfirmed }: MakerSwapContext,
): MakerWant {
  if (started === null || lastEventAt === null) return { effect };
  const isFirstClaim = state === 'claiming' && (takerPaymentSpend === null || takerPaymentSpendConfirmed);
  return LIMITED[effect]({ started, negotiated, lastEventAt, isFirstClaim });
}

function awaiting(effect: MakerSwapEffect, wait: MessageWait): MakerWant {
  return { effect, until: endOf(wait), wait, clock: 'host' };
}
