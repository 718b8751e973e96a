import { outlasts } from '../../../../machines/deadlines/race.ts';
import type { Want } from '../../../../machines/definition.ts';
import {
  currentPrepared,
  everAttempted,
  type PreparedRecord,
  variantWith,
} from '../../../../machines/journal/context.ts';
import { pastDeadline } from '../../../htlc/error-texts.ts';
import type { PaymentView } from '../../../ports/chain.ts';
import { onLeg } from '../../../primitives/pair.ts';
import { type Millis, toUnixSeconds } from '../../../primitives/time.ts';
import type { NewEvent } from '../../command.ts';
import { agreedForOther, isConfirmed } from '../../is-confirmed.ts';
import { bounded } from '../fee-bound.ts';
import { dearerForPrice, nextVariant } from '../fee-bumps.ts';
import {
  append,
  ask,
  attempted,
  broadcastOwn,
  type DecidingClock,
  freshness,
  isOfOther,
  type Look,
  lastFault,
  latestBy,
  latestClock,
  lookFresh,
  lookPayment,
  lookTransaction,
  ownSigned,
  type Proposal,
  prepared,
  shownNote,
  sign,
  type Turn,
  wakeIn,
} from '../turn.ts';
import { watcherPreimages } from '../watch-message.ts';
import { affordsClaim, claimShortage } from './funds.ts';
import { takenBeforePaying } from './own-things.ts';
import { askPreimages, needsPreimages, promisedReward } from './preimages.ts';
import { isDue, justTaken, variantToSend } from './variants.ts';
import { pushVoid } from './void.ts';

/**
 * Sends this side's payment, at most once whatever crashes.
 *
 * It always looks first: whatever is on the chain under these terms is the payment, whoever broadcast it and when. It broadcasts nothing unless, at
 * that very moment, the other side's payment is valid and confirmed (taker) and enough time remains. Once someone else may hold the transaction, it
 * can only confirm or be made impossible.
 */
export function pay(turn: Turn, want: Want): Proposal {
  const { swap, events, journal } = turn;
  const mine = withoutOthers(turn, lookFresh(turn, swap.own, freshness(turn, want.until ?? null)));
  if ('pending' in mine) return mine.pending ?? sentNow(turn);
  const { funding, spend } = mine.value;
  if (funding !== null || spend !== null) return found(turn, mine.value);
  const sent = sentNow(turn);
  if (sent !== null) return sent;
  const record = currentPrepared(journal, 'payment');
  const taken = takenBeforePaying(turn, seenFunding(turn));
  if (taken !== null) {
    const failed = events.ownSendFailed(taken);
    return record === null || record.attemptedAt === null ? append(failed) : voidPayment(turn, record, [failed]);
  }
  const late = isLate(turn, want);
  if (late)
    return record === null || record.attemptedAt === null
      ? append(deadlineReached(turn, want), events.ownSendFailed(claimShortage(turn) ?? lateText(turn, want)))
      : voidPayment(turn, record, [deadlineReached(turn, want), events.ownSendFailed(lateText(turn, want))]);
  const blocked = otherIsReady(turn, want);
  if (blocked !== true)
    return isOutlived(turn, want) && (record === null || record.attemptedAt === null)
      ? append(events.ownSendFailed(OUTLIVED))
      : blocked;
  if (record === null) {
    const funds = affordsClaim(turn);
    return funds === 'enough' ? preparePayment(turn) : funds.pending;
  }
  return pushPayment(turn, record);
}

/** A node has the payment, although no look shows it: this is recorded at once, because anyone who has it can send it again at any time. */
function sentNow(turn: Turn): Proposal {
  const taken = justTaken(turn, 'payment');
  if (taken === null) return null;
  return append(...taken.accepted, turn.events.ownSent(transactionOf(taken.record)), ...watcherPreimages(turn));
}

/** Sends the payment to the chain: the cheapest variant that is enough, and a more expensive one only if none is. */
function pushPayment(turn: Turn, last: PreparedRecord): Proposal {
  const { swap, events, journal } = turn;
  const watched = swap.role === 'taker' && needsPreimages(turn);
  // What a watcher gets spends only one variant.
  const variants = watched ? [last] : journal.prepared.payment.filter(({ dead }) => !dead);
  const record = variantToSend(turn, swap.own, variants) ?? last;
  const terms = swap.ownTerms;
  if (record === last && isDue(turn, dearerForPrice(turn, last)) && terms !== null) {
    const { urgency } = nextVariant(turn, 'payment', last);
    const request = { purpose: 'payment', terms, urgency, replaces: last.tx } as const;
    const dearer = sign(turn, { leg: swap.own, purpose: 'payment', request, target: null, urgency });
    // A wallet that signs nothing more expensive now must not hold back what is already signed.
    if (dearer !== null) return dearer;
  }
  if (record.refused === 'inputsSpent' || record.refused === 'nonceUsed') return afterConflict(turn, record);
  if (watched) {
    const proposal = askPreimages(turn, transactionOf(record));
    if (proposal !== null) return proposal;
  }
  const sent = broadcastOwn(turn, swap.own, { purpose: 'payment', record });
  if ('pending' in sent) return sent.pending;
  return append(...sent.accepted, events.ownSent(transactionOf(record)), ...watcherPreimages(turn));
}

/** A look at the own payment while it may not be out. What another swap paid under equal terms counts as no answer: it is not this swap's payment. */
function withoutOthers(turn: Turn, look: Look<PaymentView>): Look<PaymentView> {
  const seen = 'pending' in look && look.pending === null ? onLeg(turn.facts.payments, turn.swap.own) : null;
  return seen !== null && isOfOther(turn, seen.value) ? { value: { ...seen.value, funding: null, spend: null } } : look;
}

export function transactionOf({ tx }: PreparedRecord): { tx_hex: string; tx_hash: string } {
  return { tx_hex: tx.tx_hex, tx_hash: tx.tx_hash };
}

/** The other's payment as last seen: it may be another transaction than the one in the log. */
function seenFunding({ swap, facts }: Turn): string | null {
  return onLeg(facts.payments, swap.other)?.value.funding?.tx.tx_hash ?? null;
}

export function isLate(turn: Turn, want: Want): boolean {
  return want.until !== undefined && latestClock(turn) + turn.policy.margin * 1000 > want.until;
}

/** In whole seconds; the first is larger even if less than a second lies between. */
export function lateText(turn: Turn, want: Want): string {
  const limit = (want.until ?? turn.now) - turn.policy.margin * 1000;
  return pastDeadline(toUnixSeconds((latestClock(turn) + 999) as Millis), toUnixSeconds(limit as Millis));
}

/** A moment that has passed by the latest of the host's clock and both chains' clocks, and by which of them. */
export function deadlineReached(turn: Turn, want: Want): NewEvent {
  return deadlineOf(want, latestBy(turn));
}

/** A moment that has passed by this clock. */
export function deadlineOf({ effect, until }: Want, clock: DecidingClock): NewEvent {
  return { type: 'DeadlineReached', data: { kind: effect, deadline: until ?? 0, clock } };
}

function found(turn: Turn, { funding }: PaymentView): Proposal {
  const { swap, events, journal } = turn;
  if (funding === null) return wakeIn(turn, turn.policy.confirmationPoll);
  const known = variantWith(journal.prepared.payment, funding.tx.tx_hash);
  const { confirmations } = funding;
  const accepted = shownNote(turn, { purpose: 'payment', record: known, confirmations });
  if (swap.role === 'taker' && needsPreimages(turn)) {
    const proposal = askPreimages(turn, funding.tx);
    if (proposal !== null) return proposal;
  }
  return append(...accepted, events.ownSent(funding.tx), ...watcherPreimages(turn));
}

/** A taker pays only against a payment that is valid and confirmed now; for a maker, the fee check was enough. */
export function otherIsReady(turn: Turn, want: Want): true | Proposal {
  const { swap, policy } = turn;
  if (swap.role === 'maker') return true;
  const theirs = lookFresh(turn, swap.other, freshness(turn, want.until ?? null));
  if ('pending' in theirs) return theirs.pending;
  const { funding, problem, spend, refundable } = theirs.value;
  const good =
    funding !== null && problem === null && spend === null && !refundable && leavesTime(turn, want, theirs.value);
  if (good && isConfirmed(funding, agreedForOther(swap))) return true;
  return wakeIn(turn, policy.confirmationPoll);
}

/** Whether the other payment is locked long enough after this side's payment that a claim has enough time. */
function leavesTime(turn: Turn, { race }: Want, view: PaymentView): boolean {
  const { swap, traits } = turn;
  if (swap.ownTerms === null || swap.otherTerms === null || race === undefined) return true;
  const { counted, lock } = swap.ownTerms;
  const { blockTime, counter } = onLeg(traits, swap.own);
  const own = { lock, counted, blockTime, counter };
  return outlasts(race, view, { now: toUnixSeconds(latestClock(turn)), own, other: onLeg(traits, swap.other) });
}

const OUTLIVED =
  'the payment of the other side is not locked for so much longer than this one would be that a claim is sure of its time';

/**
 * Whether the other side's confirmed payment leaves too little time for one whose lock runs from its block: that only gets worse. If the own lock
 * ends at an agreed moment, time may still move the two further apart.
 */
function isOutlived(turn: Turn, want: Want): boolean {
  const { swap, facts } = turn;
  const view = onLeg(facts.payments, swap.other)?.value;
  if (swap.role === 'maker' || swap.ownTerms?.counted === undefined || view === undefined) return false;
  const { funding, problem, spend } = view;
  if (funding === null || problem !== null || spend !== null || !isConfirmed(funding, agreedForOther(swap)))
    return false;
  return !leavesTime(turn, want, view);
}

function preparePayment(turn: Turn): Proposal {
  const { swap, events, traits } = turn;
  const terms = swap.ownTerms;
  if (terms === null) return append(events.ownSendFailed('the terms of the payment are not known'));
  const promised = promisedReward(turn);
  if ('pending' in promised) return promised.pending;
  const request = { purpose: 'payment', terms, urgency: 0, replaces: null, ...promised.value } as const;
  const payment = ownSigned(turn, 'payment', request);
  if (payment === undefined) {
    const fault = lastFault(turn, swap.own, 'prepare:payment');
    if (
      fault !== null &&
      (fault.kind === 'insufficientFunds' || fault.kind === 'invalid' || fault.kind === 'unsupported')
    ) {
      return append(events.ownSendFailed(fault.message));
    }
    const asked = bounded(turn, { leg: swap.own, purpose: 'payment' }, request);
    return ask(turn, swap.own, { op: 'prepare', request: asked, key: 'prepare:payment' });
  }
  // The refund is signed before anyone can see the payment, so a refund never needs more than this log. Where an
  // account's nonces are sequential, a held-back transaction would block all later ones, so there the refund is signed
  // when due.
  const { refund: way, watchers, rewards } = onLeg(traits, swap.own);
  const withRefund = way === 'transaction' && watchers && rewards !== true;
  const funding = { tx_hex: payment.tx_hex, tx_hash: payment.tx_hash };
  const back = { purpose: 'refund', terms, funding, urgency: 0, replaces: null } as const;
  const refund = withRefund ? ownSigned(turn, 'refund', back) : undefined;
  if (withRefund && refund === undefined) {
    const asked = bounded(turn, { leg: swap.own, purpose: 'refund' }, back);
    return ask(turn, swap.own, { op: 'prepare', request: asked, key: 'prepare:refund' });
  }
  const kit = refund === undefined ? [] : [prepared('refund', refund, { target: payment.tx_hash, urgency: 0 })];
  return append(
    prepared('payment', payment, { target: null, urgency: 0 }),
    ...kit,
    attempted('payment', payment.tx_hash),
  );
}

/** Another transaction used its inputs or nonce: another attempt is safe only once the chain shows this for good. */
function afterConflict(turn: Turn, record: PreparedRecord): Proposal {
  const { swap, traits } = turn;
  const view = lookTransaction(turn, swap.own, { hash: record.tx.tx_hash, maxAge: turn.policy.confirmationPoll });
  if ('pending' in view) return view.pending;
  if (view.value.status === 'conflicted' && view.value.confirmations >= onLeg(traits, swap.own).finality) {
    return append({ type: 'TransactionReverted', data: { purpose: 'payment', tx_hash: record.tx.tx_hash } });
  }
  return wakeIn(turn, turn.policy.confirmationPoll);
}

/**
 * The time is over, but someone may hold this side's payment: the engine voids it before it marks the swap as failed. If it confirms anyway, the look
 * that comes first finds it, and the refund path takes over.
 */
export function voidPayment(turn: Turn, record: PreparedRecord, closing: readonly NewEvent[]): Proposal {
  const { swap, journal, traits, policy } = turn;
  const own = swap.own;
  const target = lookTransaction(turn, own, { hash: record.tx.tx_hash, maxAge: policy.confirmationPoll });
  if ('pending' in target) return target.pending;
  const final = onLeg(traits, own).finality;
  const { status, confirmations } = target.value;
  const gone = (status === 'conflicted' || status === 'reverted') && confirmations >= final;
  if (gone) {
    const settled: NewEvent = {
      type: 'PaymentSettled',
      data: {
        payment: own,
        how: 'voided',
        by: 'self',
        tx_hash: currentPrepared(journal, 'void')?.tx.tx_hash ?? null,
        confirmations,
      },
    };
    return append(settled, ...closing);
  }
  return pushVoid(turn, record, { status, poll: policy.confirmationPoll });
}

/** After a log that only says that sending failed: the payment's fate is looked up, never inferred. */
export function findOwnPayment(turn: Turn, _want: Want): Proposal {
  const { swap, events, journal } = turn;
  const finished: NewEvent = { type: 'Finished', data: null };
  if (onLeg(journal.settled, swap.own)?.how === 'voided') return append(finished);
  if (journal.request !== null && !everAttempted(journal, 'payment')) return append(finished);
  const mine = withoutOthers(turn, lookPayment(turn, swap.own, turn.policy.confirmationPoll));
  if ('pending' in mine) return mine.pending;
  if (mine.value.funding !== null) return append(events.ownSent(mine.value.funding.tx));
  const record = currentPrepared(journal, 'payment');
  if (record !== null) return voidPayment(turn, record, []);
  // A log from elsewhere does not hold the transaction, so nothing can void it: the lock decides.
  if (mine.value.refundable) {
    const settled = { payment: swap.own, how: 'voided', by: 'chain', tx_hash: null, confirmations: 0 } as const;
    return append({ type: 'PaymentSettled', data: settled }, finished);
  }
  return wakeIn(turn, turn.policy.refundPoll);
}
