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

/** How long to wait before the next attempt at the same thing: `first × factor^n`, at most `most`. */
export type Backoff = { readonly first: Seconds; readonly factor: number; readonly most: Seconds };

/** No fee is raised more often than this. */
export const MOST_URGENT = 12;

/**
 * The most different transactions signed for one purpose of a swap; after that, the existing ones are sent again and
 * again.
 */
export const MOST_VARIANTS = 20;

/** How fees rise, and how far. The log holds what is spent so far, so a restart changes nothing. */
export type FeePolicy = {
  /** Shortest pause between two variants of one transaction, of which the second pays more. @defaultValue 60 s */
  readonly pause: Seconds;
  /** A variant refused for its fee is tried again after this long, before a more expensive one. @defaultValue 600 s */
  readonly retryCheaper: Seconds;
  /**
   * The most that one fee may be, as a fraction of the swap's amount on that chain: of what is claimed, paid or
   * refunded. In the last fifth of the lock before the other side can take its payment back, a claim may cost all but
   * the smallest amount that can be sent, because otherwise everything is lost. So may a taker's refund by then. The
   * cost of attempts without effect counts against either limit, but never leaves less than a fifth of the first.
   * @defaultValue 0.1
   */
  readonly share: number;
  /**
   * No limit is below this multiple of the fee that the swap started with; if another coin pays the fees, that is the
   * limit. @defaultValue 10
   */
  readonly factor: number;
  /**
   * A lower limit per coin that pays the fee, in its units. The last fifth of the lock overrides it if the same coin is
   * swapped and pays the fee. @defaultValue none
   */
  readonly most: Readonly<Record<string, DecimalText>>;
};

/**
 * All timings and depths of a runner that the log does not fix. They are data, so a test or an operator can change
 * them.
 */
export type Policy = {
  /** Pause between two looks at a payment whose confirmations are awaited. @defaultValue 15 s (KDF) */
  readonly confirmationPoll: Seconds;
  /** Pause between two searches for a spend. @defaultValue 10 s (KDF) */
  readonly spendPoll: Seconds;
  /** Pause between two looks while a swap only waits for a lock time. @defaultValue 30 s */
  readonly refundPoll: Seconds;
  /**
   * How old a look may grow while a swap only waits and the chain's feed is complete, so the engine asks nothing
   * between two pieces of news; at most a quarter of the published margin. Actions on a chain need looks as recent as
   * without a feed, and from the margin before the other side's refund on, the engine does not rely on the feed. 0
   * polls as often as without a feed.
   * @defaultValue 600 s; 390 s for the ordinary lock
   */
  readonly safetyLook: Seconds;
  /**
   * How old a look may be when the engine pays or reveals the secret. If chains answer too slowly to see both within
   * it, as long as that takes, up to a tenth of the remaining time. @defaultValue 10 s
   */
  readonly freshness: Seconds;
  readonly resend: { readonly negotiation: Seconds; readonly fee: Seconds; readonly payment: Seconds };
  readonly feeCheck: { readonly retries: number; readonly pause: Seconds };
  readonly backoff: Backoff;
  /** How long the questions before the start may take before the swap is abandoned. @defaultValue 60 s */
  readonly startWithin: Seconds;
  /** An accepted transaction that is not seen for this long counts as dropped. @defaultValue 60 s */
  readonly dropAfter: Seconds;
  /**
   * A claim or refund without a confirmation for this long is replaced by one with a higher fee. @defaultValue 600 s
   */
  readonly bumpAfter: Seconds;
  readonly fees: FeePolicy;
  /**
   * Least time that must remain, by every clock, when a side pays or reveals the secret. @defaultValue 0: the deadlines
   * contain their own margins.
   */
  readonly margin: Seconds;
  /** The depth that is final, by coin and amount. @defaultValue each chain's own number */
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

/** Milliseconds until the next attempt after `failures` consecutive failures, rounded up. */
export function backoffMillis({ first, factor, most }: Backoff, failures: number): number {
  return Math.ceil(Math.min(first * factor ** Math.max(0, failures - 1), most) * 1000);
}
