import { contested } from '../../../../machines/deadlines/race.ts';
import type { Want } from '../../../../machines/definition.ts';
import {
  currentPrepared,
  everAccepted,
  type PreparedRecord,
  variantWith,
} from '../../../../machines/journal/context.ts';
import { pastBlock, pastDeadline } from '../../../htlc/error-texts.ts';
import type { PaymentSpend, PaymentView } from '../../../ports/chain.ts';
import { onLeg } from '../../../primitives/pair.ts';
import type { Millis } from '../../../primitives/time.ts';
import type { NewEvent } from '../../command.ts';
import { agreedForOther, isConfirmed } from '../../is-confirmed.ts';
import { affordable, dearerSpend, hasWaited, nextVariant, urgencyAfter } from '../fee-bumps.ts';
import {
  append,
  ask,
  broadcastOwn,
  clockOf,
  freshness,
  judgeMissing,
  type Look,
  latestClock,
  lookFresh,
  lookPayment,
  nudge,
  type Proposal,
  shownNote,
  sign,
  type Turn,
  wakeAt,
  wakeIn,
} from '../turn.ts';
import { speedUpShown, variantWithChild } from './child.ts';
import { keepInDoubt, seenInDoubt, shownInDoubt } from './doubt.ts';
import { ofAnotherSwap } from './own-things.ts';
import { deadlineOf, deadlineReached, lateText, transactionOf } from './pay.ts';
import { isDue, justTaken, variantToFollow, variantToSend } from './variants.ts';
import { isWatched } from './watched.ts';
import { mayBeIncluded, nextClaim } from './without-effect.ts';

/**
 * Claims the other side's payment with the secret, and makes sure that the claim becomes final.
 *
 * A maker's claim reveals the secret to everyone. So until a node accepted it or a look showed it, the payment must be confirmed now, and enough time
 * must remain, by every clock and in the unit of the chain that decides. From then on, and for a taker as soon as the secret is known, the engine
 * repeats the claim with rising fees until it is final, or until the chain shows that the payment was refunded for good.
 */
export function claim(turn: Turn, want: Want): Proposal {
  const { swap, policy } = turn;
  const committed = isSecretOut(turn);
  const taken = ofAnotherSwap(turn);
  if (taken !== null) return leftToOther(turn, taken);
  const theirs = committed
    ? lookPayment(turn, swap.other, policy.spendPoll)
    : lookFresh(turn, swap.other, freshness(turn, want.until ?? null));
  if ('pending' in theirs) return theirs.pending ?? shownNow(turn) ?? claimInDoubt(turn);
  const { spend } = theirs.value;
  if (spend?.how === 'secret') return seen(turn, spend);
  if (spend?.how === 'refund') return refundedByOther(turn, spend);
  const blocked = committed ? null : keptSecret(turn, want, theirs.value);
  return blocked === null ? pushClaim(turn, theirs.value) : blocked.pending;
}

/** Another swap takes it. This swap can only recover its own payment, and a taker whose secret is public not even that. */
function leftToOther({ swap, events }: Turn, taken: string): Proposal {
  if (swap.state === 'claiming') return append(...events.claimFailed(taken));
  return swap.role === 'taker' ? append(events.closeLost(LOST)) : null;
}

/** Why a swap whose coins are lost is closed. */
export const LOST = 'the other side took both payments: it spent one with the secret and refunded its own';

/**
 * A node has the claim, but no look shows its fate. The log still notes that someone knows the secret, because a restarted process decides by the log
 * whether to reveal it.
 */
function shownNow(turn: Turn): Proposal {
  const taken = everAccepted(turn.journal, 'claim') ? null : justTaken(turn, 'claim');
  return taken === null ? null : append(...taken.accepted);
}

/** Why the secret must not be revealed for the first time now, and what to do instead; null if nothing prevents it. */
function keptSecret(turn: Turn, want: Want, view: PaymentView): { readonly pending: Proposal } | null {
  const { swap, events, journal, policy } = turn;
  const { revealBy } = want;
  const ready = readyToReveal(turn, view);
  const late = revealBy !== undefined && latestClock(turn) + policy.margin * 1000 > revealBy;
  const contest = late ? null : contestOf(turn, want, view);
  // An operator who orders a recovery accepts a claim after the margin, as long as it is not yet contested.
  const held = (late || contest !== null) && !(ready && journal.recoverSince !== null);
  if (!held) return ready ? null : { pending: wakeIn(turn, policy.confirmationPoll) };
  if (swap.state !== 'claiming') return { pending: null };
  if (contest !== null) {
    const over = deadlineOf({ ...want, until: contest.from }, clockOf(swap.other));
    return { pending: append(over, ...events.claimFailed(contest.text)) };
  }
  const due = revealBy === undefined ? want : { ...want, until: revealBy };
  return { pending: append(deadlineReached(turn, due), ...events.claimFailed(lateText(turn, due))) };
}

/** The claim is in the log; it is watched until final, and repeated or replaced when it goes missing. */
export function confirmClaim(turn: Turn, _want: Want): Proposal {
  const { swap, events, policy, traits } = turn;
  const theirs = lookPayment(turn, swap.other, policy.confirmationPoll);
  if ('pending' in theirs) return theirs.pending ?? claimInDoubt(turn);
  const { spend } = theirs.value;
  if (spend?.how === 'refund') return refundedByOther(turn, spend);
  if (spend?.how === 'secret') {
    const { confirmations } = spend;
    if (confirmations >= onLeg(traits, swap.other).finality) {
      return append(settledClaim(turn, spend), events.claimConfirmed());
    }
    return confirmations === 0 ? bumpClaim(turn, theirs.value) : null;
  }
  return pushClaim(turn, theirs.value);
}

/**
 * Whether someone else has the secret. A claim in the log that no node accepted and no look showed has revealed it to no one: a maker that resumes
 * decides again whether to reveal it. A spend of its own payment shows that the secret is public after all.
 */
function isSecretOut({ swap, journal, facts }: Turn): boolean {
  if (swap.secretIsPublic || everAccepted(journal, 'claim')) return true;
  if (journal.prepared.claim.some(({ tx }) => facts.broadcasts.get(tx.tx_hash)?.ok === true)) return true;
  if (onLeg(journal.settled, swap.own)?.how === 'claimed') return true;
  return onLeg(facts.payments, swap.own)?.value.spend?.how === 'secret';
}

/** Since when a first claim would race the other side's refund, and how a failure states it. */
type Contest = { readonly from: Millis; readonly text: string };

/** Why the claim of a payment is contested, by the chain that holds it; null while it is not. */
function contestOf({ swap, policy, traits }: Turn, { race }: Want, view: PaymentView): Contest | null {
  if (swap.otherTerms === null || race === undefined) return null;
  const { blockTime } = onLeg(traits, swap.other);
  const found = contested(race, view, { spare: policy.margin, blockTime });
  if (found === null) return null;
  const { from, passed } = found;
  const text = passed.unit === 'seconds' ? pastDeadline(passed.now, passed.last) : pastBlock(passed.now, passed.last);
  return { from, text };
}

function readyToReveal({ swap }: Turn, { funding, problem, refundable }: PaymentView): boolean {
  if (funding === null || problem !== null || refundable) return false;
  return isConfirmed(funding, agreedForOther(swap));
}

export function isOwnClaim({ journal }: Turn, spend: PaymentSpend): boolean {
  return journal.prepared.claim.some(({ tx }) => tx.tx_hash === spend.tx?.tx_hash);
}

export function settledClaim(turn: Turn, spend: PaymentSpend): NewEvent {
  const by = !isOwnClaim(turn, spend) && isWatched(turn) ? 'watcher' : 'self';
  const { confirmations } = spend;
  const tx_hash = spend.tx?.tx_hash ?? null;
  return { type: 'PaymentSettled', data: { payment: turn.swap.other, how: 'claimed', by, tx_hash, confirmations } };
}

/** The chain shows a spend with the secret: this side's own, perhaps from before a crash, or a watcher's on its behalf. */
function seen(turn: Turn, spend: PaymentSpend): Proposal {
  const { events, journal } = turn;
  if (spend.tx === null) return wakeIn(turn, turn.policy.spendPoll);
  const own = isOwnClaim(turn, spend);
  const record = variantWith(journal.prepared.claim, spend.tx.tx_hash);
  const accepted = shownNote(turn, { purpose: 'claim', record, confirmations: spend.confirmations });
  const watched = !own && isWatched(turn);
  return append(...accepted, ...(watched ? events.claimedByOther(spend.tx) : events.claimed(spend.tx)));
}

/** Only the chain can show that a claim is lost for good. */
function refundedByOther(turn: Turn, spend: PaymentSpend): Proposal {
  const { swap, traits, events } = turn;
  if (spend.confirmations < onLeg(traits, swap.other).finality) return wakeIn(turn, turn.policy.spendPoll);
  if (onLeg(turn.journal.settled, swap.other)?.how === 'refunded') return null;
  const { confirmations } = spend;
  const tx_hash = spend.tx?.tx_hash ?? null;
  const settled: NewEvent = {
    type: 'PaymentSettled',
    data: { payment: swap.other, how: 'refunded', by: 'counterparty', tx_hash, confirmations },
  };
  const text = `the ${swap.other} payment was refunded by transaction ${tx_hash ?? 'of the chain itself'}`;
  const closing = swap.claim === null ? events.claimFailed(text) : events.claimUnconfirmed(text);
  return append(settled, ...(swap.secretIsPublic || swap.role === 'maker' ? closing : []));
}

/** Sends a claim to the chain: the one in the log, or a new one if that can no longer confirm. */
export function pushClaim(turn: Turn, theirs: PaymentView): Proposal {
  const { swap, events } = turn;
  const { funding } = theirs;
  if (funding === null) return bringBack(turn);
  // A claim included before its payment has no effect, and costs its fee each time.
  if (funding.confirmations === 0 && wasWithoutEffect(turn, funding.tx.tx_hash)) {
    return wakeIn(turn, turn.policy.confirmationPoll);
  }
  const variants = usable(turn, funding.tx.tx_hash);
  const record = variantWithChild(turn, 'claim', variants) ?? variantToSend(turn, swap.other, variants);
  if (record === null) {
    const again = nextClaim(turn);
    if (again !== null) return wakeAt(turn, again);
    const wanted = urgencyAfter(turn.journal.prepared.claim, funding.tx.tx_hash);
    const urgency = affordable(turn, { leg: swap.other, purpose: 'claim', urgency: wanted });
    return signClaim(turn, { funding: funding.tx, urgency, replaces: currentPrepared(turn.journal, 'claim') });
  }
  const last = record === variants.at(-1);
  // Before anything more expensive: a claim that a block included without effect needs no higher fee.
  if (mayBeIncluded({ record, hasWaited: last && hasWaited(turn, 'claim', record) })) {
    const fate = judgeMissing(turn, swap.other, { purpose: 'claim', record });
    if (fate !== 'again') return fate.pending;
  }
  if (last && needsDearer(turn, record) && nextClaim(turn) === null) {
    const dearer = signBetter(turn, funding.tx, { record });
    // A wallet that signs nothing more expensive now must not hold back what is already signed.
    if (dearer !== null) return dearer;
  }
  if (record.refused === 'parentsUnknown') {
    const parent = bringBack(turn);
    if (parent !== null) return parent;
  }
  const sent = broadcastOwn(turn, swap.other, { purpose: 'claim', record });
  if ('pending' in sent) return sent.pending;
  if (swap.claim !== null) return append(...sent.accepted);
  return append(...sent.accepted, ...events.claimed(transactionOf(record)));
}

/** The claims that spend this funding and are not known to be without effect, the cheapest first. */
function usable({ journal }: Turn, funding: string): readonly PreparedRecord[] {
  return journal.prepared.claim.filter(({ target, dead }) => target === funding && !dead);
}

function wasWithoutEffect({ journal }: Turn, funding: string): boolean {
  return journal.prepared.claim.some(({ target, dead }) => target === funding && dead);
}

/**
 * Keeps sending a claim while too few servers report the payment, but only if its secret is already public: a single server could withhold a first
 * claim and give the secret to the other side.
 */
function claimInDoubt(turn: Turn): Proposal {
  const { swap, journal } = turn;
  const seen = seenInDoubt(turn, { leg: swap.other, payment: swap.otherPayment });
  if (seen === null || !isSecretOut(turn) || swap.secret === null) return null;
  if (onLeg(journal.settled, swap.other) !== null || ofAnotherSwap(turn) !== null) return null;
  const { tx } = seen.funding;
  const variants = usable(turn, tx.tx_hash);
  const shown = shownInDoubt(seen, variants);
  if (shown === null) return null;
  return keepInDoubt(turn, {
    ...{ leg: swap.other, seen, variants, shown },
    first: () =>
      signClaim(turn, {
        ...{ funding: tx, replaces: null, doubtful: true },
        urgency: affordable(turn, { leg: swap.other, purpose: 'claim', urgency: 0 }),
      }),
    needsBetter: (record) => needsDearer(turn, record, shown),
    better: (record) => signBetter(turn, tx, { record, doubtful: true }),
    send(record) {
      const sent = broadcastOwn(turn, swap.other, { purpose: 'claim', record, doubtful: true });
      // The log notes only that it was sent; everything else about the claim waits for an answer that is believed.
      return 'pending' in sent ? sent.pending : append(...sent.accepted);
    },
  });
}

type Signed = {
  readonly funding: { readonly tx_hex: string; readonly tx_hash: string };
  readonly urgency: number;
  readonly replaces: PreparedRecord | null;
  /** Whether only too few servers say so. */
  readonly doubtful?: boolean;
};

function signClaim(turn: Turn, { funding, urgency, replaces, doubtful = false }: Signed): Proposal {
  const { swap } = turn;
  if (swap.otherTerms === null) return null;
  const known = secretOf(turn);
  if ('pending' in known) return known.pending;
  const { tx_hex, tx_hash } = funding;
  const request = {
    purpose: 'claim',
    terms: swap.otherTerms,
    funding: { tx_hex, tx_hash },
    secret: known.value,
    urgency,
    replaces: replaces?.tx ?? null,
    ...(doubtful ? { doubtful } : {}),
  } as const;
  return sign(turn, { leg: swap.other, purpose: 'claim', request, target: tx_hash, urgency });
}

/** The secret, from the log, or else from the spend of the own payment: a log from elsewhere may lack it. */
function secretOf(turn: Turn): Look<string> {
  const { swap, policy } = turn;
  if (swap.secret !== null) return { value: swap.secret };
  const mine = lookPayment(turn, swap.own, policy.spendPoll);
  if ('pending' in mine) return mine;
  const secret = mine.value.spend?.secret ?? null;
  return secret === null ? { pending: wakeIn(turn, policy.spendPoll) } : { value: secret };
}

/**
 * A claim in the mempool that does not confirm is replaced by one with a higher fee. The chain shows the earlier one until the more expensive one
 * arrives, so that one must be sent first.
 */
export function bumpClaim(turn: Turn, { funding, spend }: PaymentView): Proposal {
  const variants = funding === null ? [] : usable(turn, funding.tx.tx_hash);
  const child = spend === null ? null : speedUpShown(turn, { leg: turn.swap.other, purpose: 'claim', variants, spend });
  if (child !== null) return child;
  const record = variantToFollow(turn, turn.swap.other, { variants, shown: spend?.tx?.tx_hash });
  if (funding === null || record === null || record === 'wait') return wakeIn(turn, turn.policy.spendPoll);
  const answered = turn.facts.broadcasts.has(record.tx.tx_hash);
  if (!answered && record === variants.at(-1) && needsDearer(turn, record, spend?.tx?.tx_hash)) {
    const fresh = lookFresh(turn, turn.swap.other, freshness(turn, null));
    if ('pending' in fresh) return fresh.pending;
    const dearer = signBetter(turn, funding.tx, { record });
    if (dearer !== null) return dearer;
  }
  if (!answered && (record.acceptedAt !== null || record.tx.tx_hash === spend?.tx?.tx_hash)) {
    return nudge(turn, turn.swap.other, record) ?? wakeIn(turn, turn.policy.spendPoll);
  }
  const sent = broadcastOwn(turn, turn.swap.other, { purpose: 'claim', record });
  return 'pending' in sent ? sent.pending : append(...sent.accepted);
}

function needsDearer(turn: Turn, record: PreparedRecord, shown?: string): boolean {
  return isDue(turn, dearerSpend(turn, { purpose: 'claim', record, shown }));
}

function signBetter(
  turn: Turn,
  funding: Signed['funding'],
  { record, doubtful = false }: Pick<Signed, 'doubtful'> & { readonly record: PreparedRecord },
): Proposal {
  return signClaim(turn, {
    ...{ funding, doubtful },
    ...nextVariant(turn, 'claim', record),
  });
}

/** The payment to claim has left the chain: whoever holds its bytes can send it again. */
export function bringBack(turn: Turn): Proposal {
  const { swap, policy } = turn;
  const payment = swap.otherPayment;
  if (payment === null || payment.tx_hex === '') return wakeIn(turn, policy.spendPoll);
  const { tx_hex, tx_hash } = payment;
  const answer = turn.facts.broadcasts.get(tx_hash);
  if (answer !== undefined) return wakeIn(turn, policy.spendPoll);
  return ask(turn, swap.other, { op: 'broadcast', transaction: { tx_hex, tx_hash }, key: `broadcast:${tx_hash}` });
}
