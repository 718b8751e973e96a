import { isJournalType } from '../../events/journal.ts';
import type { NewEvent } from '../command.ts';
import { append, lookPayment, type Proposal, type Turn, wakeIn } from '../turn.ts';
import { pushClaim } from './claim.ts';
import { pushRefund } from './refund.ts';

/**
 * A finished swap is watched a while longer: what undoes its end (a deep reorg, a dropped transaction) is recorded and
 * repaired. Public events end with `Finished`, so everything here goes to the journal.
 */
export function guard(turn: Turn): Proposal {
  const { swap, journal, policy, traits } = turn;
  if (journal.recoverSince !== null) return recover(turn);
  if (journal.request === null || turn.now - swap.lastEventAt > policy.guardFor * 1000) return { kind: 'done' };
  const leg = swap.claim !== null ? swap.other : swap.refunded ? swap.own : null;
  if (leg === null || journal.settled[leg]?.how === 'voided') return { kind: 'done' };
  const look = lookPayment(turn, leg, policy.refundPoll);
  if ('pending' in look) return look.pending;
  const { spend, funding } = look.value;
  const depth = traits[leg].finality * policy.guardFactor;
  const settled = journal.settled[leg];
  const lost = settled !== null && settled.how === 'claimed' && spend?.how === 'refund';
  if (spend !== null && !lost) {
    return spend.confirmations >= depth ? { kind: 'done' } : wakeIn(turn, policy.refundPoll);
  }
  if (lost) return spend.confirmations >= depth ? { kind: 'done' } : wakeIn(turn, policy.refundPoll);
  if (settled !== null) {
    const data = { payment: leg, tx_hash: settled.tx_hash ?? '', confirmations: 0, before: settled.confirmations };
    return append({ type: 'PaymentReorged', data });
  }
  if (leg === swap.other) return journalOnly(pushClaim(turn, look.value));
  return funding === null ? wakeIn(turn, policy.refundPoll) : journalOnly(pushRefund(turn, funding.tx));
}

/** Keeps of an append what belongs to the journal; an append of public events alone becomes nothing. */
function journalOnly(proposal: Proposal): Proposal {
  if (proposal?.kind !== 'append') return proposal;
  const events = proposal.events.filter(({ type }) => isJournalType(type));
  return events.length === 0 ? null : append(...events);
}

/**
 * What an operator asked for: whatever the log says, the chains are looked at, and the one action that is legal is taken
 * until it is final. A refund whose lock has not passed is waited for, not refused.
 */
export function recover(turn: Turn): Proposal {
  const { swap, policy } = turn;
  const own = swap.ownTerms === null ? null : lookPayment(turn, swap.own, policy.spendPoll);
  const other = swap.otherTerms === null ? null : lookPayment(turn, swap.other, policy.spendPoll);
  if (own === null || other === null) return refuse('the swap was not negotiated, so no payment can exist');
  if ('pending' in own) return own.pending;
  if ('pending' in other) return other.pending;
  const revealed = swap.role === 'taker' ? (swap.secret ?? own.value.spend?.secret ?? null) : swap.secret;
  const mayClaim = swap.role === 'taker' ? revealed !== null : swap.secretIsPublic || own.value.spend?.how === 'secret';
  if (mayClaim && other.value.funding !== null && other.value.spend?.how !== 'refund') {
    const { spend } = other.value;
    if (spend === null) return journalOnly(pushClaim({ ...turn, swap: { ...swap, secret: revealed } }, other.value));
    return whenFinal(turn, { leg: swap.other, tx: spend.tx, confirmations: spend.confirmations });
  }
  const mine = own.value;
  if (mine.spend?.how === 'refund') {
    return whenFinal(turn, { leg: swap.own, tx: mine.spend.tx, confirmations: mine.spend.confirmations });
  }
  if (mine.spend?.how === 'secret')
    return refuse(`the ${swap.own} payment was taken by the other side, and theirs is gone`);
  if (mine.funding === null) return refuse(`the ${swap.own} payment is not on the chain`);
  if (!mine.refundable || turn.traits[swap.own].refund === 'automatic') return wakeIn(turn, policy.refundPoll);
  return journalOnly(pushRefund(turn, mine.funding.tx));
}

type Taken = {
  readonly leg: 'maker' | 'taker';
  readonly tx: { readonly tx_hex: string; readonly tx_hash: string } | null;
  readonly confirmations: number;
};

function whenFinal(turn: Turn, { leg, tx, confirmations }: Taken): Proposal {
  const { swap, traits } = turn;
  if (confirmations < traits[leg].finality) return wakeIn(turn, turn.policy.spendPoll);
  const action = leg === swap.own ? 'RefundedMyPayment' : 'SpentOtherPayment';
  const how = leg === swap.own ? 'refunded' : 'claimed';
  const settled: NewEvent = {
    type: 'PaymentSettled',
    data: { payment: leg, how, by: 'self', tx_hash: tx?.tx_hash ?? null, confirmations },
  };
  const plain = tx === null ? null : { tx_hex: tx.tx_hex, tx_hash: tx.tx_hash };
  return append(settled, { type: 'FundsRecovered', data: { action, coin: traits[leg].coin, tx: plain } });
}

function refuse(reason: string): Proposal {
  return append({ type: 'RecoveryRefused', data: { reason } });
}
