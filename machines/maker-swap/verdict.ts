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
import type { MakerSwapContext } from './context.ts';
import { makerSwapSteps } from './wants.ts';

/** The status of a maker's swap: outcome, where both payments are, and what comes next. */
export function makerSwapVerdict(
  state: string,
  given: MakerSwapContext,
  journal: Readonly<JournalContext> = NO_JOURNAL,
): SwapVerdict {
  const judged = { role: 'maker', state, journal } as const;
  const context = standing(given, undoneEnds(judged));
  const funds = fundsOf(context);
  const outcome = outcomeOf(state, context);
  return judge({ outcome, funds, next: nextStep(state, context, { outcome, funds, journal }) }, judged);
}

/** What the log says about its end, without what does not hold. */
function standing(context: MakerSwapContext, undone: ReturnType<typeof undoneEnds>): MakerSwapContext {
  const { claim, refund } = undone;
  if (!claim && !refund) return context;
  const { takerPaymentSpend, takerPaymentSpendConfirmed, takerPaymentSpendDoubtful } = context;
  return {
    ...context,
    takerPaymentSpendConfirmed: takerPaymentSpendConfirmed && !claim,
    takerPaymentSpendDoubtful: claim ? takerPaymentSpend !== null : takerPaymentSpendDoubtful,
    makerPaymentRefunded: context.makerPaymentRefunded && !refund,
    makerPaymentRefund: refund ? null : context.makerPaymentRefund,
  };
}

const spendFailed = ({ failures }: MakerSwapContext) =>
  failures.some(({ event }) => event === 'TakerPaymentSpendFailed');

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

function fundsOf(context: MakerSwapContext): SwapFunds {
  const { started, negotiated, takerPaymentSpend } = context;
  return {
    makerPayment: legFunds({
      coin: started?.maker_coin ?? null,
      amount: started?.maker_amount ?? null,
      owner: 'maker',
      lock: started?.maker_payment_lock ?? null,
      tx: context.makerPayment?.tx_hash ?? null,
      uncertain: context.makerPayment === null && context.makerPaymentUncertain,
      spent: null,
      refunded: context.makerPaymentRefunded ? { by: 'maker', tx: context.makerPaymentRefund?.tx_hash ?? null } : null,
      // The maker's own spend shows the secret to everyone, including the taker, even if it was reported as failed.
      secretKnown: takerPaymentSpend !== null || spendFailed(context),
    }),
    takerPayment: legFunds({
      coin: started?.taker_coin ?? null,
      amount: started?.taker_amount ?? null,
      owner: 'taker',
      lock: negotiated?.taker_payment_locktime ?? null,
      tx: context.takerPayment?.tx_hash ?? null,
      // Until it is validated and confirmed, it is only what the taker said.
      uncertain: context.takerPayment !== null && !context.takerPaymentValidated,
      spent:
        takerPaymentSpend === null
          ? null
          : {
              by: 'maker',
              tx: takerPaymentSpend.tx_hash,
              doubtful: context.takerPaymentSpendDoubtful,
            },
      refunded: null,
      secretKnown: true,
    }),
  };
}

const CLAIM_UNDER_WAY: ReadonlySet<string> = new Set(['claiming', 'claimSent', 'confirmingClaim']);

const CLAIMING: ReadonlySet<string> = new Set([
  'claiming',
  'claimSent',
  'confirmingClaim',
  'claimFailed',
  'claimUnconfirmed',
]);

const REFUND_PATH: ReadonlySet<string> = new Set([
  'makerPaymentDataNotSent',
  'makerPaymentUnconfirmed',
  'takerPaymentInvalid',
  'takerPaymentUnconfirmed',
  'waitingForRefund',
  'refunding',
  'refundFailed',
]);

const FAILED_EARLY: ReadonlySet<string> = new Set([
  'startFailed',
  'negotiateFailed',
  'takerFeeInvalid',
  'makerPaymentFailed',
]);

function outcomeOf(state: string, context: MakerSwapContext): Outcome {
  const finished = state === 'finished';
  if (context.takerPaymentSpendConfirmed) return 'completed';
  const claimed = context.takerPaymentSpend !== null && !context.takerPaymentSpendDoubtful;
  if (claimed && finished && !context.makerPaymentRefunded) return 'completed';
  if (context.makerPaymentRefunded) return 'refunded';
  if (context.takerPaymentSpend !== null) return finished ? 'funds-at-risk' : 'claim-pending';
  if (context.makerPayment === null && context.makerPaymentUncertain) return 'funds-at-risk';
  if (context.makerPayment !== null) {
    if (finished || state === 'makerPaymentFailed') return 'funds-at-risk';
    if (CLAIMING.has(state)) return 'claim-pending';
    return REFUND_PATH.has(state) ? 'refund-pending' : 'in-progress';
  }
  return finished || FAILED_EARLY.has(state) ? 'failed-before-payment' : 'in-progress';
}

type Telling = {
  readonly outcome: Outcome;
  readonly funds: SwapFunds;
  readonly journal: Readonly<JournalContext>;
};

function nextStep(state: string, context: MakerSwapContext, { outcome, funds, journal }: Telling): NextStep | null {
  if (outcome === 'funds-at-risk') return rescue(context, funds);
  // After a failed claim, the node that wrote the log goes on to its refund, so the claim does not happen
  // automatically.
  if (outcome === 'claim-pending' && !CLAIM_UNDER_WAY.has(state)) return rescue(context, funds);
  const wants = makerSwapSteps(state, context, journal).filter(({ effect }) => effect !== 'findMakerPaymentSpend');
  const want = outcome === 'refund-pending' ? wants.at(-1) : wants[0];
  return engineStep(want, (effect) => describe(effect, funds));
}

/** What a person must do if the log ended with coins still locked or lost track of. */
function rescue(context: MakerSwapContext, funds: SwapFunds): NextStep {
  const lock = context.started?.maker_payment_lock ?? null;
  const takerLock = context.negotiated?.taker_payment_locktime ?? null;
  const from = lock === null ? '' : ` from ${formatUtc(lock)} on, by the chain's own time`;
  const maker = amountText(funds.makerPayment);
  const taker = amountText(funds.takerPayment);
  if (funds.makerPayment.status === 'uncertain') {
    return {
      action: 'findMakerPayment',
      who: 'operator',
      notBefore: null,
      until: null,
      text: `Look on the chain whether the maker payment (${maker}) was broadcast all the same; if so, refund it${from}.`,
    };
  }
  if (context.takerPaymentSpend !== null) {
    return {
      action: 'spendTakerPayment',
      who: 'operator',
      notBefore: null,
      until: takerLock,
      text: `Look whether the spend of the taker payment (${taker}) is on the chain; if not, send it again at once.${raceText(takerLock, 'taker')} Refund the maker payment (${maker}) only when the taker has refunded its own.`,
    };
  }
  if (context.takerPaymentValidated) {
    const before = takerLock === null ? 'at once' : `before ${formatUtc(takerLock)}`;
    return {
      action: 'spendTakerPayment',
      who: 'operator',
      notBefore: null,
      until: takerLock,
      text: `Look whether the taker payment (${taker}) is spent: a spend that was reported as failed may be on the chain. If it is unspent, spend it with the secret ${before}: from then on the taker can refund it, and a spend that loses that race shows the secret, so that the maker payment can be lost as well. If it is gone, refund the maker payment (${maker})${from}, unless the taker has spent it.`,
    };
  }
  return {
    action: 'refundMakerPayment',
    who: 'operator',
    notBefore: lock,
    until: null,
    text: `Look whether the taker has spent the maker payment (${maker}); if not, refund it${from}.`,
  };
}

function describe(effect: string, funds: SwapFunds): string {
  const maker = amountText(funds.makerPayment);
  const taker = amountText(funds.takerPayment);
  const sentences: Readonly<Record<string, string>> = {
    start: 'Run the checks before the start',
    negotiate: 'Negotiate with the taker',
    waitForTakerFee: 'Wait for the taker fee and validate it',
    sendMakerPayment: `Send the maker payment (${maker})`,
    waitForTakerPayment: `Wait for the taker to pay ${taker}`,
    validateTakerPayment: `Validate the taker payment (${taker}) and wait for its confirmations`,
    spendTakerPayment: `Spend the taker payment (${taker}) with the secret`,
    confirmTakerPaymentSpend: `Wait for the spend of the taker payment (${taker}) to be confirmed`,
    refundMakerPayment: `Refund the maker payment (${maker}) unless the taker spends it first`,
    finishRefund: 'Close the refund',
    findMakerPayment: `Look on the chain whether the maker payment (${maker}) was broadcast all the same`,
    finish: 'Close the swap',
    closeLost: 'Close the swap, whose coins are lost',
  };
  return sentences[effect] ?? effect;
}
