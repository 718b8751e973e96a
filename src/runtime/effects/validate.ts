import type { Want } from '../../../machines/definition.ts';
import {
  append,
  latestClock,
  lookPayment,
  nudgePayment,
  type Proposal,
  resend,
  type Turn,
  wakeAt,
  wakeIn,
} from '../turn.ts';
import { deadlineReached } from './pay.ts';
import { keepPayment } from './refund.ts';

/** Holds the other's payment against the negotiated terms and waits for its confirmations. */
export function validateOther(turn: Turn, want: Want): Proposal {
  const { swap, events, policy } = turn;
  const theirs = lookPayment(turn, swap.other, policy.confirmationPoll);
  if ('pending' in theirs) return overdue(turn, want) ?? theirs.pending;
  const { funding, problem, spend } = theirs.value;
  if (problem !== null) return append(...events.otherInvalid(problem));
  const needed = Math.max(1, swap.otherConfirmations);
  if (funding !== null && spend === null && funding.confirmations >= needed) return append(events.otherValidated());
  const late = overdue(turn, want);
  if (late !== null) return late;
  if (want.until !== undefined) wakeAt(turn, want.until + 1);
  return announcePayment(turn);
}

function overdue(turn: Turn, want: Want): Proposal {
  const { swap, events } = turn;
  if (want.until === undefined || latestClock(turn) <= want.until) return null;
  const hash = swap.otherPayment?.tx_hash ?? '';
  const text = `Waited too long until ${want.until / 1000} for transaction ${hash} to be confirmed ${swap.otherConfirmations} times`;
  return append(deadlineReached(want), ...events.otherUnconfirmed(text));
}

/** A maker repeats its payment's message until the taker's answer is there. */
export function announcePayment(turn: Turn): Proposal {
  const { swap, policy } = turn;
  if (swap.role !== 'maker' || swap.ownPayment === null) return null;
  const message = { kind: 'makerPayment', tx: swap.ownPayment, instructions: null } as const;
  return resend(turn, { topic: `swap/${swap.uuid}`, message, every: policy.resend.payment });
}

/**
 * The taker waits for the maker's payment until it is seen on the chain under the negotiated terms. The maker's message
 * only says that it is time to look: what counts is what the chain holds.
 */
export function waitForMakerPayment(turn: Turn, want: Want): Proposal {
  const { swap, events, facts, policy } = turn;
  const message = facts.inbox.get('makerPayment');
  const theirs = lookPayment(turn, swap.other, policy.confirmationPoll);
  if ('value' in theirs && theirs.value.funding !== null) {
    const instructions = message?.kind === 'makerPayment' ? message.instructions : null;
    const first = swap.state === 'instructionsReceived' ? [] : [instructionsReceived(instructions)];
    return append(...first, ...events.otherReceived(theirs.value.funding.tx));
  }
  if (want.until !== undefined) {
    if (latestClock(turn) > want.until) {
      const waited = Math.floor((want.until - swap.lastEventAt) / 1000);
      const text = `Error waiting for 'maker-payment' data: Timeout (${waited + 1} > ${waited})`;
      return append(deadlineReached(want), ...events.otherInvalid(text));
    }
    wakeAt(turn, want.until + 1);
  }
  const fee = events.feeMessage();
  const told =
    fee === null ? null : resend(turn, { topic: `swap/${swap.uuid}`, message: fee, every: policy.resend.fee });
  return told ?? ('pending' in theirs ? theirs.pending : null);
}

function instructionsReceived(data: unknown) {
  return { type: 'TakerPaymentInstructionsReceived', data };
}

/** The maker has paid and waits for the taker's payment; its own must confirm in time, and stay. */
export function waitForTakerPayment(turn: Turn, want: Want): Proposal {
  const { swap, events, policy } = turn;
  const mine = lookPayment(turn, swap.own, policy.confirmationPoll);
  if ('pending' in mine) return mine.pending;
  const now = latestClock(turn);
  const [confirmBy, messageBy] = events.takerPaymentDeadlines();
  const confirmed = (mine.value.funding?.confirmations ?? 0) >= 1;
  const theirs = lookPayment(turn, swap.other, policy.confirmationPoll);
  if ('value' in theirs && theirs.value.funding !== null) {
    return append(...events.otherReceived(theirs.value.funding.tx));
  }
  if (!confirmed && now > confirmBy) {
    const error = `!wait for maker payment confirmations: Waited too long until ${confirmBy / 1000} for transaction ${swap.ownPayment?.tx_hash ?? ''} to be confirmed 1 times`;
    return append(
      deadlineReached({ ...want, until: confirmBy }),
      { type: 'MakerPaymentWaitConfirmFailed', data: { error } },
      events.refundWaitStarted(),
    );
  }
  if (now > messageBy) {
    const waited = Math.floor((messageBy - swap.lastEventAt) / 1000);
    const error = `Timeout (${waited + 1} > ${waited})`;
    return append(
      deadlineReached({ ...want, until: messageBy }),
      { type: 'TakerPaymentValidateFailed', data: { error } },
      events.refundWaitStarted(),
    );
  }
  wakeAt(turn, confirmed ? messageBy + 1 : confirmBy + 1);
  if (mine.value.funding === null) {
    const again = keepPayment(turn);
    if (again !== null) return again;
  }
  const nudge = mine.value.funding === null ? null : nudgePayment(turn, mine.value.funding.confirmations);
  return (
    nudge ?? announcePayment(turn) ?? ('pending' in theirs ? theirs.pending : wakeIn(turn, policy.confirmationPoll))
  );
}
