import { formatUtc } from '../../src/primitives/time.ts';
import { type JournalContext, NO_JOURNAL } from '../journal/context.ts';
import type { SwapSide } from '../swap/side.ts';
import { type Judging, sideVerdict } from '../swap/verdict.ts';
import type { MakerSwapEffect } from '../swap-effects.ts';
import { amountText, type NextStep, raceText, type SwapFunds, type SwapVerdict } from '../swap-verdict.ts';
import type { MakerSwapContext } from './context.ts';
import { makerSide } from './side.ts';
import { makerAsking } from './wants.ts';

/** The status of a maker's swap: outcome, where both payments are, and what comes next. */
export function makerSwapVerdict(
  state: string,
  context: MakerSwapContext,
  journal: Readonly<JournalContext> = NO_JOURNAL,
): SwapVerdict {
  return sideVerdict(JUDGING, makerSide(state, context), journal);
}

const JUDGING: Judging<MakerSwapEffect> = {
  standings: {
    claiming: new Set(['claiming', 'claimSent', 'confirmingClaim', 'claimFailed', 'claimUnconfirmed']),
    claimUnderWay: new Set(['claiming', 'claimSent', 'confirmingClaim']),
    refunding: new Set([
      'makerPaymentDataNotSent',
      'makerPaymentUnconfirmed',
      'takerPaymentInvalid',
      'takerPaymentUnconfirmed',
      'waitingForRefund',
      'refunding',
      'refundFailed',
    ]),
    givenUp: new Set(['makerPaymentFailed']),
    failedEarly: new Set(['startFailed', 'negotiateFailed', 'takerFeeInvalid', 'makerPaymentFailed']),
  },
  asking: makerAsking,
  rescue,
};

/** Whether the claim failed because a chain showed the taker's refund in its place, in the words of this engine. */
function takerRefunded({ failures }: MakerSwapContext): boolean {
  return failures.some(({ error }) => error.includes('the taker payment was refunded by transaction '));
}

/** Facts of a maker's log that an honest party never produces together. */
export function makerSwapContradictions(context: MakerSwapContext): readonly string[] {
  if (!context.makerPaymentRefunded || context.takerPaymentSpend === null || takerRefunded(context)) return [];
  return [
    'The log says both that the maker spent the taker payment and that it refunded its own; then the taker lost its coins.',
  ];
}

/** What a person must do if the log ended with coins still locked or lost track of. */
function rescue(side: SwapSide, funds: SwapFunds): NextStep {
  const { ownLock: lock, otherLock: takerLock } = side;
  const from = lock === null ? '' : ` from ${formatUtc(lock)} on, by the chain's own time`;
  const maker = amountText(funds.makerPayment);
  const taker = amountText(funds.takerPayment);
  if (funds.makerPayment.status === 'uncertain') {
    return {
      action: 'findMakerPayment',
      who: 'operator',
      notBefore: null,
      until: null,
      text: `Check on the chain whether the maker payment (${maker}) was broadcast nevertheless; if so, refund it${from}.`,
    };
  }
  if (side.claim !== null) {
    return {
      action: 'spendTakerPayment',
      who: 'operator',
      notBefore: null,
      until: takerLock,
      text: `Check whether the spend of the taker payment (${taker}) is on the chain; if not, send it again at once.${raceText(takerLock, 'taker')} Refund the maker payment (${maker}) only when the taker has refunded its own.`,
    };
  }
  if (side.otherValidated) {
    const before = takerLock === null ? 'at once' : `before ${formatUtc(takerLock)}`;
    return {
      action: 'spendTakerPayment',
      who: 'operator',
      notBefore: null,
      until: takerLock,
      text: `Check whether the taker payment (${taker}) is spent: a spend that was reported as failed may be on the chain. If it is unspent, spend it with the secret ${before}: from then on the taker can refund it, and a spend that loses that race shows the secret, so that the maker payment can be lost as well. If it is gone, refund the maker payment (${maker})${from}, unless the taker has spent it.`,
    };
  }
  return {
    action: 'refundMakerPayment',
    who: 'operator',
    notBefore: lock,
    until: null,
    text: `Check whether the taker has spent the maker payment (${maker}); if not, refund it${from}.`,
  };
}
