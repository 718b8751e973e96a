import { isJournalType } from '../../../events/journal.ts';
import type { PaymentSpend, PaymentView } from '../../../ports/chain.ts';
import { onLeg } from '../../../primitives/pair.ts';
import type { Leg, NewEvent } from '../../command.ts';
import { append, chainClock, lookPayment, lookTransaction, type Proposal, type Turn, wakeIn } from '../turn.ts';
import { bumpClaim, isOwnClaim, settledClaim } from './claim.ts';
import { isFeeOut } from './fee-out.ts';
import { ofAnotherSwap } from './own-things.ts';
import { bumpRefund, paymentMissing } from './refund.ts';
import { act, type Rescue, rescueOf, seenOf } from './rescue.ts';
import { isGone } from './rule-out.ts';
import { isWatched } from './watched.ts';

/**
 * The engine watches a finished swap a while longer. It records what undoes its end (a deep reorganization, the other side's refund in place of this
 * side's claim, a spend with the secret in place of this side's refund); then the recovery table says what is left to do until there is an end again.
 * Public events end with `Finished`, so everything here goes into the journal.
 */
export function guard(turn: Turn): Proposal {
  const proposal = guardEnd(turn);
  if (proposal?.kind !== 'done') return proposal;
  const fee = isFeeOut(turn);
  return 'pending' in fee ? fee.pending : proposal;
}

function guardEnd(turn: Turn): Proposal {
  if (turn.journal.recoverSince !== null) return journalOnly(recover(turn));
  if (isReopened(turn)) return journalOnly(repair(turn));
  const end = endOf(turn);
  if (end === null) return { kind: 'done' };
  return end.how === 'voided' ? guardVoid(turn) : guardSpend(turn, end);
}

/** Keeps only the journal's part of an append; an append of public events alone becomes nothing. */
function journalOnly(proposal: Proposal): Proposal {
  if (proposal?.kind !== 'append') return proposal;
  const events = proposal.events.filter(({ type }) => isJournalType(type));
  return events.length === 0 ? null : append(...events);
}

/** By the clock of the chain on which the swap ended; only if that chain has not reported it, by the host's. */
function isWatchOver(turn: Turn, leg: Leg): boolean {
  const { swap, policy, now } = turn;
  return (chainClock(turn, leg) ?? now) - swap.lastEventAt > policy.guardFor * 1000;
}

type End = { readonly leg: Leg; readonly how: 'claimed' | 'refunded' | 'voided' };

/** On which payment the end of the swap rests, and what happened to it. If the journal says nothing, the public log does. */
function endOf({ swap, journal }: Turn): End | null {
  const { own, other } = swap;
  const mine = onLeg(journal.settled, own)?.how;
  const theirs = onLeg(journal.settled, other)?.how;
  if (theirs === 'claimed') return { leg: other, how: 'claimed' };
  if (mine === 'refunded' || mine === 'voided') return { leg: own, how: mine };
  // The other side has both.
  if (theirs === 'refunded') return { leg: other, how: 'refunded' };
  if (swap.claim !== null) return { leg: other, how: 'claimed' };
  return swap.refunded ? { leg: own, how: 'refunded' } : null;
}

/** Whether an end was undone and there is no new one, or the other side refunded and the own payment is open. */
function isReopened({ swap, journal }: Turn): boolean {
  const { settled, reorged } = journal;
  if (reorged.maker !== null || reorged.taker !== null) return true;
  return onLeg(settled, swap.other)?.how === 'refunded' && onLeg(settled, swap.own) === null;
}

/**
 * Whether the log says that this end was seen at the depth to which it is watched. A node that hides it from time to time undoes nothing: otherwise
 * each of its answers would be logged, without end.
 */
function isDeep({ journal, traits, policy }: Turn, leg: Leg): boolean {
  const settled = onLeg(journal.settled, leg);
  return settled !== null && settled.confirmations >= onLeg(traits, leg).finality * policy.guardFactor;
}

function guardSpend(turn: Turn, { leg, how }: End): Proposal {
  const { swap, journal, policy, traits } = turn;
  if (onLeg(journal.settled, leg)?.how === how && isDeep(turn, leg)) return { kind: 'done' };
  const look = lookPayment(turn, leg, policy.refundPoll);
  if ('pending' in look) return look.pending ?? (isWatchOver(turn, leg) ? { kind: 'done' } : null);
  if (isWatchOver(turn, leg)) return { kind: 'done' };
  const { spend } = look.value;
  const { finality } = onLeg(traits, leg);
  const settled = onLeg(journal.settled, leg);
  if (spend !== null && (spend.how === 'secret') === (how === 'claimed') && spend.confirmations > 0) {
    if (settled === null && spend.confirmations >= finality) return append(settledNow(turn, leg, spend));
    return spend.confirmations >= finality * policy.guardFactor ? { kind: 'done' } : wakeIn(turn, policy.refundPoll);
  }
  if (settled === null && spend === null && look.value.funding === null) {
    // The log came from elsewhere, and this node does not show the payment, perhaps because it lacks the history.
    const gone = isGone(turn, leg);
    if ('pending' in gone) return gone.pending;
    if (!gone.value) return wakeIn(turn, policy.refundPoll);
  }
  const told = leg === swap.other ? swap.claim?.tx_hash : null;
  // An automatic refund of the chain has no transaction, and neither has an end that the journal does not hold.
  const isTheEnd = spend !== null && spend.tx !== null && spend.tx.tx_hash === settled?.tx_hash;
  const data = {
    payment: leg,
    tx_hash: settled?.tx_hash ?? told ?? '',
    confirmations: isTheEnd ? spend.confirmations : 0,
    before: settled?.confirmations ?? 0,
  };
  return append({ type: 'PaymentReorged', data });
}

/** An own payment stays voided while what replaced it stands. */
function guardVoid(turn: Turn): Proposal {
  const { swap, journal, policy, traits } = turn;
  const record = journal.prepared.payment.at(-1);
  if (record === undefined || isDeep(turn, swap.own)) return { kind: 'done' };
  const { tx_hash } = record.tx;
  const look = lookTransaction(turn, swap.own, { hash: tx_hash, maxAge: policy.refundPoll });
  if ('pending' in look) return look.pending ?? (isWatchOver(turn, swap.own) ? { kind: 'done' } : null);
  if (isWatchOver(turn, swap.own)) return { kind: 'done' };
  const { status, confirmations } = look.value;
  if ((status === 'conflicted' || status === 'reverted') && confirmations > 0) {
    const depth = onLeg(traits, swap.own).finality * policy.guardFactor;
    return confirmations >= depth ? { kind: 'done' } : wakeIn(turn, policy.refundPoll);
  }
  const before = onLeg(journal.settled, swap.own)?.confirmations ?? 0;
  return append({ type: 'PaymentReorged', data: { payment: swap.own, tx_hash, confirmations: 0, before } });
}

/** Brings a swap whose end was undone to a new end. */
function repair(turn: Turn): Proposal {
  const { swap, journal } = turn;
  const rescue = rescueOf(turn);
  // The other side's claim of the own payment is part of an ordinary end, and recorded only if that is undone.
  const ownIsOpen = onLeg(journal.reorged, swap.own) !== null || onLeg(journal.settled, swap.other)?.how === 'refunded';
  const told = noteFinal(turn, swap.other) ?? (ownIsOpen ? noteFinal(turn, swap.own) : null);
  if (told !== null) return told;
  if ('reason' in rescue) return waitFor(turn, rescue);
  return act(turn, rescue);
}

/** What the chains show to be final and the journal does not hold yet, with its author. */
function noteFinal(turn: Turn, leg: Leg): Proposal {
  const spend = seenOf(turn, leg)?.spend ?? null;
  if (spend === null || spend.confirmations < onLeg(turn.traits, leg).finality) return null;
  const event = settledNow(turn, leg, spend);
  return onLeg(turn.journal.settled, leg)?.how === (event.data as { how: string }).how ? null : append(event);
}

/** The end of a payment, by what its chain shows. */
function settledNow(turn: Turn, leg: Leg, spend: PaymentSpend): NewEvent {
  const { swap } = turn;
  const own = leg === swap.own;
  if (!own && spend.how === 'secret') return settledClaim(turn, spend);
  const how = spend.how === 'secret' ? 'claimed' : 'refunded';
  const by = spend.tx === null ? 'chain' : !own || spend.how === 'secret' ? 'counterparty' : refunderOf(turn, spend);
  const { confirmations } = spend;
  return {
    type: 'PaymentSettled',
    data: { payment: leg, how, by, tx_hash: spend.tx?.tx_hash ?? null, confirmations },
  };
}

function refunderOf(turn: Turn, spend: PaymentSpend): 'self' | 'watcher' {
  return isOwnRefund(turn, spend) || !isWatched(turn) ? 'self' : 'watcher';
}

function isOwnRefund({ journal }: Turn, spend: PaymentSpend): boolean {
  return journal.prepared.refund.some(({ tx }) => tx.tx_hash === spend.tx?.tx_hash);
}

type Refused = Extract<Rescue, { readonly reason: unknown }>;

/** Nothing new can be done now: this speeds up pending transactions, and waits for everything else. */
function waitFor(turn: Turn, { reason }: Refused): Proposal {
  const { swap, policy } = turn;
  const leg = reason === 'refunded' ? swap.own : swap.other;
  const view = seenOf(turn, leg);
  if (reason === 'ownPaymentNotFound' || isOwnGone(turn, reason)) {
    if (onLeg(turn.journal.settled, swap.own)?.how !== 'voided')
      return paymentMissing(turn) ?? wakeIn(turn, policy.refundPoll);
    // It is already voided for good: the engine watches what voided it, and records nothing more.
    const guarded = guardVoid(turn);
    if (guarded !== null && (guarded.kind !== 'done' || reason === 'ownPaymentNotFound')) return guarded;
  }
  if (reason === 'otherPaymentUnknown' && isWatchOver(turn, swap.other)) return { kind: 'done' };
  if (reason !== 'claimed' && reason !== 'refunded') return wakeIn(turn, policy.refundPoll);
  return helpOn(turn, leg, view) ?? wakeIn(turn, policy.spendPoll);
}

/** Whether the other payment is out of reach and the own one is gone with what took it: anyone who has its bytes could send it again and take it. */
function isOwnGone(turn: Turn, reason: Refused['reason']): boolean {
  if (reason !== 'otherRefunded' && reason !== 'otherPaymentUnknown') return false;
  const mine = seenOf(turn, turn.swap.own);
  return mine !== null && mine.funding === null && mine.spend === null;
}

function helpOn(turn: Turn, leg: Leg, view: PaymentView | null): Proposal {
  const spend = view?.spend ?? null;
  if (view === null || spend === null || spend.confirmations > 0) return null;
  return leg === turn.swap.other ? bumpClaim(turn, view) : bumpRefund(turn, spend);
}

const LASTING: ReadonlySet<Refused['reason']> = new Set(['lookUpFailed', 'tooEarly', 'automatic']);

/**
 * What an operator ordered: whatever the log says, the engine looks at the chains and takes the only legal action until it is final. It waits for a
 * refund whose lock has not passed, and for a chain that does not answer, instead of refusing.
 */
export function recover(turn: Turn): Proposal {
  const { swap, traits, policy } = turn;
  if (swap.startedAt !== null && (swap.ownTerms === null || swap.otherTerms === null)) {
    return refuse('The log does not hold the terms of the payments, so that they cannot be searched for');
  }
  const rescue = rescueOf(turn);
  if (!('reason' in rescue)) return act(turn, rescue);
  const { reason } = rescue;
  const refused = reason === 'otherPaymentUnknown' ? (ofAnotherSwap(turn) ?? rescue.refused) : rescue.refused;
  if (LASTING.has(reason)) return wakeIn(turn, policy.refundPoll);
  if (reason !== 'claimed' && reason !== 'refunded' && reason !== 'otherRefunded') return refuse(refused);
  const leg = reason === 'refunded' ? swap.own : swap.other;
  const spend = seenOf(turn, leg)?.spend ?? null;
  if (spend === null) return refuse(refused);
  if (spend.confirmations < onLeg(traits, leg).finality) return waitFor(turn, rescue);
  return append(settledNow(turn, leg, spend), outcomeOf(turn, rescue, spend));
}

/** What this engine did itself is the result of the order; for the rest, the real node has a refusal. */
function outcomeOf(turn: Turn, { reason, refused }: Refused, spend: PaymentSpend): NewEvent {
  const { swap, traits } = turn;
  const tx = spend.tx === null ? null : { tx_hex: spend.tx.tx_hex, tx_hash: spend.tx.tx_hash };
  if (reason === 'claimed' && isOwnClaim(turn, spend)) {
    return { type: 'FundsRecovered', data: { action: 'SpentOtherPayment', coin: onLeg(traits, swap.other).coin, tx } };
  }
  if (reason === 'refunded' && (tx === null || isOwnRefund(turn, spend))) {
    return { type: 'FundsRecovered', data: { action: 'RefundedMyPayment', coin: onLeg(traits, swap.own).coin, tx } };
  }
  return { type: 'RecoveryRefused', data: { reason: refused } };
}

function refuse(reason: string): Proposal {
  return append({ type: 'RecoveryRefused', data: { reason } });
}

/**
 * An order on an unfinished swap: the wants of its state do what is legal, and the order makes them try at once. It ends only if there is nothing to
 * recover.
 */
export function recoverUnfinished(turn: Turn): Proposal {
  const { swap, journal } = turn;
  if (journal.request === null || journal.prepared.payment.some(({ attemptedAt }) => attemptedAt !== null)) return null;
  if (swap.ownPayment !== null) return null;
  const rescue = rescueOf(turn);
  if ('pending' in rescue) return rescue.pending?.kind === 'ask' ? rescue.pending : null;
  return 'reason' in rescue && (rescue.reason === 'notStarted' || rescue.reason === 'ownPaymentNotFound')
    ? refuse(rescue.refused)
    : null;
}
