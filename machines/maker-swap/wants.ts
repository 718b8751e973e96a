import type { Want } from '../definition.ts';
import { type JournalContext, NO_JOURNAL } from '../journal/context.ts';
import type { SwapSide } from '../swap/side.ts';
import { type Asking, sideWants } from '../swap/wants.ts';
import type { MakerSwapEffect } from '../swap-effects.ts';
import type { MakerSwapContext } from './context.ts';
import { makerLimits } from './deadlines.ts';
import { makerSide } from './side.ts';

/** What a maker's swap wants done in a state, each with its limits. */
export function makerSwapWants(
  state: string,
  context: MakerSwapContext,
  journal: Readonly<JournalContext> = NO_JOURNAL,
): readonly Want<MakerSwapEffect>[] {
  return sideWants(makerAsking, { side: makerSide(state, context), journal });
}

/**
 * Money rules: once the maker has broadcast its spend of the taker payment, the secret is public and it wants only that
 * claim until it is confirmed, and never a refund at the same time. Before that, it refunds its own payment as soon as
 * that is valid, and claims a taker payment that was found valid as long as that can succeed. The claim comes before
 * the refund; a refund next to a waiting claim needs a look that rules the claim out.
 */
export const makerAsking: Asking<MakerSwapEffect> = { asks, refund: 'refundMakerPayment', limits: makerLimits };

function asks(side: SwapSide): readonly MakerSwapEffect[] {
  const { state } = side;
  if (side.secretIsPublic && !side.claimConfirmed) {
    return state === 'claimSent' || state === 'confirmingClaim' ? ['confirmTakerPaymentSpend'] : ['spendTakerPayment'];
  }
  switch (state) {
    case 'created':
      return ['start'];
    case 'negotiating':
      return ['negotiate'];
    case 'waitingForTakerFee':
    case 'instructionsReceived':
      return ['waitForTakerFee'];
    case 'sendingMakerPayment':
      return ['sendMakerPayment'];
    case 'makerPaymentFailed':
      // Closing waits for the answer: an error of a node is no fact about a chain.
      if (side.ownUncertain) return ['findMakerPayment'];
      return side.ownPayment === null ? ['finish'] : refund(side);
    case 'waitingForTakerPayment':
      return ['waitForTakerPayment'];
    case 'takerPaymentReceived':
    case 'confirmingTakerPayment':
      return ['validateTakerPayment'];
    case 'claiming':
      return ['spendTakerPayment'];
    case 'claimFailed':
    case 'claimUnconfirmed':
    case 'makerPaymentDataNotSent':
    case 'makerPaymentUnconfirmed':
    case 'takerPaymentInvalid':
    case 'takerPaymentUnconfirmed':
    case 'waitingForRefund':
    case 'refunding':
    case 'refundFailed':
      return side.otherValidated ? ['spendTakerPayment', ...refund(side)] : refund(side);
    case 'refunded':
      return ['finishRefund'];
    default:
      return ['finish'];
  }
}

/** Without the terms, the start is unknown. */
function refund({ started }: SwapSide): readonly MakerSwapEffect[] {
  return started === null ? ['findMakerPaymentSpend'] : ['findMakerPaymentSpend', 'refundMakerPayment'];
}
