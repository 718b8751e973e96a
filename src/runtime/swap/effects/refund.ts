import type { Want } from '../../../../machines/definition.ts';
import type { PreparedRecord } from '../../../../machines/journal/context.ts';
import { currentPrepared, everAttempted } from '../../../../machines/journal/context.ts';
import type { PaymentSpend, PaymentView, Sending } from '../../../ports/chain.ts';
import { onLeg } from '../../../primitives/pair.ts';
import type { NewEvent } from '../../command.ts';
import { affordable, dearerSpend, hasWaited, nextVariant, refundUrgency } from '../fee-bumps.ts';
import {
  append,
  broadcastOwn,
  freshness,
  judgeMissing,
  lookFresh,
  lookPayment,
  lookTransaction,
  nudge,
  nudgePayment,
  type Proposal,
  sign,
  type Turn,
  wakeAt,
  wakeIn,
} from '../turn.ts';
import { speedUpShown, variantWithChild } from './child.ts';
import { keepInDoubt, seenInDoubt, shownInDoubt } from './doubt.ts';
import { keepPayment } from './keep-payment.ts';
import { refundIsHarmless } from './rule-out.ts';
import { isDue, variantToFollow, variantToSend } from './variants.ts';
import { pushVoid } from './void.ts';
import { isWatched } from './watched.ts';
import { mayBeIncluded, nextRefund } from './without-effect.ts';

/**
 * Looks for the fate of this side's payment, and refunds it once the chain's own clock permits.
 *
 * It repeats the refund until it is final. It stops only if the chain shows that the other side took the payment with the secret; then the secret is
 * known and the claim starts.
 */
export function refund(turn: Turn, _want: Want): Proposal {
  const { swap, policy, traits } = turn;
  const mine = lookPayment(turn, swap.own, policy.refundPoll);
  if ('pending' in mine) return mine.pending ?? refundInDoubt(turn);
  const { funding, spend, refundable } = mine.value;
  if (spend?.how === 'secret') return takenByOther(turn, spend);
  if (spend?.how === 'refund') {
    return nudgePayment(turn, funding?.confirmations ?? 1) ?? refundSeen(turn, mine.value, spend);
  }
  const waiting = announce(turn, refundable);
  if (waiting !== null) return waiting;
  // A payment that is still unconfirmed when its lock has passed is voided before it can confirm.
  const missing = funding === null || (funding.confirmations === 0 && refundable);
  if (!missing && (!refundable || onLeg(traits, swap.own).refund === 'automatic'))
    return wakeIn(turn, policy.refundPoll);
  const harmless = refundIsHarmless(turn);
  if ('pending' in harmless) return harmless.pending;
  if (!harmless.value) return wakeIn(turn, policy.spendPoll);
  return missing ? paymentMissing(turn) : pushRefund(turn, funding.tx);
}

/** The public markers of the refund path, each once. */
function announce({ swap, events }: Turn, refundable: boolean): Proposal {
  if (swap.state === 'waitingForRefund' && refundable) return append(events.refundStarted());
  if (swap.state === 'waitingForRefund' || swap.state === 'refunding' || swap.state === 'refundFailed') return null;
  return append(events.refundWaitStarted());
}

function takenByOther(turn: Turn, spend: PaymentSpend): Proposal {
  const { swap, traits, journal } = turn;
  if (swap.role === 'taker') {
    if (spend.tx === null || spend.secret === null) return wakeIn(turn, turn.policy.spendPoll);
    return append({ type: 'TakerPaymentSpent', data: { transaction: spend.tx, secret: spend.secret } });
  }
  // The taker has the secret, so it is public on the taker chain: only the maker's claim is left.
  if (onLeg(journal.settled, swap.own) !== null) return wakeIn(turn, turn.policy.refundPoll);
  if (spend.confirmations < onLeg(traits, swap.own).finality) return wakeIn(turn, turn.policy.spendPoll);
  return append(settle(turn, spend, { how: 'claimed', by: 'counterparty' }));
}

function settle(
  { swap }: Turn,
  spend: PaymentSpend,
  { how, by }: { how: 'claimed' | 'refunded'; by: 'self' | 'counterparty' | 'watcher' | 'chain' },
): NewEvent {
  const { confirmations } = spend;
  return {
    type: 'PaymentSettled',
    data: { payment: swap.own, how, by, tx_hash: spend.tx?.tx_hash ?? null, confirmations },
  };
}

function refundSeen(turn: Turn, { refundable }: PaymentView, spend: PaymentSpend): Proposal {
  const { swap, events, journal, traits } = turn;
  const record = journal.prepared.refund.find(({ tx }) => tx.tx_hash === spend.tx?.tx_hash);
  const waiting = announce(turn, refundable || spend.confirmations > 0);
  if (waiting !== null) return waiting;
  if (spend.confirmations < onLeg(traits, swap.own).finality) {
    return spend.confirmations === 0 ? bumpRefund(turn, spend) : null;
  }
  const watched = spend.tx !== null && record === undefined && isWatched(turn);
  const by = spend.tx === null ? 'chain' : watched ? 'watcher' : 'self';
  const settled = settle(turn, spend, { how: 'refunded', by });
  return append(settled, watched ? events.refundedByOther(spend.tx) : events.refunded(spend.tx));
}

function usable({ journal }: Turn, funding: string): readonly PreparedRecord[] {
  return journal.prepared.refund.filter(({ target, dead }) => target === funding && !dead);
}

export function pushRefund(turn: Turn, funding: { tx_hex: string; tx_hash: string }): Proposal {
  const { swap } = turn;
  const variants = usable(turn, funding.tx_hash);
  const record = variantWithChild(turn, 'refund', variants) ?? variantToSend(turn, swap.own, variants);
  if (record === null) {
    const again = nextRefund(turn);
    if (again !== null) return wakeAt(turn, again);
    const wanted = refundUrgency(turn, funding.tx_hash);
    const urgency = affordable(turn, { leg: swap.own, purpose: 'refund', urgency: wanted });
    return signRefund(turn, { funding, urgency, replaces: currentPrepared(turn.journal, 'refund') });
  }
  const last = record === variants.at(-1);
  // Before anything more expensive: a refund that a block included without effect needs no higher fee.
  if (mayBeIncluded({ record, hasWaited: last && hasWaited(turn, 'refund', record) })) {
    const fate = judgeMissing(turn, swap.own, { purpose: 'refund', record });
    if (fate !== 'again') return fate.pending;
  }
  if (last && needsDearer(turn, record) && nextRefund(turn) === null) {
    const dearer = signBetter(turn, funding, { record });
    // A wallet that signs nothing now must not hold back what is already signed.
    if (dearer !== null) return dearer;
  }
  if (record.refused === 'parentsUnknown') {
    const parent = keepPayment(turn);
    if (parent !== null) return parent;
  }
  return bringOut(turn, record);
}

/**
 * Keeps sending a refund while too few servers report the own payment. Only one that has begun: by then, a trusted look has told the log that the
 * chain's own clock has passed the lock.
 */
function refundInDoubt(turn: Turn): Proposal {
  const { swap, journal, traits } = turn;
  const seen = seenInDoubt(turn, { leg: swap.own, payment: swap.ownPayment });
  const hasBegun = swap.state === 'refunding' || everAttempted(journal, 'refund');
  if (seen === null || !hasBegun || !seen.view.refundable || onLeg(traits, swap.own).refund === 'automatic')
    return null;
  if (seen.funding.confirmations === 0 || onLeg(journal.settled, swap.own) !== null) return null;
  const { tx } = seen.funding;
  const variants = usable(turn, tx.tx_hash);
  const shown = shownInDoubt(seen, variants);
  if (shown === null) return null;
  const harmless = refundIsHarmless(turn);
  if ('pending' in harmless) return harmless.pending;
  if (!harmless.value) return null;
  return keepInDoubt(turn, {
    ...{ leg: swap.own, seen, variants, shown },
    first: () =>
      signRefund(turn, {
        ...{ funding: tx, replaces: null, doubtful: true },
        urgency: affordable(turn, { leg: swap.own, purpose: 'refund', urgency: 0 }),
      }),
    needsBetter: (record) => needsDearer(turn, record, shown),
    better: (record) => signBetter(turn, tx, { record, doubtful: true }),
    send: (record) => bringOut(turn, record, { doubtful: true }),
  });
}

/** The refund that was signed with the payment was kept back until now. */
function bringOut(turn: Turn, record: PreparedRecord, sending: Sending = {}): Proposal {
  if (record.attemptedAt === null) {
    return append({ type: 'BroadcastAttempted', data: { purpose: 'refund', tx_hash: record.tx.tx_hash } });
  }
  const sent = broadcastOwn(turn, turn.swap.own, { purpose: 'refund', record, ...sending });
  return 'pending' in sent ? sent.pending : append(...sent.accepted);
}

type Signed = {
  readonly funding: { readonly tx_hex: string; readonly tx_hash: string };
  readonly urgency: number;
  readonly replaces: PreparedRecord | null;
  /** Whether only too few servers say so. */
  readonly doubtful?: boolean;
};

function signRefund(turn: Turn, { funding, urgency, replaces, doubtful = false }: Signed): Proposal {
  const { swap } = turn;
  if (swap.ownTerms === null) return null;
  const { tx_hex, tx_hash } = funding;
  const request = {
    purpose: 'refund',
    terms: swap.ownTerms,
    funding: { tx_hex, tx_hash },
    urgency,
    replaces: replaces?.tx ?? null,
    ...(doubtful ? { doubtful } : {}),
  } as const;
  return sign(turn, { leg: swap.own, purpose: 'refund', request, target: tx_hash, urgency });
}

/**
 * As for a claim: a dearer refund replaces one in the mempool that does not confirm. If the chain's clock has not passed the lock, as after a
 * reorganization or a lie, no fee gets it into a block.
 */
export function bumpRefund(turn: Turn, spend: PaymentSpend): Proposal {
  const { swap, facts, policy } = turn;
  const { funding = null, refundable = false } = onLeg(facts.payments, swap.own)?.value ?? {};
  const variants = funding === null ? [] : usable(turn, funding.tx.tx_hash);
  const child = refundable ? speedUpShown(turn, { leg: swap.own, purpose: 'refund', variants, spend }) : null;
  if (child !== null) return child;
  const record = variantToFollow(turn, swap.own, { variants, shown: spend.tx?.tx_hash });
  if (funding === null || record === null || record === 'wait') return wakeIn(turn, policy.spendPoll);
  const answered = facts.broadcasts.has(record.tx.tx_hash);
  if (!answered && !refundable) return wakeIn(turn, policy.spendPoll);
  if (!answered && record === variants.at(-1) && needsDearer(turn, record, spend.tx?.tx_hash)) {
    const fresh = lookFresh(turn, swap.own, freshness(turn, null));
    if ('pending' in fresh) return fresh.pending;
    const dearer = signBetter(turn, funding.tx, { record });
    if (dearer !== null) return dearer;
  }
  const waits = record.acceptedAt !== null || record.attemptedAt === null || record.tx.tx_hash === spend.tx?.tx_hash;
  if (!answered && waits) return nudge(turn, swap.own, record) ?? wakeIn(turn, policy.spendPoll);
  const sent = broadcastOwn(turn, swap.own, { purpose: 'refund', record });
  return 'pending' in sent ? sent.pending : append(...sent.accepted);
}

function needsDearer(turn: Turn, record: PreparedRecord, shown?: string): boolean {
  return isDue(turn, dearerSpend(turn, { purpose: 'refund', record, shown }));
}

function signBetter(
  turn: Turn,
  funding: Signed['funding'],
  { record, doubtful = false }: Pick<Signed, 'doubtful'> & { readonly record: PreparedRecord },
): Proposal {
  return signRefund(turn, {
    ...{ funding, doubtful },
    ...nextVariant(turn, 'refund', record),
  });
}

/**
 * The own payment is not on the chain although it was sent. Before the lock, the engine sends it again; afterwards it voids it, because the other
 * side could take a payment that confirms so late and refund its own.
 */
export function paymentMissing(turn: Turn): Proposal {
  const { swap, journal, events, traits, policy } = turn;
  const record = currentPrepared(journal, 'payment');
  if (record === null) return wakeIn(turn, policy.refundPoll);
  const view = lookTransaction(turn, swap.own, { hash: record.tx.tx_hash, maxAge: policy.refundPoll });
  if ('pending' in view) return view.pending;
  const { status, confirmations } = view.value;
  if (status === 'confirmed') return wakeIn(turn, policy.refundPoll);
  if ((status === 'conflicted' || status === 'reverted') && confirmations >= onLeg(traits, swap.own).finality) {
    if (swap.state === 'waitingForRefund') return append(events.refundStarted());
    const settled = { payment: swap.own, how: 'voided', by: 'self', tx_hash: null, confirmations } as const;
    return append({ type: 'PaymentSettled', data: settled }, events.refunded(null));
  }
  return pushVoid(turn, record, { status, poll: policy.refundPoll });
}
