import type { Role } from '../../events/catalog.ts';
import {
  makerSpendDeadline,
  NEGOTIATION_GRACE,
  NEGOTIATION_WAIT,
  PAYMENT_MESSAGE_GRACE,
  PAYMENT_MESSAGE_WAIT,
  spendConfirmDeadline,
  takerPaymentMessageWait,
  watcherRefundFrom,
  watcherSpendFrom,
} from '../../htlc/lock-times.ts';
import { addSeconds, type Millis, millisOf, type Seconds, toMillis, type UnixSeconds } from '../../primitives/time.ts';
import { seededInt } from './seeded.ts';
import type { SwapTerms } from './swap-terms.ts';
import { SENT_AFTER, scaled } from './swap-transactions.ts';

/** When an event may come: so many seconds after the one before it, and not before a moment that the terms give. */
type Timing = { readonly after?: Seconds; readonly notBefore?: (terms: SwapTerms) => UnixSeconds };

const BLOCK: Seconds = 60;
const CONFIRMATION_POLL: Seconds = 15;
/** A refund lands when the median time past of the chain is above the lock, which is up to an hour later. */
const MEDIAN_TIME_LAG: Seconds = 1800;

const sent = (name: keyof typeof SENT_AFTER, later = 0) => ({
  notBefore: (terms: SwapTerms) => addSeconds(terms.takerStartedAt, scaled(terms, SENT_AFTER[name] + later)),
});

const TAKER: Readonly<Record<string, Timing>> = {
  StartFailed: {},
  Negotiated: { after: 10 },
  NegotiateFailed: { after: NEGOTIATION_WAIT + NEGOTIATION_GRACE + 1 },
  TakerFeeSent: sent('takerFee'),
  TakerPaymentInstructionsReceived: sent('makerPayment', 2),
  MakerPaymentReceived: sent('makerPayment', 2),
  MakerPaymentValidatedAndConfirmed: { after: 2 * BLOCK },
  MakerPaymentValidateFailed: { after: PAYMENT_MESSAGE_WAIT + PAYMENT_MESSAGE_GRACE + 1 },
  MakerPaymentWaitConfirmFailed: { notBefore: (terms) => addSeconds(terms.makerPaymentWait, CONFIRMATION_POLL) },
  TakerPaymentSent: sent('takerPayment'),
  TakerPaymentWaitConfirmFailed: { notBefore: (terms) => addSeconds(terms.takerLock, CONFIRMATION_POLL) },
  TakerPaymentSpent: sent('takerPaymentSpend', 10),
  TakerPaymentWaitForSpendFailed: { notBefore: (terms) => addSeconds(terms.takerLock, CONFIRMATION_POLL) },
  MakerPaymentSpent: { after: 1 },
  MakerPaymentSpendConfirmed: { after: 2 * BLOCK },
  MakerPaymentSpendConfirmFailed: {
    notBefore: (terms) => addSeconds(spendConfirmDeadline(terms.takerLock), CONFIRMATION_POLL),
  },
  MakerPaymentSpentByWatcher: {
    notBefore: (terms) => addSeconds(watcherSpendFrom(terms.takerStartedAt, terms.lockDuration), BLOCK),
  },
  TakerPaymentRefunded: { notBefore: (terms) => addSeconds(terms.takerLock, MEDIAN_TIME_LAG) },
  TakerPaymentRefundFailed: { notBefore: (terms) => addSeconds(terms.takerLock, MEDIAN_TIME_LAG) },
  TakerPaymentRefundedByWatcher: {
    notBefore: (terms) => addSeconds(watcherRefundFrom(terms.takerStartedAt, terms.lockDuration), BLOCK),
  },
};

const MAKER: Readonly<Record<string, Timing>> = {
  StartFailed: {},
  Negotiated: { after: 10 },
  NegotiateFailed: { after: NEGOTIATION_WAIT + NEGOTIATION_GRACE + 1 },
  MakerPaymentInstructionsReceived: sent('takerFee', 5),
  TakerFeeValidated: sent('takerFee', 5),
  TakerFeeValidateFailed: { after: PAYMENT_MESSAGE_WAIT + PAYMENT_MESSAGE_GRACE + 1 },
  MakerPaymentSent: sent('makerPayment'),
  MakerPaymentWaitConfirmFailed: { notBefore: (terms) => addSeconds(terms.makerPaymentWait, CONFIRMATION_POLL) },
  TakerPaymentReceived: sent('takerPayment', 5),
  TakerPaymentValidateFailed: {
    notBefore: (terms) => addSeconds(terms.makerStartedAt, takerPaymentMessageWait(terms.lockDuration) + BLOCK),
  },
  TakerPaymentValidatedAndConfirmed: { after: 2 * BLOCK },
  TakerPaymentWaitConfirmFailed: {
    notBefore: (terms) => addSeconds(makerSpendDeadline(terms.makerStartedAt, terms.lockDuration), CONFIRMATION_POLL),
  },
  TakerPaymentSpent: sent('takerPaymentSpend'),
  TakerPaymentSpendConfirmed: { after: 2 * BLOCK },
  TakerPaymentSpendConfirmFailed: {
    notBefore: (terms) => addSeconds(spendConfirmDeadline(terms.makerLock), CONFIRMATION_POLL),
  },
  MakerPaymentRefunded: { notBefore: (terms) => addSeconds(terms.makerLock, MEDIAN_TIME_LAG) },
  MakerPaymentRefundFailed: { notBefore: (terms) => addSeconds(terms.makerLock, MEDIAN_TIME_LAG) },
};

const TIMINGS: Readonly<Record<Role, Readonly<Record<string, Timing>>>> = { taker: TAKER, maker: MAKER };

/**
 * A time for each event of a log: never before the one before it, and where the path allows it within the deadlines of the
 * protocol. Events that a node emits together are a millisecond apart.
 */
export function swapTimeline(role: Role, path: readonly string[], terms: SwapTerms): readonly Millis[] {
  const startedAt = role === 'taker' ? terms.takerStartedAt : terms.makerStartedAt;
  let last: number = toMillis(startedAt);
  return path.map((type, seq) => {
    const timing = TIMINGS[role][type];
    const earliest = timing?.notBefore === undefined ? 0 : toMillis(timing.notBefore(terms));
    const pause = timing === undefined ? 1 : Math.max(1, scaled(terms, timing.after ?? 1) * 1000);
    const jitter =
      timing === undefined && seq > 0
        ? 0
        : seededInt(terms.seed, `${role} jitter ${seq}`, Math.max(1, scaled(terms, 900)));
    last = Math.max(last + pause, earliest) + jitter;
    return millisOf(last);
  });
}
