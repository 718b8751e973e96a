import type { Want } from '../definition.ts';
import { type JournalContext, NO_JOURNAL } from '../journal/context.ts';
import { type Asked, guarded, keptEffects, possibleEffects } from '../journal/wants.ts';
import type { MakerSwapEffect } from '../swap-effects.ts';
import type { MakerSwapContext } from './context.ts';
import { makerWant } from './deadlines.ts';

/**
 * What a maker's swap wants done in a state, each with its limits. Level-triggered: the answer depends on where the swap stands, never on
 * how it got there, so live run and restart cannot disagree.
 *
 * Money rules: once the maker has broadcast its spend of the taker payment, the secret is public and it wants only that
 * claim until it is confirmed, and never a refund at the same time. Before that, it refunds its own payment as soon as
 * that is valid, and claims a taker payment that was found valid as long as that can succeed. The claim comes before
 * the refund; a refund next to a waiting claim needs a look that rules the claim out.
 */
export function makerSwapWants(
  state: string,
  context: MakerSwapContext,
  journal: Readonly<JournalContext> = NO_JOURNAL,
): readonly Want<MakerSwapEffect>[] {
  return makerEffects(state, context, journal).map((effect) => makerWant(effect, state, context));
}

function makerEffects(
  state: string,
  context: MakerSwapContext,
  journal: Readonly<JournalContext>,
): readonly MakerSwapEffect[] {
  return state === 'finished' ? guarded(journal) : keptEffects(askedOf(state, context), journal);
}

/** What is left to do in a state, whether or not it happens now; nothing once the swap is finished. */
export function makerSwapSteps(
  state: string,
  context: MakerSwapContext,
  journal: Readonly<JournalContext>,
): readonly Want<MakerSwapEffect>[] {
  if (state === 'finished') return [];
  const steps = possibleEffects(askedOf(state, context), journal);
  return steps.map((effect) => makerWant(effect, state, context));
}

function askedOf(state: string, context: MakerSwapContext): Asked<MakerSwapEffect> {
  return {
    role: 'maker',
    effects: effectsOf(state, context),
    secretIsPublic: context.takerPaymentSpend !== null,
    refunded: context.makerPaymentRefunded,
    refund: 'refundMakerPayment',
    close: state === 'refunded' ? 'finishRefund' : 'finish',
  };
}

/** What the state of an unfinished swap asks for, by its public events only. */
function effectsOf(state: string, context: MakerSwapContext): readonly MakerSwapEffect[] {
  if (context.takerPaymentSpend !== null && !context.takerPaymentSpendConfirmed) {
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
      if (context.makerPaymentUncertain) return ['findMakerPayment'];
      return context.makerPayment === null ? ['finish'] : refund(context);
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
      return context.takerPaymentValidated ? ['spendTakerPayment', ...refund(context)] : refund(context);
    case 'refunded':
      return ['finishRefund'];
    default:
      return ['finish'];
  }
}

/** Without the terms, the start is unknown. */
function refund({ started }: MakerSwapContext): readonly MakerSwapEffect[] {
  return started === null ? ['findMakerPaymentSpend'] : ['findMakerPaymentSpend', 'refundMakerPayment'];
}
