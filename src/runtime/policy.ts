import {
  CONFIRMATION_POLL,
  FEE_MESSAGE_RESEND,
  FEE_VALIDATION_RETRIES,
  FEE_VALIDATION_RETRY,
  NEGOTIATION_RESEND,
  PAYMENT_MESSAGE_RESEND,
  REFUND_RECHECK_AFTER_ERROR,
  SPEND_SEARCH_POLL,
} from '../htlc/lock-times.ts';
import type { DecimalText } from '../primitives/decimal.ts';
import type { Seconds } from '../primitives/time.ts';
import type { FinalityPolicy } from './finality.ts';

/** How long to wait before the next try of the same thing: `first × factor^n`, at most `most`. */
export type Backoff = { readonly first: Seconds; readonly factor: number; readonly most: Seconds };

/** No fee is raised more often than this. */
export const MOST_URGENT = 12;

/** No more different transactions are signed for one purpose of a swap; then those that there are go out again and again. */
export const MOST_VARIANTS = 20;

/** How fees rise, and how far. What is spent so far is in the log, so that a restart changes nothing. */
export type FeePolicy = {
  /** Least pause between two variants of one transaction of which the second pays more. @defaultValue 60 s */
  readonly pause: Seconds;
  /** A variant that was refused for its fee is worth another try after this long, before a dearer one. @defaultValue 600 s */
  readonly retryCheaper: Seconds;
  /**
   * The most that one fee may be, as a part of the amount of the swap on that chain: of what is claimed, paid or taken back.
   * In the last fifth of the lock before the other side can take its payment back, a claim may cost all but the least amount
   * that can be sent: nothing is left of it otherwise. So may a taker's refund by then. What tries without effect have cost counts against
   * either, but never leaves less than a fifth of the first. @defaultValue 0.1
   */
  readonly share: number;
  /** No bound is below so many times the fee that the swap started with; where another coin pays the fees, that is the bound. @defaultValue 10 */
  readonly factor: number;
  /** A lower bound by the coin that pays the fee, in its units. The last fifth of the lock overrides it, where one coin is both. @defaultValue none */
  readonly most: Readonly<Record<string, DecimalText>>;
};

/** All timings and depths of a runner that the log does not fix. Data, so that a test or an operator can change them. */
export type Policy = {
  /** Pause between two looks at a payment whose confirmations are awaited. @defaultValue 15 s (KDF) */
  readonly confirmationPoll: Seconds;
  /** Pause between two searches for a spend. @defaultValue 10 s (KDF) */
  readonly spendPoll: Seconds;
  /** Pause between two looks while nothing but a lock time is awaited. @defaultValue 30 s */
  readonly refundPoll: Seconds;
  /**
   * How old a look may grow while a swap only waits and the chain's feed is complete, so that nothing is asked between two pieces of
   * news; no more than a quarter of the published margin. What is done on a chain rests on looks as recent as without any feed, and
   * from the margin before the other side can take its payment back on the feed is not relied on. 0 for polls as without a feed.
   * @defaultValue 600 s; 390 s for the ordinary lock
   */
  readonly safetyLook: Seconds;
  /**
   * How old a look may be at the moment of paying or of revealing the secret. Where chains answer so slowly that both cannot be seen
   * within it, as long as that takes, up to a tenth of the time that is left. @defaultValue 10 s
   */
  readonly freshness: Seconds;
  readonly resend: { readonly negotiation: Seconds; readonly fee: Seconds; readonly payment: Seconds };
  readonly feeCheck: { readonly retries: number; readonly pause: Seconds };
  readonly backoff: Backoff;
  /** How long the questions before the start may take before the swap is given up. @defaultValue 60 s */
  readonly startWithin: Seconds;
  /** A transaction that was taken and is not seen for this long counts as dropped. @defaultValue 60 s */
  readonly dropAfter: Seconds;
  /** A claim or refund without a confirmation for this long is replaced by one that pays more. @defaultValue 600 s */
  readonly bumpAfter: Seconds;
  readonly fees: FeePolicy;
  /** Least time that must be left, by every clock, before a side pays or reveals the secret. @defaultValue 0: the deadlines hold margins of their own. */
  readonly margin: Seconds;
  /** How deep is final, by coin and amount. @defaultValue each chain's own number */
  readonly finality: FinalityPolicy;
  /** After its end a swap is watched until the last spend is this many times as deep as final. @defaultValue 2 */
  readonly guardFactor: number;
  /** Longest time for which a finished swap is watched, by the clock of the chain on which it ended. @defaultValue 86 400 s */
  readonly guardFor: Seconds;
};

export const DEFAULT_POLICY: Policy = {
  confirmationPoll: CONFIRMATION_POLL,
  spendPoll: SPEND_SEARCH_POLL,
  refundPoll: REFUND_RECHECK_AFTER_ERROR,
  safetyLook: 600,
  freshness: 10,
  resend: { negotiation: NEGOTIATION_RESEND, fee: FEE_MESSAGE_RESEND, payment: PAYMENT_MESSAGE_RESEND },
  feeCheck: { retries: FEE_VALIDATION_RETRIES, pause: FEE_VALIDATION_RETRY },
  backoff: { first: 5, factor: 2, most: 300 },
  startWithin: 60,
  dropAfter: 60,
  bumpAfter: 600,
  fees: { pause: 60, retryCheaper: 600, share: 0.1, factor: 10, most: {} },
  margin: 0,
  finality: {},
  guardFactor: 2,
  guardFor: 86_400,
};

/** Milliseconds until the next try after `failures` failed ones in a row, rounded up to whole ones. */
export function backoffMillis({ first, factor, most }: Backoff, failures: number): number {
  return Math.ceil(Math.min(first * factor ** Math.max(0, failures - 1), most) * 1000);
}
