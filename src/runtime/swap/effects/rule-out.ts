import { everAccepted, everAttempted } from '../../../../machines/journal/context.ts';
import { onLeg } from '../../../primitives/pair.ts';
import type { Leg } from '../../command.ts';
import { type Look, lookPayment, lookTransaction, type Turn } from '../turn.ts';
import { ofAnotherSwap } from './own-things.ts';

const YES = { value: true } as const;

/**
 * Whether this side's payment may be refunded: only if no claim of the other payment can have been sent, or the chain shows that no claim took it.
 * While that chain is silent, or no longer shows the other payment, a claim cannot be ruled out.
 */
export function refundIsHarmless(turn: Turn): Look<boolean> {
  const { swap, journal, policy, traits } = turn;
  const { other } = swap;
  if (!claimIsPossible(turn) || ofAnotherSwap(turn) !== null || onLeg(journal.settled, other)?.how === 'refunded')
    return YES;
  const theirs = lookPayment(turn, other, policy.refundPoll);
  if ('pending' in theirs) return theirs;
  const { spend, funding, refundable } = theirs.value;
  if (spend !== null) return { value: spend.how === 'refund' && spend.confirmations >= onLeg(traits, other).finality };
  if (funding === null) return isGone(turn, other);
  // The other's lock comes first: a node that has not reached it lags, and may not have the claim yet.
  return { value: swap.role === 'maker' && refundable && !isCommitted(turn) };
}

/** Whether the own side may have made a claim that its log does not mention, or must make it. */
function claimIsPossible(turn: Turn): boolean {
  const { swap, journal } = turn;
  if (swap.role === 'taker') return swap.secretIsPublic;
  // A log that came from elsewhere may have lost a claim between its broadcast and its record, or call it failed.
  return swap.claim !== null || everAttempted(journal, 'claim') || (journal.request === null && swap.otherValidated);
}

function isCommitted({ swap, journal }: Turn): boolean {
  return swap.claim !== null || everAccepted(journal, 'claim');
}

/**
 * Whether a payment that a look does not show is gone for good: nobody ever received it, a final transaction replaced it, or a node that is not
 * behind the log has missed it for as many blocks as make a spend final. Ask only if the last look shows neither the payment nor its spend.
 */
export function isGone(turn: Turn, leg: Leg): Look<boolean> {
  const { swap, journal, facts, policy, traits } = turn;
  const own = leg === swap.own;
  if (own && journal.request !== null && !everAttempted(journal, 'payment')) return YES;
  const { finality } = onLeg(traits, leg);
  const hash = (own ? swap.ownPayment : swap.otherPayment)?.tx_hash ?? '';
  if (hash !== '') {
    const look = lookTransaction(turn, leg, { hash, maxAge: policy.refundPoll });
    if ('pending' in look) return look;
    const { status, confirmations } = look.value;
    if (status === 'conflicted' || status === 'reverted') return { value: confirmations >= finality };
    if (status !== 'unknown') return { value: false };
  }
  const since = onLeg(facts.missingSince, leg);
  const height = onLeg(facts.payments, leg)?.value.height;
  return { value: since !== null && height !== undefined && height - since >= finality };
}
