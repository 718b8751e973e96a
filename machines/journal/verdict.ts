import { onLeg } from '../../src/primitives/pair.ts';
import {
  amountText,
  type LegFunds,
  type NextStep,
  type Outcome,
  type Party,
  type SwapFunds,
  type SwapVerdict,
} from '../swap-verdict.ts';
import { everAttempted, type JournalContext, type Settlement } from './context.ts';

/** Whose swap it is, its state, and what its journal says. */
export type Judged = {
  readonly role: Party;
  readonly state: string;
  readonly journal: Readonly<JournalContext>;
  /** The log tells of a spend of the own payment, which went out then, whatever the journal holds. @defaultValue false */
  readonly isOut?: boolean;
};

/**
 * The verdict over a whole log, from the verdict of its public events. The journal knows more: whether a payment that
 * may have been sent ever was, what became impossible, which end became final, what a chain has undone, and what was
 * recovered. Without a journal, the verdict is that of the public events.
 */
export function judge(told: SwapVerdict, judged: Judged): SwapVerdict {
  if (!judged.journal.kept) return told;
  const ends = endsOf(told, judged);
  const outcome = outcomeOf(told, ends);
  const funds = fundsOf(told.funds, ends);
  const next = nextOf(told, { ends, funds, outcome });
  return outcome === told.outcome && funds === told.funds && next === told.next ? told : { outcome, funds, next };
}

/** What the journal adds to the public events about the end of a swap. */
type Ends = Judged & {
  readonly other: Party;
  readonly finished: boolean;
  readonly mine: Settlement | null;
  readonly theirs: Settlement | null;
  /** This side's claim is final: a success, whatever failed on the way. */
  readonly claimed: boolean;
  /** This side's refund is final, and nothing was claimed. */
  readonly refunded: boolean;
  /** This side's payment is nowhere: it was never handed out, or it can never confirm. */
  readonly unsent: boolean;
  /** The other side has both payments, and both ends are final. */
  readonly lost: boolean;
};

function endsOf({ outcome, funds }: SwapVerdict, { role, state, journal, isOut = false }: Judged): Ends {
  const other = role === 'maker' ? 'taker' : 'maker';
  const finished = state === 'finished';
  const mine = onLeg(journal.settled, role);
  const theirs = onLeg(journal.settled, other);
  const open = finished || outcome === 'funds-at-risk' || outcome === 'claim-pending';
  const claimed = theirs?.how === 'claimed' && outcome !== 'completed' && open;
  const refunded = !claimed && finished && mine?.how === 'refunded' && outcome === 'funds-at-risk';
  const voided = mine?.how === 'voided';
  // An impossible payment is nowhere, even if the log reports a claim: the claim is void with the payment.
  const { status } = funds[legOf(role)];
  const taken = finished && mine?.how === 'claimed';
  const doubtful = (status === 'uncertain' && !taken) || (voided && status === 'spent');
  // A log from elsewhere has no journal from before, so its silence says nothing.
  const isDenied = !isOut && journal.request !== null && !everAttempted(journal, 'payment');
  const unsent = doubtful && (voided || isDenied);
  const lost = theirs?.how === 'refunded' && mine?.how === 'claimed';
  return { role, state, journal, other, finished, mine, theirs, claimed, refunded, unsent, lost };
}

function outcomeOf({ outcome }: SwapVerdict, { journal, role, other, finished, mine, theirs, ...ends }: Ends): Outcome {
  if (journal.recovered !== null) return journal.recovered.action === 'RefundedMyPayment' ? 'refunded' : 'completed';
  if (ends.claimed) return 'completed';
  if (ends.refunded) return 'refunded';
  if (ends.lost) return 'lost';
  if (outcome !== 'funds-at-risk') return outcome;
  if (ends.unsent) return 'failed-before-payment';
  if (!finished) return outcome;
  if (onLeg(journal.reorged, other) !== null) return 'claim-pending';
  const isOpen = onLeg(journal.reorged, role) !== null || (theirs?.how === 'refunded' && mine === null);
  return isOpen ? 'refund-pending' : outcome;
}

function fundsOf(told: SwapFunds, ends: Ends): SwapFunds {
  const { role, other, mine, theirs } = ends;
  const own = withFinalId(ownLeg(told[legOf(role)], ends), mine);
  const others = withFinalId(otherLeg(told[legOf(other)], ends), theirs);
  if (own === told[legOf(role)] && others === told[legOf(other)]) return told;
  return role === 'maker' ? { makerPayment: own, takerPayment: others } : { makerPayment: others, takerPayment: own };
}

function ownLeg(told: LegFunds, { journal, role, other, finished, mine, refunded, unsent, lost }: Ends): LegFunds {
  const { recovered } = journal;
  if (recovered?.action === 'RefundedMyPayment') {
    return ended(told, { status: 'refunded', by: role, tx: recovered.tx?.tx_hash ?? null });
  }
  if (refunded) return ended(told, { status: 'refunded', by: role, tx: mine?.tx_hash ?? null });
  if ((finished || lost) && mine?.how === 'claimed') {
    return ended(told, { status: 'spent', by: other, tx: mine.tx_hash });
  }
  return unsent ? ended(told, { status: 'none', by: null, tx: null }) : told;
}

function otherLeg(told: LegFunds, { journal, role, other, finished, theirs, claimed, lost }: Ends): LegFunds {
  const { recovered } = journal;
  if (recovered !== null && recovered.action !== 'RefundedMyPayment') {
    return ended(told, { status: 'spent', by: role, tx: recovered.tx?.tx_hash ?? null });
  }
  if (claimed) return ended(told, { status: 'spent', by: role, tx: theirs?.tx_hash ?? null });
  if ((finished || lost) && theirs?.how === 'refunded') {
    return ended(told, { status: 'refunded', by: other, tx: theirs.tx_hash });
  }
  return told;
}

type End = Pick<LegFunds, 'status' | 'by' | 'tx'>;

function ended({ coin, amount }: LegFunds, { status, by, tx }: End): LegFunds {
  return { coin, amount, status, tx, by, claimable: [] };
}

/** The public event names the first claim or refund that was sent; the final one may have replaced it. */
function withFinalId(leg: LegFunds, end: Settlement | null): LegFunds {
  if (end === null || end.tx_hash === null || leg.tx === end.tx_hash) return leg;
  return leg.status === (end.how === 'claimed' ? 'spent' : 'refunded') ? { ...leg, tx: end.tx_hash } : leg;
}

const CLOSE: NextStep = { action: 'finish', who: 'engine', notBefore: null, until: null, text: 'Close the swap.' };

type Standing = { readonly ends: Ends; readonly funds: SwapFunds; readonly outcome: Outcome };

function nextOf(told: SwapVerdict, { ends, funds, outcome }: Standing): NextStep | null {
  const { journal, finished } = ends;
  if (journal.recovered !== null || ends.claimed || ends.refunded) return null;
  if (ends.lost && finished) return null;
  if (ends.unsent && told.outcome === 'funds-at-risk') return finished ? null : CLOSE;
  if (finished && outcome !== told.outcome) return repair(told.next, ends, funds);
  // What a finished log leaves to a person, a running engine does automatically.
  const acting = !finished || journal.recoverSince !== null;
  const { next } = told;
  return next === null || next.who === 'engine' || !acting ? next : { ...next, who: 'engine' };
}

/** What happens about an undone end, until there is a new one. */
function repair(told: NextStep | null, { journal, role, other }: Ends, funds: SwapFunds): NextStep {
  const claim = onLeg(journal.reorged, other) !== null;
  if (claim || onLeg(journal.reorged, role) !== null) {
    const what = claim ? `the claim of the ${other} payment` : `the end of the ${role} payment`;
    const text = `A reorganisation has undone ${what}. ${told?.text ?? ''}`.trimEnd();
    return { action: 'repair', notBefore: null, until: null, ...told, who: 'engine', text };
  }
  const own = amountText(funds[legOf(role)]);
  const action = role === 'maker' ? 'refundMakerPayment' : 'refundTakerPayment';
  const text = `The ${other} has taken its payment back: refund the ${role} payment (${own}) unless the ${other} has taken it.`;
  return { action, who: 'engine', notBefore: null, until: null, text };
}

function legOf(party: Party): keyof SwapFunds {
  return party === 'maker' ? 'makerPayment' : 'takerPayment';
}

/** What of the ends in a finished log does not hold. */
export type UndoneEnds = {
  /** The own claim: a chain has undone it, or the payment went back. */
  readonly claim: boolean;
  /** The own refund: a chain has undone it, or the other side has the payment. */
  readonly refund: boolean;
  /** That the other side has the own payment: its own is back, and no spend of this one is final, so that a refund may win yet. */
  readonly taken: boolean;
};

/** Which of the ends in a finished log do not hold: a chain has undone them, or they ended differently, or nothing about them is final. */
export function undoneEnds({ role, state, journal }: Judged): UndoneEnds {
  if (state !== 'finished') return NOTHING_UNDONE;
  const { reorged, settled } = journal;
  const other = role === 'maker' ? 'taker' : 'maker';
  const claim = onLeg(reorged, other) !== null || onLeg(settled, other)?.how === 'refunded';
  const refund = onLeg(reorged, role) !== null || onLeg(settled, role)?.how === 'claimed';
  const taken = onLeg(settled, other)?.how === 'refunded' && onLeg(settled, role) === null;
  return claim || refund ? { claim, refund, taken } : NOTHING_UNDONE;
}

const NOTHING_UNDONE: UndoneEnds = { claim: false, refund: false, taken: false };
