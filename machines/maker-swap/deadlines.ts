import { toMillis } from '../../src/primitives/time.ts';
import { byHost } from '../deadlines/deadline.ts';
import { endOf } from '../deadlines/message-wait.ts';
import {
  makerConfirmedBy,
  makerPaysBy,
  negotiationWait,
  paymentMessageWait,
  revealBy,
  takerPaymentWait,
} from '../deadlines/table.ts';
import type { Deadline, Want } from '../definition.ts';
import {
  awaiting,
  claimConfirmation,
  confirming,
  type Dated,
  datedOf,
  type Limits,
  raceOf,
  refunding,
  refundValid,
  UNLIMITED,
  unlimited,
  untilTime,
  withRace,
} from '../swap/limits.ts';
import type { MakerSwapEffect } from '../swap-effects.ts';
import type { MakerSwapContext } from './context.ts';
import { makerSide } from './side.ts';

/** The absolute times that matter in a maker's state. */
export function makerSwapDeadlines(state: string, context: MakerSwapContext): readonly Deadline[] {
  const side = makerSide(state, context);
  const at = datedOf(side);
  return withRace(at === null ? [] : timesOf(at), side);
}

function timesOf(at: Dated): readonly Deadline[] {
  const { side, started, lastEventAt } = at;
  switch (side.state) {
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
        refundValid(at),
      ];
    case 'takerPaymentReceived':
    case 'confirmingTakerPayment':
    case 'claiming':
      return [byHost('takerPaymentSpend', revealBy(started)), refundValid(at)];
    case 'claimSent':
    case 'confirmingClaim':
      return claimConfirmation(at);
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
      return [refundValid(at)];
    default:
      return [];
  }
}

/** What a maker wants, with the limits of each want: the table that it acts by. */
export const makerLimits: Limits<MakerSwapEffect> = {
  ...UNLIMITED,
  negotiate: awaiting(({ lastEventAt }) => negotiationWait(lastEventAt)),
  waitForTakerFee: awaiting(({ lastEventAt }) => paymentMessageWait(lastEventAt)),
  sendMakerPayment: untilTime(makerPaysBy),
  findMakerPayment: unlimited,
  // The maker's own payment must be confirmed by the first time; the wait for the other side's message starts with its
  // confirmation.
  waitForTakerPayment: (effect, { started }) => ({
    effect,
    until: makerConfirmedBy(started),
    wait: takerPaymentWait(started),
    clock: 'host',
  }),
  validateTakerPayment: untilTime(revealBy),
  spendTakerPayment: claim,
  confirmTakerPaymentSpend: confirming,
  findMakerPaymentSpend: unlimited,
  refundMakerPayment: refunding,
};

/**
 * The first claim has an end. One that the log holds, or that runs next to a refund, stays wanted after the taker's
 * lock: from then on it is a race, not lost. Until it has shown the secret, the same last moment limits it.
 */
function claim<E extends string>(effect: E, { side, started }: Dated): Want<E> {
  // The claim is the next step of the swap, and not one that continues during a refund.
  const isFirst = side.state === 'claiming' && (side.claim === null || side.claimConfirmed);
  const by = revealBy(started);
  const race = raceOf(side);
  if (race === null) return isFirst ? { effect, until: by, revealBy: by, clock: 'host' } : { effect };
  if (isFirst) return { effect, until: by, revealBy: by, race, clock: 'host' };
  return { effect, contestedFrom: toMillis(race.lock), revealBy: by, race, clock: 'takerChain' };
}
