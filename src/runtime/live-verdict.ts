import { everAttempted, type JournalContext } from '../../machines/journal/context.ts';
import type { LegFunds, NextStep, Party, SwapFunds, SwapVerdict } from '../../machines/swap-verdict.ts';

export type LiveFacts = { readonly role: Party; readonly state: string; readonly journal: JournalContext };

/**
 * The verdict over a swap that this engine drives. The machine judges by the public events alone; the journal knows more:
 * whether a payment that may have been sent ever was, what was made impossible, and what was recovered after the end.
 */
export function liveVerdict(verdict: SwapVerdict, facts: LiveFacts): SwapVerdict {
  const { journal, state } = facts;
  const judged = recovered(withoutDoubt(settled(verdict, facts), facts), facts);
  const { next } = judged;
  // What a finished log leaves to a person, a running engine does by itself.
  const acting = state !== 'finished' || journal.recoverSince !== null;
  if (next === null || next.who === 'engine' || !acting) return judged;
  return { ...judged, next: { ...next, who: 'engine' } };
}

const CLOSE: NextStep = { action: 'finish', who: 'engine', notBefore: null, until: null, text: 'Close the swap.' };

function ownLeg(role: Party): keyof SwapFunds {
  return role === 'maker' ? 'makerPayment' : 'takerPayment';
}

function otherLeg(role: Party): keyof SwapFunds {
  return role === 'maker' ? 'takerPayment' : 'makerPayment';
}

/** Takes a payment out of doubt that nobody can hold: it was never handed out, or it can never confirm any more. */
function withoutDoubt(verdict: SwapVerdict, { role, state, journal }: LiveFacts): SwapVerdict {
  const leg = ownLeg(role);
  if (verdict.funds[leg].status !== 'uncertain') return verdict;
  const voided = journal.settled[role]?.how === 'voided';
  // A log from elsewhere has no journal from before, so its silence says nothing.
  const kept = journal.request !== null && !everAttempted(journal, 'payment');
  if (!voided && !kept) return verdict;
  const { coin, amount } = verdict.funds[leg];
  const none: LegFunds = { coin, amount, status: 'none', tx: null, by: null, claimable: [] };
  const funds = { ...verdict.funds, [leg]: none };
  if (verdict.outcome !== 'funds-at-risk') return { ...verdict, funds };
  return { outcome: 'failed-before-payment', funds, next: state === 'finished' ? null : CLOSE };
}

/** A claim that is final is a success, whatever failed on the way. */
function settled(verdict: SwapVerdict, { role, journal }: LiveFacts): SwapVerdict {
  if (verdict.outcome !== 'funds-at-risk' && verdict.outcome !== 'claim-pending') return verdict;
  const end = journal.settled[role === 'maker' ? 'taker' : 'maker'];
  if (end === null || end.how !== 'claimed') return verdict;
  return moved(verdict, { leg: otherLeg(role), status: 'spent', by: role, tx: end.tx_hash });
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

function moved({ funds }: SwapVerdict, { leg, status, by, tx }: Move): SwapVerdict {
  const { coin, amount } = funds[leg];
  return {
    outcome: status === 'spent' ? 'completed' : 'refunded',
    funds: { ...funds, [leg]: { coin, amount, status, tx, by, claimable: [] } },
    next: null,
  };
}
