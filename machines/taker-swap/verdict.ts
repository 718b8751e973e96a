import { formatUtc } from '../../src/primitives/time.ts';
import { type JournalContext, NO_JOURNAL } from '../journal/context.ts';
import { judge, undoneEnds } from '../journal/verdict.ts';
import {
  amountText,
  engineStep,
  legFunds,
  type NextStep,
  type Outcome,
  raceText,
  type SwapFunds,
  type SwapVerdict,
} from '../swap-verdict.ts';
import { secretIsPublic, type TakerSwapContext } from './context.ts';
import { takerSwapSteps } from './wants.ts';

/** The status of a taker's swap: outcome, where both payments are, and what comes next. */
export function takerSwapVerdict(
  state: string,
  given: TakerSwapContext,
  journal: Readonly<JournalContext> = NO_JOURNAL,
): SwapVerdict {
  const judged = { role: 'taker', state, journal } as const;
  const context = standing(given, undoneEnds(judged));
  const funds = fundsOf(context);
  const outcome = outcomeOf(state, context);
  return judge({ outcome, funds, next: nextStep(state, context, { outcome, funds, journal }) }, judged);
}

/** What the log says about its end, without what does not hold. */
function standing(context: TakerSwapContext, undone: ReturnType<typeof undoneEnds>): TakerSwapContext {
  const { claim, refund } = undone;
  if (!claim && !refund) return context;
  const { makerPaymentSpend, makerPaymentSpendConfirmed, makerPaymentSpendDoubtful } = context;
  return {
    ...context,
    makerPaymentSpendConfirmed: makerPaymentSpendConfirmed && !claim,
    makerPaymentSpendDoubtful: claim ? makerPaymentSpend !== null : makerPaymentSpendDoubtful,
    takerPaymentRefunded: context.takerPaymentRefunded && !refund,
    takerPaymentRefund: refund ? null : context.takerPaymentRefund,
  };
}

function fundsOf(context: TakerSwapContext): SwapFunds {
  const { started, negotiated, takerPaymentSpend, makerPaymentSpend } = context;
  const secretKnown = secretIsPublic(context);
  return {
    makerPayment: legFunds({
      coin: started?.maker_coin ?? null,
      amount: started?.maker_amount ?? null,
      owner: 'maker',
      lock: negotiated?.maker_payment_locktime ?? null,
      tx: context.makerPayment?.tx_hash ?? null,
      // Until it is validated and confirmed, it is only what the maker said.
      uncertain: context.makerPayment !== null && !context.makerPaymentValidated,
      spent:
        makerPaymentSpend === null
          ? null
          : {
              by: context.makerPaymentSpentBy === 'watcher' ? 'watcher' : 'taker',
              tx: makerPaymentSpend.tx_hash,
              doubtful: context.makerPaymentSpendDoubtful,
            },
      refunded: null,
      secretKnown,
    }),
    takerPayment: legFunds({
      coin: started?.taker_coin ?? null,
      amount: started?.taker_amount ?? null,
      owner: 'taker',
      lock: started?.taker_payment_lock ?? null,
      tx: context.takerPayment?.tx_hash ?? null,
      uncertain: context.takerPayment === null && context.takerPaymentUncertain,
      spent: secretKnown ? { by: 'maker', tx: takerPaymentSpend?.tx_hash ?? null } : null,
      refunded:
        context.takerPaymentRefunded && !secretKnown
          ? {
              by: context.takerPaymentRefundedBy === 'watcher' ? 'watcher' : 'taker',
              tx: context.takerPaymentRefund?.tx_hash ?? null,
            }
          : null,
      secretKnown: true,
    }),
  };
}

/** Facts of a taker's log that exclude each other: both take the same output, so at most one of them is final. */
export function takerSwapContradictions(context: TakerSwapContext): readonly string[] {
  if (!context.takerPaymentRefunded || !secretIsPublic(context)) return [];
  return ['The log says both that the maker spent the taker payment and that it was refunded; only one can be final.'];
}

const REFUND_PATH: ReadonlySet<string> = new Set([
  'takerPaymentDataNotSent',
  'takerPaymentUnconfirmed',
  'spendNotSeen',
  'waitingForRefund',
  'refunding',
  'refundFailed',
]);

const CLAIM_UNDER_WAY: ReadonlySet<string> = new Set(['claiming', 'confirmingClaim', 'claimedByWatcher']);

const FAILED_EARLY: ReadonlySet<string> = new Set([
  'startFailed',
  'negotiateFailed',
  'takerFeeSendFailed',
  'makerPaymentInvalid',
  'makerPaymentUnconfirmed',
  'takerPaymentFailed',
]);

function outcomeOf(state: string, context: TakerSwapContext): Outcome {
  const finished = state === 'finished';
  if (context.makerPaymentSpendConfirmed) return 'completed';
  if (secretIsPublic(context)) {
    // Older releases closed a swap without waiting for the claim's confirmations.
    const { makerPaymentSpend, makerPaymentSpendDoubtful, takerPaymentRefunded } = context;
    const claimed = makerPaymentSpend !== null && !makerPaymentSpendDoubtful && !takerPaymentRefunded;
    if (finished) return claimed ? 'completed' : 'funds-at-risk';
    return 'claim-pending';
  }
  if (context.takerPaymentRefunded) return 'refunded';
  if (context.takerPayment === null && context.takerPaymentUncertain) return 'funds-at-risk';
  if (context.takerPayment !== null) {
    if (finished) return 'funds-at-risk';
    return REFUND_PATH.has(state) ? 'refund-pending' : 'in-progress';
  }
  return finished || FAILED_EARLY.has(state) ? 'failed-before-payment' : 'in-progress';
}

type Telling = {
  readonly outcome: Outcome;
  readonly funds: SwapFunds;
  readonly journal: Readonly<JournalContext>;
};

function nextStep(state: string, context: TakerSwapContext, { outcome, funds, journal }: Telling): NextStep | null {
  if (outcome === 'funds-at-risk') return rescue(context, funds);
  // After a failed claim, the node that wrote the log goes on to a refund, so the claim does not happen automatically.
  if (outcome === 'claim-pending' && !CLAIM_UNDER_WAY.has(state)) return rescue(context, funds);
  const [want] = takerSwapSteps(state, context, journal).filter(({ effect }) => effect !== 'findTakerPaymentSpend');
  return engineStep(want, (effect) => describe(effect, funds));
}

/** What a person must do if the log ended with coins still locked or lost track of. */
function rescue(context: TakerSwapContext, funds: SwapFunds): NextStep {
  const makerLock = context.negotiated?.maker_payment_locktime ?? null;
  const takerLock = context.started?.taker_payment_lock ?? null;
  if (secretIsPublic(context)) {
    const secret =
      context.secret === null ? "the secret that the maker's spend of the taker payment shows" : 'the known secret';
    const again =
      context.makerPaymentSpend === null ? 'Spend' : 'Look whether your spend is on the chain; if not, spend';
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
      ? `Look on the chain whether the taker payment (${amountText(funds.takerPayment)}) was broadcast all the same. If so, look whether the maker has spent it: then claim the maker payment with the secret that this spend shows; else refund it${from}.`
      : `Look whether the maker has spent the taker payment (${amountText(funds.takerPayment)}): if so, take the secret from that spend and claim; else refund it${from}.`,
  };
}

function describe(effect: string, funds: SwapFunds): string {
  const maker = amountText(funds.makerPayment);
  const taker = amountText(funds.takerPayment);
  const sentences: Readonly<Record<string, string>> = {
    start: 'Run the checks before the start',
    negotiate: 'Negotiate with the maker',
    sendTakerFee: 'Send the taker fee',
    waitForMakerPayment: `Wait for the maker to pay ${maker}`,
    validateMakerPayment: `Validate the maker payment (${maker}) and wait for its confirmations`,
    sendTakerPayment: `Send the taker payment (${taker})`,
    waitForTakerPaymentSpend: `Wait for the maker to spend the taker payment (${taker}), which reveals the secret`,
    spendMakerPayment: `Spend the maker payment (${maker}) with the secret`,
    confirmMakerPaymentSpend: `Wait for the spend of the maker payment (${maker}) to be confirmed`,
    refundTakerPayment: `Refund the taker payment (${taker}) unless the maker spends it first`,
    finishRefund: 'Close the refund',
    findTakerPayment: `Look on the chain whether the taker payment (${taker}) was broadcast all the same`,
    finish: 'Close the swap',
    closeLost: 'Close the swap, whose coins are lost',
  };
  return sentences[effect] ?? effect;
}
