import { endOf } from '../../../../machines/deadlines/message-wait.ts';
import type { Want } from '../../../../machines/definition.ts';
import type { StoredTransaction } from '../../../events/payloads.ts';
import {
  makerPaymentMessageMissing,
  makerPaymentUnconfirmed,
  messageMissing,
  waitedTooLongToConfirm,
} from '../../../htlc/error-texts.ts';
import type { PaymentView } from '../../../ports/chain.ts';
import { onLeg } from '../../../primitives/pair.ts';
import { type Millis, toUnixSeconds } from '../../../primitives/time.ts';
import { agreedForOther, isConfirmed } from '../../is-confirmed.ts';
import {
  append,
  latestClock,
  lookPayment,
  lookQuote,
  nudgePayment,
  type Proposal,
  resend,
  sentLately,
  type Turn,
  wakeAt,
  wakeIn,
} from '../turn.ts';
import { speedUpPayment } from './child.ts';
import { keepPayment, tellTaken } from './keep-payment.ts';
import { takenPayment } from './own-things.ts';
import { deadlineReached } from './pay.ts';
import { needsPreimages } from './preimages.ts';
import { waitedTooLong } from './waiting.ts';

/** Checks the other side's payment against the negotiated terms and waits for its confirmations. */
export function validateOther(turn: Turn, want: Want): Proposal {
  const { swap, events, policy } = turn;
  const theirs = lookPayment(turn, swap.other, policy.confirmationPoll);
  if ('pending' in theirs) return overdue(turn, want) ?? theirs.pending;
  const { funding, problem, spend } = theirs.value;
  const taken = takenPayment(turn, funding?.tx.tx_hash);
  if (taken !== null) return append(...events.otherInvalid(taken));
  const isStrange = problem !== null && funding !== null && funding.tx.tx_hash !== swap.otherPayment?.tx_hash;
  if (problem !== null && !isStrange) return append(...events.otherInvalid(problem));
  if (problem === null && funding !== null && spend === null && isConfirmed(funding, agreedForOther(swap))) {
    return append(events.otherValidated());
  }
  const late = overdue(turn, want);
  if (late !== null) return late;
  if (want.until !== undefined) wakeAt(turn, want.until + 1);
  return announcePayment(turn);
}

/**
 * The transaction of the other's payment, as a look shows it. One that does not fulfill the terms counts only where the other side has named it: anyone
 * who knows the terms can send something else to where the payment will be.
 */
function seenPayment({ swap, facts }: Turn, { funding, problem }: PaymentView): StoredTransaction | null {
  if (funding === null || problem === null) return funding?.tx ?? null;
  const named = facts.inbox.get(swap.role === 'taker' ? 'makerPayment' : 'takerPayment');
  const isNamed = named !== undefined && 'tx' in named && named.tx.tx_hash === funding.tx.tx_hash;
  return isNamed ? funding.tx : null;
}

/** A transaction in a mempool can be replaced, so it waits for one confirmation even if none was required. */
function leastConfirmations({ swap }: Turn): number {
  return Math.max(1, swap.otherConfirmations);
}

function overdue(turn: Turn, want: Want): Proposal {
  const { swap, events } = turn;
  if (want.until === undefined || latestClock(turn) <= want.until) return null;
  const hash = swap.otherPayment?.tx_hash ?? '';
  const options = { until: toUnixSeconds(want.until), confirmations: leastConfirmations(turn) };
  return append(deadlineReached(turn, want), ...events.otherUnconfirmed(waitedTooLongToConfirm(hash, options)));
}

/** A maker repeats its payment's message until the taker's answer is there. */
export function announcePayment(turn: Turn): Proposal {
  const { swap, policy } = turn;
  if (swap.role !== 'maker' || swap.ownPayment === null) return null;
  if (sentLately(turn, 'makerPayment', policy.resend.payment)) return null;
  const message = { kind: 'makerPayment', tx: swap.ownPayment, instructions: null } as const;
  return { kind: 'send', topic: `swap/${swap.uuid}`, message };
}

/**
 * The taker waits until it sees the maker's payment on the chain under the negotiated terms. The maker's message only says that it is time to look:
 * only the chain counts.
 */
export function waitForMakerPayment(turn: Turn, want: Want): Proposal {
  const { swap, events, facts, policy } = turn;
  const message = facts.inbox.get('makerPayment');
  const theirs = lookPayment(turn, swap.other, policy.confirmationPoll);
  const found = 'value' in theirs ? seenPayment(turn, theirs.value) : null;
  const taken = takenPayment(turn, found?.tx_hash);
  if (taken !== null) return append(...events.otherInvalid(taken));
  if (found !== null) {
    const instructions = message?.kind === 'makerPayment' ? message.instructions : null;
    const first = swap.state === 'instructionsReceived' ? [] : [instructionsReceived(instructions)];
    return append(...first, ...events.otherReceived(found));
  }
  const elapsed = want.wait === undefined ? null : waitedTooLong(turn, want.wait);
  if (want.wait !== undefined && elapsed !== null) {
    const error = makerPaymentMessageMissing(elapsed, want.wait.limit);
    return append(deadlineReached(turn, want), { type: 'MakerPaymentValidateFailed', data: { error } });
  }
  return tellFee(turn) ?? ('pending' in theirs ? theirs.pending : null);
}

/** A watched taker also asks the maker to pay for watchers, if the maker's chain pays them that way. */
function tellFee(turn: Turn): Proposal {
  const { swap, events, policy, traits } = turn;
  const fee = events.feeMessage();
  if (fee === null || sentLately(turn, fee.kind, policy.resend.fee)) return null;
  const asks = fee.kind === 'takerFee' && traits.maker.rewards === true && needsPreimages(turn);
  const quote = asks ? lookQuote(turn, 'maker') : null;
  if (quote !== null && 'pending' in quote && quote.pending !== null) return quote.pending;
  const reward = quote !== null && 'value' in quote ? quote.value.value.reward : undefined;
  const message = reward === undefined ? fee : { ...fee, instructions: { WatcherReward: reward } };
  return resend(turn, { topic: `swap/${swap.uuid}`, message, every: policy.resend.fee });
}

function instructionsReceived(data: unknown) {
  return { type: 'TakerPaymentInstructionsReceived', data };
}

/**
 * The maker has paid and waits for the taker's payment; its own must confirm in time, and stay. If the own chain does not answer, that says nothing:
 * the maker still looks for the taker's payment, and the wait for it has its end.
 */
export function waitForTakerPayment(turn: Turn, want: Want): Proposal {
  const { swap, events, policy } = turn;
  const told = tellTaken(turn);
  if (told !== null) return told;
  const mine = lookPayment(turn, swap.own, policy.confirmationPoll);
  if ('pending' in mine && mine.pending !== null) return mine.pending;
  const theirs = lookPayment(turn, swap.other, policy.confirmationPoll);
  if ('pending' in theirs && theirs.pending !== null) return theirs.pending;
  const found = 'value' in theirs ? seenPayment(turn, theirs.value) : null;
  const taken = takenPayment(turn, found?.tx_hash);
  if (taken !== null) return append(...events.otherInvalid(taken));
  if (found !== null) return append(...events.otherReceived(found));
  const own = 'value' in mine ? mine.value : null;
  const late = ownUnconfirmed(turn, want, own) ?? messageOverdue(turn, want);
  if (late !== null) return late;
  if (own === null) return announcePayment(turn);
  if (own.funding === null) {
    const again = keepPayment(turn);
    if (again !== null) return again;
  }
  const helped =
    own.funding === null ? null : (nudgePayment(turn, own.funding.confirmations) ?? speedUpPayment(turn, own.funding));
  return helped ?? announcePayment(turn) ?? wakeIn(turn, policy.confirmationPoll);
}

/** A look shows the own payment, but it lacks the agreed confirmations when their time is over. */
function ownUnconfirmed(turn: Turn, want: Want, own: PaymentView | null): Proposal {
  const { swap, events } = turn;
  if (own === null || (own.funding !== null && own.funding.confirmations >= swap.ownConfirmations)) return null;
  const { until } = want;
  if (until === undefined) return null;
  if (latestClock(turn) <= until) return wakeAt(turn, until + 1);
  const options = { until: toUnixSeconds(until), confirmations: swap.ownConfirmations };
  const text = waitedTooLongToConfirm(swap.ownPayment?.tx_hash ?? '', options);
  return append(
    deadlineReached(turn, want),
    { type: 'MakerPaymentWaitConfirmFailed', data: { error: makerPaymentUnconfirmed(text) } },
    events.refundWaitStarted(),
  );
}

/** Counted from when the own payment was seen confirmed; if that is unknown, from the last moment for it. */
function messageOverdue(turn: Turn, want: Want): Proposal {
  const { swap, events, facts } = turn;
  if (want.wait === undefined) return null;
  const latest = want.wait.since;
  const since = Math.min(onLeg(facts.confirmedSince, swap.own) ?? latest, latest) as Millis;
  const wait = { since, limit: want.wait.limit };
  const elapsed = waitedTooLong(turn, wait);
  if (elapsed === null) return null;
  return append(
    deadlineReached(turn, { ...want, until: endOf(wait) }),
    { type: 'TakerPaymentValidateFailed', data: { error: messageMissing(elapsed, wait.limit) } },
    events.refundWaitStarted(),
  );
}
