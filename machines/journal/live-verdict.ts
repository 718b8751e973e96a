import type { MachineEvent } from '../definition.ts';
import {
  amountText,
  type LegFunds,
  type NextStep,
  type Party,
  type SwapDefinition,
  type SwapFunds,
  type SwapVerdict,
} from '../swap-verdict.ts';
import { everAttempted, type JournalContext } from './context.ts';

export type LiveFacts = { readonly role: Party; readonly state: string; readonly journal: JournalContext };

/** {@link liveVerdict} of a log, with what a chain has undone since its end taken out of what the log says. */
export function judgeLive<C, E extends MachineEvent>(
  definition: SwapDefinition<C, E>,
  { state, context, journal }: Omit<LiveFacts, 'role'> & { readonly context: C },
): SwapVerdict {
  const { role } = definition;
  const stands = state === 'finished' ? { ...context, ...undone(role, context, journal) } : context;
  return liveVerdict(definition.verdict(state, stands), { role, state, journal });
}

/** What a log says of its end, taken back where the journal has it undone, or ended otherwise. */
function undone(role: Party, context: unknown, { reorged, settled }: JournalContext): object {
  const other = otherOf(role);
  const claimUndone = reorged[other] !== null || settled[other]?.how === 'refunded';
  const refundUndone = reorged[role] !== null || settled[role]?.how === 'claimed';
  if (!claimUndone && !refundUndone) return {};
  const claim = (context as Readonly<Record<string, unknown>>)[`${other}PaymentSpend`];
  return {
    ...(claimUndone
      ? { [`${other}PaymentSpendConfirmed`]: false, [`${other}PaymentSpendDoubtful`]: claim !== null }
      : {}),
    ...(refundUndone ? { [`${role}PaymentRefunded`]: false, [`${role}PaymentRefund`]: null } : {}),
  };
}

/**
 * The verdict over a swap that this engine drives. The machine judges by the public events alone; the journal knows more:
 * whether a payment that may have been sent ever was, what was made impossible, and what was recovered after the end.
 */
export function liveVerdict(verdict: SwapVerdict, facts: LiveFacts): SwapVerdict {
  const { journal, state } = facts;
  const judged = finalIds(reopened(recovered(withoutDoubt(settled(verdict, facts), facts), facts), facts), facts);
  const { next } = judged;
  // What a finished log leaves to a person, a running engine does by itself.
  const acting = state !== 'finished' || journal.recoverSince !== null;
  if (next === null || next.who === 'engine' || !acting) return judged;
  return { ...judged, next: { ...next, who: 'engine' } };
}

const CLOSE: NextStep = { action: 'finish', who: 'engine', notBefore: null, until: null, text: 'Close the swap.' };

function otherOf(role: Party): Party {
  return role === 'maker' ? 'taker' : 'maker';
}

function ownLeg(role: Party): keyof SwapFunds {
  return role === 'maker' ? 'makerPayment' : 'takerPayment';
}

function otherLeg(role: Party): keyof SwapFunds {
  return role === 'maker' ? 'takerPayment' : 'makerPayment';
}

/** Takes a payment out of doubt that nobody can hold: it was never handed out, or it can never confirm any more. */
function withoutDoubt(verdict: SwapVerdict, { role, state, journal }: LiveFacts): SwapVerdict {
  const leg = ownLeg(role);
  const voided = journal.settled[role]?.how === 'voided';
  const { status } = verdict.funds[leg];
  // What was made impossible nobody has, also where the log tells of a claim: that went with the payment.
  if (status !== 'uncertain' && !(voided && status === 'spent')) return verdict;
  // A log from elsewhere has no journal from before, so its silence says nothing.
  const kept = journal.request !== null && !everAttempted(journal, 'payment');
  if (!voided && !kept) return verdict;
  const { coin, amount } = verdict.funds[leg];
  const none: LegFunds = { coin, amount, status: 'none', tx: null, by: null, claimable: [] };
  const funds = { ...verdict.funds, [leg]: none };
  if (verdict.outcome !== 'funds-at-risk') return { ...verdict, funds };
  return { outcome: 'failed-before-payment', funds, next: state === 'finished' ? null : CLOSE };
}

/** A claim that is final is a success, whatever failed on the way; so is a refund, where nothing was claimed. */
function settled(given: SwapVerdict, { role, state, journal }: LiveFacts): SwapVerdict {
  const other = otherOf(role);
  const theirs = journal.settled[other];
  const mine = journal.settled[role];
  const finished = state === 'finished';
  const verdict = finished ? takenByOther(given, { role, journal }) : given;
  const open = verdict.outcome === 'funds-at-risk' || verdict.outcome === 'claim-pending';
  if (theirs?.how === 'claimed' && verdict.outcome !== 'completed' && (open || finished)) {
    return moved(verdict, { leg: otherLeg(role), status: 'spent', by: role, tx: theirs.tx_hash });
  }
  if (!finished || mine?.how !== 'refunded' || verdict.outcome !== 'funds-at-risk') return verdict;
  return moved(verdict, { leg: ownLeg(role), status: 'refunded', by: role, tx: mine.tx_hash });
}

/** What the other side did after the end: it took its own payment back, or took this side's. */
function takenByOther(verdict: SwapVerdict, { role, journal }: Pick<LiveFacts, 'role' | 'journal'>): SwapVerdict {
  const by = otherOf(role);
  const theirs = journal.settled[by];
  const mine = journal.settled[role];
  let { funds } = verdict;
  if (theirs?.how === 'refunded')
    funds = gone(funds, { leg: otherLeg(role), status: 'refunded', by, tx: theirs.tx_hash });
  if (mine?.how === 'claimed') funds = gone(funds, { leg: ownLeg(role), status: 'spent', by, tx: mine.tx_hash });
  return funds === verdict.funds ? verdict : { ...verdict, funds };
}

/** What is done about an end that was undone, until there is one again. */
function reopened(verdict: SwapVerdict, { role, state, journal }: LiveFacts): SwapVerdict {
  if (state !== 'finished' || verdict.outcome !== 'funds-at-risk') return verdict;
  const other = otherOf(role);
  const { reorged } = journal;
  const { next } = verdict;
  if (reorged[other] !== null || reorged[role] !== null) {
    const claim = reorged[other] !== null;
    const what = claim ? `the claim of the ${other} payment` : `the end of the ${role} payment`;
    const text = `A reorganisation has undone ${what}. ${next?.text ?? ''}`.trimEnd();
    const step: NextStep = { action: 'repair', notBefore: null, until: null, ...next, who: 'engine', text };
    return { ...verdict, outcome: claim ? 'claim-pending' : 'refund-pending', next: step };
  }
  if (journal.settled[other]?.how !== 'refunded' || journal.settled[role] !== null) return verdict;
  const own = amountText(verdict.funds[ownLeg(role)]);
  const action = role === 'maker' ? 'refundMakerPayment' : 'refundTakerPayment';
  const text = `The ${other} has taken its payment back: refund the ${role} payment (${own}) unless the ${other} has taken it.`;
  return { ...verdict, outcome: 'refund-pending', next: { action, who: 'engine', notBefore: null, until: null, text } };
}

/** The public event names the first claim or refund that was sent; what became final may be one that took its place. */
function finalIds(verdict: SwapVerdict, { journal }: Pick<LiveFacts, 'journal'>): SwapVerdict {
  let { funds } = verdict;
  for (const party of ['maker', 'taker'] as const) {
    const leg = ownLeg(party);
    const end = journal.settled[party];
    const told = funds[leg];
    const status = end?.how === 'claimed' ? 'spent' : 'refunded';
    if (end === null || end.tx_hash === null || told.status !== status || told.tx === end.tx_hash) continue;
    funds = { ...funds, [leg]: { ...told, tx: end.tx_hash } };
  }
  return funds === verdict.funds ? verdict : { ...verdict, funds };
}

/** What was recovered after the end. */
function recovered(verdict: SwapVerdict, { role, journal }: LiveFacts): SwapVerdict {
  const { recovered: end } = journal;
  if (end === null) return verdict;
  const tx = end.tx?.tx_hash ?? null;
  if (end.action === 'RefundedMyPayment') {
    return moved(verdict, { leg: ownLeg(role), status: 'refunded', by: role, tx });
  }
  return moved(verdict, { leg: otherLeg(role), status: 'spent', by: role, tx });
}

type Move = {
  readonly leg: keyof SwapFunds;
  readonly status: 'spent' | 'refunded';
  readonly by: Party;
  readonly tx: string | null;
};

function moved({ funds }: SwapVerdict, move: Move): SwapVerdict {
  return { outcome: move.status === 'spent' ? 'completed' : 'refunded', funds: gone(funds, move), next: null };
}

function gone(funds: SwapFunds, { leg, status, by, tx }: Move): SwapFunds {
  const { coin, amount } = funds[leg];
  return { ...funds, [leg]: { coin, amount, status, tx, by, claimable: [] } };
}
