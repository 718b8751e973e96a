import { outpointFault, spendsOf } from '../audit/spends.ts';
import type { ExplainFacts, Leg } from './facts.ts';

/** A transaction that an event calls the claim or the refund of a payment, and that takes another output or none of a payment. */
export type ForeignSpend = {
  /** Position of the event. */
  readonly seq: number;
  readonly kind: 'claim' | 'refund';
  /** Id of the transaction, as its event stores it. */
  readonly hash: string;
};

/**
 * The transaction that is said to have taken a payment and cannot have, since its bytes spend something else; null where there is none, or where bytes
 * do not tell. The last event of a payment counts, as it does for how the payment stands.
 */
export function foreignSpend(
  { owner, status }: Pick<Leg, 'owner' | 'status'>,
  { view }: Pick<ExplainFacts, 'view'>,
): ForeignSpend | null {
  if (status !== 'spent' && status !== 'refunded') return null;
  const wanted = status === 'spent' ? 'claim' : 'refund';
  const last = view.transactions.findLast(({ use }) => use.kind === wanted && use.payer === owner);
  if (last === undefined) return null;
  for (const spend of spendsOf(view)) {
    if ('missing' in spend || spend.seq !== last.seq || outpointFault(spend) === undefined) continue;
    return { seq: last.seq, kind: wanted, hash: last.hash };
  }
  return null;
}

/** What such an event says, and what the bytes of its transaction say. */
export function foreignSentence({ seq, kind, hash }: ForeignSpend, owner: Leg['owner']): string {
  return `Event ${seq} calls ${hash} the ${kind} of the ${owner} payment, but this transaction does not spend that payment.`;
}
