import { formatUtc } from '../../src/primitives/time.ts';
import { type JournalContext, NO_JOURNAL } from '../journal/context.ts';
import type { SwapSide } from '../swap/side.ts';
import { type Judging, sideVerdict } from '../swap/verdict.ts';
import type { TakerSwapEffect } from '../swap-effects.ts';
import { amountText, type NextStep, raceText, type SwapFunds, type SwapVerdict } from '../swap-verdict.ts';
import { secretIsPublic, type TakerSwapContext } from './context.ts';
import { takerSide } from './side.ts';
import { takerAsking } from './wants.ts';

/** The status of a taker's swap: outcome, where both payments are, and what comes next. */
export function takerSwapVerdict(
  state: string,
  context: TakerSwapContext,
  journal: Readonly<JournalContext> = NO_JOURNAL,
): SwapVerdict {
  return sideVerdict(JUDGING, takerSide(state, context), journal);
}

const JUDGING: Judging<TakerSwapEffect> = {
  standings: {
    // From the claim on, the secret is public, whatever the state.
    claiming: new Set(),
    claimUnderWay: new Set(['claiming', 'confirmingClaim', 'claimedByWatcher']),
    refunding: new Set([
      'takerPaymentDataNotSent',
      'takerPaymentUnconfirmed',
      'spendNotSeen',
      'waitingForRefund',
      'refunding',
      'refundFailed',
    ]),
    givenUp: new Set(),
    failedEarly: new Set([
      'startFailed',
      'negotiateFailed',
      'takerFeeSendFailed',
      'makerPaymentInvalid',
      'makerPaymentUnconfirmed',
      'takerPaymentFailed',
    ]),
  },
  asking: takerAsking,
  rescue,
};

/** Facts of a taker's log that exclude each other: both take the same output, so at most one of them is final. */
export function takerSwapContradictions(context: TakerSwapContext): readonly string[] {
  if (!context.takerPaymentRefunded || !secretIsPublic(context)) return [];
  return ['The log says both that the maker spent the taker payment and that it was refunded; only one can be final.'];
}

/** What a person must do if the log ended with coins still locked or lost track of. */
function rescue(side: SwapSide, funds: SwapFunds): NextStep {
  const { otherLock: makerLock, ownLock: takerLock } = side;
  if (side.secretIsPublic) {
    const secret =
      side.secret === null ? "the secret that the maker's spend of the taker payment shows" : 'the known secret';
    const again = side.claim === null ? 'Spend' : 'Check whether your spend is on the chain; if not, spend';
    return {
      action: 'spendMakerPayment',
      who: 'operator',
      notBefore: null,
      until: makerLock,
      text: `${again} the maker payment (${amountText(funds.makerPayment)}) with ${secret}, at once.${raceText(makerLock, 'maker')}`,
    };
  }
  const from = takerLock === null ? '' : ` from ${formatUtc(takerLock)} on, by the chain's own time`;
  const uncertain = funds.takerPayment.status === 'uncertain';
  return {
    action: uncertain ? 'findTakerPayment' : 'refundTakerPayment',
    who: 'operator',
    notBefore: uncertain ? null : takerLock,
    until: null,
    text: uncertain
      ? `Check on the chain whether the taker payment (${amountText(funds.takerPayment)}) was broadcast nevertheless. If so, check whether the maker has spent it: then claim the maker payment with the secret that this spend shows; else refund it${from}.`
      : `Check whether the maker has spent the taker payment (${amountText(funds.takerPayment)}): if so, take the secret from that spend and claim; else refund it${from}.`,
  };
}
