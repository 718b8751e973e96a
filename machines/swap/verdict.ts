import type { JournalContext } from '../journal/context.ts';
import { judge, type UndoneEnds, undoneEnds } from '../journal/verdict.ts';
import type { SwapEffect } from '../swap-effects.ts';
import {
  engineStep,
  type LegFunds,
  legFunds,
  type NextStep,
  type Outcome,
  type SwapFunds,
  type SwapVerdict,
} from '../swap-verdict.ts';
import { nextText } from './next-text.ts';
import type { SwapSide } from './side.ts';
import { type Asking, sideSteps } from './wants.ts';

/** Where the states of a side stand. */
export type Standings = {
  /** A claim is left to do: an unfinished swap in such a state is `claim-pending` as soon as the own payment is out. */
  readonly claiming: ReadonlySet<string>;
  /** The engine makes the claim by itself; after a failed one, the node that wrote the log goes on to a refund. */
  readonly claimUnderWay: ReadonlySet<string>;
  readonly refunding: ReadonlySet<string>;
  /** The swap goes no further; if the own payment is out all the same, someone must act. */
  readonly givenUp: ReadonlySet<string>;
  readonly failedEarly: ReadonlySet<string>;
};

/** What tells the sides apart. */
export type Judging<E extends SwapEffect> = {
  readonly standings: Standings;
  readonly asking: Asking<E>;
  /** What a person must do if the log ended with coins still locked or lost track of. */
  readonly rescue: (side: SwapSide, funds: SwapFunds) => NextStep;
};

/** The status of a swap: outcome, where both payments are, and what comes next. */
export function sideVerdict<E extends SwapEffect>(
  judging: Judging<E>,
  given: SwapSide,
  journal: Readonly<JournalContext>,
): SwapVerdict {
  const judged = { role: given.role, state: given.state, journal, isOut: given.ownTaken !== null } as const;
  const side = standing(given, undoneEnds(judged));
  const funds = fundsOf(side);
  const outcome = outcomeOf(side, judging.standings);
  return judge({ outcome, funds, next: nextStep(judging, { side, funds, outcome, journal }) }, judged);
}

/** What the log says about its end, without what does not hold. */
function standing(side: SwapSide, { claim, refund, taken }: UndoneEnds): SwapSide {
  if (!claim && !refund) return side;
  return {
    ...side,
    claimConfirmed: side.claimConfirmed && !claim,
    claimDoubtful: claim ? side.claim !== null : side.claimDoubtful,
    refunded: side.refunded && !refund,
    refund: refund ? null : side.refund,
    ownTaken: side.ownTaken === null ? null : { ...side.ownTaken, doubtful: taken },
  };
}

function fundsOf(side: SwapSide): SwapFunds {
  const own = ownFunds(side);
  const other = otherFunds(side);
  return side.role === 'maker'
    ? { makerPayment: own, takerPayment: other }
    : { makerPayment: other, takerPayment: own };
}

function ownFunds(side: SwapSide): LegFunds {
  const { refunded, refundContradicted, ownTaken } = side;
  return legFunds({
    coin: side.ownCoin,
    amount: side.ownAmount,
    owner: side.role,
    lock: side.ownLock,
    tx: side.ownPayment?.tx_hash ?? null,
    uncertain: side.ownPayment === null && side.ownUncertain,
    spent: ownTaken === null ? null : { by: side.other, tx: ownTaken.tx, doubtful: ownTaken.doubtful },
    refunded: refunded && !refundContradicted ? { by: side.refundedBy, tx: side.refund?.tx_hash ?? null } : null,
    secretKnown: side.otherKnowsSecret,
  });
}

function otherFunds(side: SwapSide): LegFunds {
  const { claim } = side;
  return legFunds({
    coin: side.otherCoin,
    amount: side.otherAmount,
    owner: side.other,
    lock: side.otherLock,
    tx: side.otherPayment?.tx_hash ?? null,
    // Until it is validated and confirmed, it is only what the other side said.
    uncertain: side.otherPayment !== null && !side.otherValidated,
    spent: claim === null ? null : { by: side.claimedBy, tx: claim.tx_hash, doubtful: side.claimDoubtful },
    refunded: null,
    secretKnown: side.knowsSecret,
  });
}

function outcomeOf(side: SwapSide, standings: Standings): Outcome {
  const { state, claim, refunded, ownPayment } = side;
  const finished = state === 'finished';
  if (side.claimConfirmed) return 'completed';
  // Older releases closed a swap without waiting for the claim's confirmations.
  if (claim !== null && !side.claimDoubtful && finished && !refunded) return 'completed';
  if (refunded && !side.refundContradicted) return 'refunded';
  if (side.secretIsPublic) return finished ? 'funds-at-risk' : 'claim-pending';
  if (ownPayment === null && side.ownUncertain) return 'funds-at-risk';
  if (ownPayment !== null) {
    if (finished || standings.givenUp.has(state)) return 'funds-at-risk';
    if (standings.claiming.has(state)) return 'claim-pending';
    return standings.refunding.has(state) ? 'refund-pending' : 'in-progress';
  }
  return finished || standings.failedEarly.has(state) ? 'failed-before-payment' : 'in-progress';
}

type Judged = {
  readonly side: SwapSide;
  readonly funds: SwapFunds;
  readonly outcome: Outcome;
  readonly journal: Readonly<JournalContext>;
};

function nextStep<E extends SwapEffect>(
  { standings, asking, rescue }: Judging<E>,
  { side, funds, outcome, journal }: Judged,
): NextStep | null {
  // The looks that an effect makes beside it are no steps of their own.
  const wants = sideSteps(asking, { side, journal }).filter(({ effect }) => !LOOKS.has(effect));
  const isGone = wants[0]?.effect === 'closeLost';
  if (outcome === 'funds-at-risk' && !isGone) return rescue(side, funds);
  // After a failed claim, the claim does not happen automatically.
  if (outcome === 'claim-pending' && !isGone && !standings.claimUnderWay.has(side.state)) return rescue(side, funds);
  // A claim next to a refund is only made as long as nothing rules it out.
  const want = outcome === 'refund-pending' ? wants.at(-1) : wants[0];
  return engineStep(want, (effect) => nextText(effect as SwapEffect, funds, side.role));
}

const LOOKS: ReadonlySet<SwapEffect> = new Set<SwapEffect>(['findMakerPaymentSpend', 'findTakerPaymentSpend']);
