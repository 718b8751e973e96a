import type { Want } from '../definition.ts';
import { type JournalContext, NO_JOURNAL } from '../journal/context.ts';
import { type Asked, guarded, keptEffects, possibleEffects } from '../journal/wants.ts';
import type { TakerSwapEffect } from '../swap-effects.ts';
import { secretIsPublic, type TakerSwapContext } from './context.ts';
import { takerWant } from './deadlines.ts';

type TakerWants = readonly Want<TakerSwapEffect>[];

/**
 * What a taker's swap wants done in a state, each with its limits. Level-triggered: the answer depends on where the swap stands, never on
 * how it got there, so live run and restart cannot disagree.
 *
 * Money rules: once the secret is public, the taker wants only the claim until it is confirmed, whatever else the log
 * says. Without the secret, it wants a refund as soon as that is valid, together with a look for the maker's spend.
 */
export function takerSwapWants(
  state: string,
  context: TakerSwapContext,
  journal: Readonly<JournalContext> = NO_JOURNAL,
): TakerWants {
  return takerEffects(state, context, journal).map((effect) => takerWant(effect, context, journal));
}

function takerEffects(
  state: string,
  context: TakerSwapContext,
  journal: Readonly<JournalContext>,
): readonly TakerSwapEffect[] {
  return state === 'finished' ? guarded(journal) : keptEffects(askedOf(state, context), journal);
}

/** What is left to do in a state, whether or not it happens now; nothing once the swap is finished. */
export function takerSwapSteps(
  state: string,
  context: TakerSwapContext,
  journal: Readonly<JournalContext>,
): readonly Want<TakerSwapEffect>[] {
  if (state === 'finished') return [];
  const steps = possibleEffects(askedOf(state, context), journal);
  return steps.map((effect) => takerWant(effect, context, journal));
}

function askedOf(state: string, context: TakerSwapContext): Asked<TakerSwapEffect> {
  return {
    role: 'taker',
    effects: effectsOf(state, context),
    secretIsPublic: secretIsPublic(context),
    refunded: context.takerPaymentRefunded,
    refund: 'refundTakerPayment',
    close: state === 'refunded' ? 'finishRefund' : 'finish',
  };
}

/** What the state of an unfinished swap asks for, by its public events only. */
function effectsOf(state: string, context: TakerSwapContext): readonly TakerSwapEffect[] {
  if (secretIsPublic(context) && !context.makerPaymentSpendConfirmed) return claim(state, context);
  switch (state) {
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
      return context.takerPaymentUncertain ? ['findTakerPayment'] : ['finish'];
    case 'waitingForSpend':
    case 'waitingForSpendWatched':
      return ['waitForTakerPaymentSpend'];
    case 'takerPaymentDataNotSent':
    case 'takerPaymentUnconfirmed':
    case 'spendNotSeen':
    case 'waitingForRefund':
    case 'refunding':
    case 'refundFailed':
      return refund(context);
    case 'refunded':
      return ['finishRefund'];
    default:
      return ['finish'];
  }
}

function claim(state: string, { started, secret }: TakerSwapContext): readonly TakerSwapEffect[] {
  if (started !== null && (state === 'confirmingClaim' || state === 'claimedByWatcher')) {
    return ['confirmMakerPaymentSpend'];
  }
  return secret === null ? ['findTakerPaymentSpend', 'spendMakerPayment'] : ['spendMakerPayment'];
}

/** Without the terms, the start is unknown. */
function refund({ started }: TakerSwapContext): readonly TakerSwapEffect[] {
  return started === null ? ['findTakerPaymentSpend'] : ['findTakerPaymentSpend', 'refundTakerPayment'];
}
