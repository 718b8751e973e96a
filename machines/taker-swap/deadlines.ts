import { toMillis } from '../../src/primitives/time.ts';
import { byChain, byHost } from '../deadlines/deadline.ts';
import { endOf } from '../deadlines/message-wait.ts';
import {
  feeBy,
  negotiationWait,
  paymentMessageWait,
  takerPaysBy,
  watcherClaimsFrom,
  watcherRefundsAfter,
} from '../deadlines/table.ts';
import type { Deadline, Want } from '../definition.ts';
import { NO_JOURNAL } from '../journal/context.ts';
import {
  awaiting,
  claimConfirmation,
  confirming,
  type Dated,
  type Dating,
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
import type { TakerSwapEffect } from '../swap-effects.ts';
import type { TakerSwapContext } from './context.ts';
import { takerSide } from './side.ts';

/** The absolute times that matter in a taker's state. */
export function takerSwapDeadlines(
  state: string,
  context: TakerSwapContext,
  journal: Dating = NO_JOURNAL,
): readonly Deadline[] {
  const side = takerSide(state, context);
  const at = datedOf(side, journal);
  return withRace(at === null ? [] : timesOf(at), side);
}

function timesOf(at: Dated): readonly Deadline[] {
  const { side, started, lastEventAt, ownLock, journal } = at;
  switch (side.state) {
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
      return [byChain('takerPaymentLock', ownLock, 'takerChain'), refundValid(at)];
    case 'waitingForSpendWatched':
      return [
        byChain('takerPaymentLock', ownLock, 'takerChain'),
        refundValid(at),
        byHost('watcherSpend', watcherClaimsFrom(started)),
        byHost('watcherRefund', watcherRefundsAfter(started)),
      ];
    case 'confirmingClaim':
    case 'claimedByWatcher':
      return claimConfirmation(at);
    case 'takerPaymentDataNotSent':
    case 'takerPaymentUnconfirmed':
    case 'spendNotSeen':
    case 'waitingForRefund':
    case 'refunding':
    case 'refundFailed':
    case 'takerPaymentFailed':
      return side.secretIsPublic ? [] : [refundValid(at)];
    default:
      return [];
  }
}

/** What a taker wants, with the limits of each want: the table that it acts by. */
export const takerLimits: Limits<TakerSwapEffect> = {
  ...UNLIMITED,
  // First for the offer; after the offer, for the maker's confirmation.
  negotiate: awaiting(({ lastEventAt, journal }) => negotiationWait(journal.heardAt['negotiation'] ?? lastEventAt)),
  sendTakerFee: untilTime(feeBy),
  waitForMakerPayment: awaiting(({ lastEventAt }) => paymentMessageWait(lastEventAt)),
  validateMakerPayment: untilTime(takerPaysBy),
  sendTakerPayment: (effect, { started, side }) => {
    const race = raceOf(side);
    const want: Want<TakerSwapEffect> = { effect, until: takerPaysBy(started), clock: 'host' };
    return race === null ? want : { race, ...want };
  },
  findTakerPayment: unlimited,
  waitForTakerPaymentSpend: (effect, { ownLock }) => ({ effect, until: toMillis(ownLock), clock: 'takerChain' }),
  findTakerPaymentSpend: unlimited,
  // A claim stays wanted after the maker's lock: from then on it is a race, not lost.
  spendMakerPayment: (effect, { side }) => {
    const race = raceOf(side);
    return race === null ? { effect } : { effect, contestedFrom: toMillis(race.lock), race, clock: 'makerChain' };
  },
  confirmMakerPaymentSpend: confirming,
  refundTakerPayment: refunding,
};
