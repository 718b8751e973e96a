import type { Want } from '../definition.ts';
import { type JournalContext, NO_JOURNAL } from '../journal/context.ts';
import type { SwapSide } from '../swap/side.ts';
import { type Asking, sideWants } from '../swap/wants.ts';
import type { TakerSwapEffect } from '../swap-effects.ts';
import type { TakerSwapContext } from './context.ts';
import { takerLimits } from './deadlines.ts';
import { takerSide } from './side.ts';

/** What a taker's swap wants done in a state, each with its limits. */
export function takerSwapWants(
  state: string,
  context: TakerSwapContext,
  journal: Readonly<JournalContext> = NO_JOURNAL,
): readonly Want<TakerSwapEffect>[] {
  return sideWants(takerAsking, { side: takerSide(state, context), journal });
}

/**
 * Money rules: once the secret is public, the taker wants only the claim until it is confirmed, whatever else the log
 * says. Without the secret, it wants a refund as soon as that is valid, together with a look for the maker's spend.
 */
export const takerAsking: Asking<TakerSwapEffect> = { asks, refund: 'refundTakerPayment', limits: takerLimits };

function asks(side: SwapSide): readonly TakerSwapEffect[] {
  if (side.secretIsPublic && !side.claimConfirmed) return claim(side);
  switch (side.state) {
    case 'created':
      return ['start'];
    case 'negotiating':
      return ['negotiate'];
    case 'sendingTakerFee':
      return ['sendTakerFee'];
    case 'waitingForMakerPayment':
    case 'instructionsReceived':
      return ['waitForMakerPayment'];
    case 'makerPaymentReceived':
    case 'confirmingMakerPayment':
      return ['validateMakerPayment'];
    case 'sendingTakerPayment':
      return ['sendTakerPayment'];
    case 'takerPaymentFailed':
      // Closing waits for the answer: an error of a node is no fact about a chain.
      return side.ownUncertain ? ['findTakerPayment'] : ['finish'];
    case 'waitingForSpend':
    case 'waitingForSpendWatched':
      return ['waitForTakerPaymentSpend'];
    case 'takerPaymentDataNotSent':
    case 'takerPaymentUnconfirmed':
    case 'spendNotSeen':
    case 'waitingForRefund':
    case 'refunding':
    case 'refundFailed':
      // Without the terms, the start is unknown.
      return side.started === null ? ['findTakerPaymentSpend'] : ['findTakerPaymentSpend', 'refundTakerPayment'];
    case 'refunded':
      return ['finishRefund'];
    default:
      return ['finish'];
  }
}

function claim({ state, started, secret }: SwapSide): readonly TakerSwapEffect[] {
  if (started !== null && (state === 'confirmingClaim' || state === 'claimedByWatcher')) {
    return ['confirmMakerPaymentSpend'];
  }
  return secret === null ? ['findTakerPaymentSpend', 'spendMakerPayment'] : ['spendMakerPayment'];
}
