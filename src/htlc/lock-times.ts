import { addSeconds, type Seconds, type UnixSeconds } from '../primitives/time.ts';

/** KDF's PAYMENT_LOCKTIME: lock duration of two ordinary coins, from which all others derive. */
export const BASE_LOCK_DURATION: Seconds = 7800;

/** Lock durations that KDF uses, as multiples of the base: ordinary, slow or notarized, slow under the first rule, Lightning. */
export const LOCK_MULTIPLES = [1, 4, 10, 12] as const;

/** Lock durations that a watcher accepts: all except that of Lightning. */
export const WATCHED_LOCK_MULTIPLES = [1, 4, 10] as const;

/** Wait for a negotiation message, and the grace that KDF adds. */
export const NEGOTIATION_WAIT: Seconds = 90;
export const NEGOTIATION_GRACE: Seconds = 90;
/** Wait of the taker for the maker's payment, and of the maker for the taker's fee, each with its grace. */
export const PAYMENT_MESSAGE_WAIT: Seconds = 600;
export const PAYMENT_MESSAGE_GRACE: Seconds = 90;
/** Grace added to 3/5 of the lock duration, in which the maker waits for the taker's payment. */
export const TAKER_PAYMENT_MESSAGE_GRACE: Seconds = 90;

export const NEGOTIATION_RESEND: Seconds = 15;
export const FEE_MESSAGE_RESEND: Seconds = 100;
export const PAYMENT_MESSAGE_RESEND: Seconds = 600;
export const CONFIRMATION_POLL: Seconds = 15;
export const SPEND_SEARCH_POLL: Seconds = 10;
export const FEE_VALIDATION_RETRY: Seconds = 10;
/** Retries after the first attempt. */
export const FEE_VALIDATION_RETRIES = 6;

/** What `wait_until` adds to a lock, and how long after its lock a party waits for its own spend to confirm. */
export const AFTER_LOCK_WAIT: Seconds = 3700;
/** Largest difference between the clocks of both parties at negotiation. */
export const MAX_CLOCK_DIFFERENCE: Seconds = 60;
/** Pause between two checks of the chain's time before a refund. KDF waits this long after an error, and up to an hour after an answer. */
export const REFUND_RECHECK_AFTER_ERROR: Seconds = 30;

/** The maker's lock as a multiple of the lock duration: 1.5 when the taker coin is Lightning, else 2. */
export type MakerLockMultiplier = 1.5 | 2;

/** Settings of both sides that decide the lock duration. */
export type LockDurationParameters = {
  /** Orderbook tickers, so without `-segwit`. */
  readonly makerCoin: string;
  readonly takerCoin: string;
  /** Whether either side requires notarization. Undefined if a side sent no confirmation settings: then the older rule applies. */
  readonly notarisationRequired: boolean | undefined;
  /** KDF's `payment_locktime`, which both sides must share. @defaultValue {@link BASE_LOCK_DURATION} */
  readonly base?: Seconds;
};

const SLOW_COINS = ['BCH', 'BTG', 'SBTC'];

/**
 * The lock duration that KDF negotiates for two coins, in seconds.
 *
 * @example
 * ```ts
 * import { lockDuration } from 'swapfold/htlc';
 *
 * lockDuration({ makerCoin: 'LTC', takerCoin: 'KMD', notarisationRequired: true }); // → 31_200
 * const coins = { makerCoin: 'BTC', takerCoin: 'KMD' };
 * lockDuration({ ...coins, notarisationRequired: undefined }); // → 78_000
 * ```
 */
export function lockDuration(parameters: LockDurationParameters): Seconds {
  const { makerCoin, takerCoin, notarisationRequired, base = BASE_LOCK_DURATION } = parameters;
  const coins = [makerCoin, takerCoin];
  const bitcoin = coins.includes('BTC');
  const slow = coins.some((coin) => SLOW_COINS.includes(coin));
  if (notarisationRequired === undefined) return base * (bitcoin ? 10 : slow ? 4 : 1);
  if (isLightning(takerCoin)) return base * 12;
  return base * (bitcoin || slow || notarisationRequired ? 4 : 1);
}

/**
 * The ticker of a coin in the order book: `LTC` for `LTC-segwit`.
 *
 * @example
 * ```ts
 * import { orderbookTicker } from 'swapfold/htlc';
 *
 * orderbookTicker('LTC-segwit'); // → 'LTC'
 * orderbookTicker('USDC-ERC20'); // → 'USDC-ERC20'
 * ```
 */
export function orderbookTicker(ticker: string): string {
  return ticker.endsWith('-segwit') ? ticker.slice(0, -'-segwit'.length) : ticker;
}

/**
 * Every lock duration that two KDF nodes may agree on for two coins, shortest first. There can be more than one: the older rule applies if a side
 * sent no settings, and a side may have required notarization without that becoming part of the swap.
 *
 * @example
 * ```ts
 * import { lockDurations } from 'swapfold/htlc';
 *
 * const coins = { makerCoin: 'BTC', takerCoin: 'LTC-segwit' };
 * lockDurations({ ...coins, notarisationRequired: false }); // → [31_200, 78_000]
 * ```
 */
export function lockDurations(parameters: LockDurationParameters): readonly Seconds[] {
  const { notarisationRequired, base, ...coins } = parameters;
  const pair = {
    makerCoin: orderbookTicker(coins.makerCoin),
    takerCoin: orderbookTicker(coins.takerCoin),
    ...(base === undefined ? {} : { base }),
  };
  const rules = [notarisationRequired, true, undefined];
  const found = new Set(rules.map((required) => lockDuration({ notarisationRequired: required, ...pair })));
  return [...found].toSorted((left, right) => left - right);
}

/** Which multiple of the base a stored lock duration is; undefined if KDF does not use it. */
export function lockMultiple(lockDuration: Seconds): (typeof LOCK_MULTIPLES)[number] | undefined {
  return LOCK_MULTIPLES.find((multiple) => multiple * BASE_LOCK_DURATION === lockDuration);
}

/**
 * Whether a watcher accepts a swap with this lock duration, where `base` is the network's `payment_locktime`.
 *
 * @example
 * ```ts
 * import { isWatchedLockDuration } from 'swapfold/htlc';
 *
 * isWatchedLockDuration(4 * 7800); // → true
 * isWatchedLockDuration(12 * 7800); // → false
 * ```
 */
export function isWatchedLockDuration(lockDuration: Seconds, base: Seconds = BASE_LOCK_DURATION): boolean {
  return WATCHED_LOCK_MULTIPLES.some((multiple) => multiple * base === lockDuration);
}

/**
 * Recognizes Lightning by the ticker, as KDF does.
 *
 * @example
 * ```ts
 * import { makerLockMultiplier } from 'swapfold/htlc';
 *
 * makerLockMultiplier('LTC'); // → 2
 * makerLockMultiplier('BTC-lightning'); // → 1.5
 * ```
 */
export function makerLockMultiplier(takerCoin: string): MakerLockMultiplier {
  return isLightning(takerCoin) ? 1.5 : 2;
}

// In each formula below `startedAt` is that party's own Started time and `lockDuration` the negotiated duration L, a whole
// number of seconds. All of them are exact for durations up to 2^50 seconds.

/**
 * Lock of the taker's payment: the taker's start + L.
 *
 * @example
 * ```ts
 * import { takerPaymentLock, unixSecondsOf } from 'swapfold/htlc';
 *
 * takerPaymentLock(unixSecondsOf(1_734_564_000), 7800); // → 1_734_571_800
 * ```
 */
export function takerPaymentLock(startedAt: UnixSeconds, lockDuration: Seconds): UnixSeconds {
  return addSeconds(startedAt, lockDuration);
}

/**
 * Lock of the maker's payment: the maker's start + L × multiplier, rounded up. The multiplier is 2 unless given.
 *
 * @example
 * ```ts
 * import { makerPaymentLock, unixSecondsOf } from 'swapfold/htlc';
 *
 * const startedAt = unixSecondsOf(1_734_564_000);
 * makerPaymentLock(startedAt, 7800); // → 1_734_579_600
 * makerPaymentLock(startedAt, 7801, { multiplier: 1.5 }); // → 1_734_575_702
 * ```
 */
export function makerPaymentLock(
  startedAt: UnixSeconds,
  lockDuration: Seconds,
  options: { readonly multiplier?: MakerLockMultiplier } = {},
): UnixSeconds {
  const doubled = lockDuration * (options.multiplier === 1.5 ? 3 : 4);
  return addSeconds(startedAt, wholePart(doubled + 1, 2));
}

/**
 * `maker_payment_wait` of a taker, until which the maker's payment must be confirmed: start + 2/5 L, rounded down.
 *
 * @example
 * ```ts
 * import { makerPaymentWait, unixSecondsOf } from 'swapfold/htlc';
 *
 * makerPaymentWait(unixSecondsOf(1_734_564_000), 7801); // → 1_734_567_120
 * ```
 */
export function makerPaymentWait(startedAt: UnixSeconds, lockDuration: Seconds): UnixSeconds {
  return addSeconds(startedAt, wholePart(2 * lockDuration, 5));
}

/** `maker_payment_wait` as releases before February 2020 stored it: start + 1/3 L, rounded down. */
export function makerPaymentWaitBefore2020(startedAt: UnixSeconds, lockDuration: Seconds): UnixSeconds {
  return addSeconds(startedAt, wholePart(lockDuration, 3));
}

/** Which rule a stored `maker_payment_wait` follows; undefined for neither. */
export function makerPaymentWaitRule(stored: {
  readonly startedAt: UnixSeconds;
  readonly lockDuration: Seconds;
  readonly makerPaymentWait: UnixSeconds;
}): 'twoFifths' | 'oneThird' | undefined {
  const { startedAt, lockDuration, makerPaymentWait: wait } = stored;
  if (wait === makerPaymentWait(startedAt, lockDuration)) return 'twoFifths';
  return wait === makerPaymentWaitBefore2020(startedAt, lockDuration) ? 'oneThird' : undefined;
}

/** Last moment at which the taker sends its fee: start + 1/3 L, rounded down. Later it gives up. */
export function takerFeeDeadline(startedAt: UnixSeconds, lockDuration: Seconds): UnixSeconds {
  return addSeconds(startedAt, wholePart(lockDuration, 3));
}

/** Last moment at which the maker sends its payment: start + 1/3 L, rounded down. */
export function makerPaymentSendDeadline(startedAt: UnixSeconds, lockDuration: Seconds): UnixSeconds {
  return addSeconds(startedAt, wholePart(lockDuration, 3));
}

/** Until when the maker waits for its own payment to confirm: start + 2/5 L, rounded down. */
export function makerPaymentConfirmDeadline(startedAt: UnixSeconds, lockDuration: Seconds): UnixSeconds {
  return addSeconds(startedAt, wholePart(2 * lockDuration, 5));
}

/** Last moment at which the taker sends its payment: `maker_payment_wait`, so start + 2/5 L and not 1/3. */
export function takerPaymentSendDeadline(startedAt: UnixSeconds, lockDuration: Seconds): UnixSeconds {
  return makerPaymentWait(startedAt, lockDuration);
}

/** How long the maker waits for the taker's payment message, from when its own payment confirmed: 3/5 L + 90 s. */
export function takerPaymentMessageWait(lockDuration: Seconds): Seconds {
  return wholePart(3 * lockDuration, 5) + TAKER_PAYMENT_MESSAGE_GRACE;
}

/**
 * Until when the maker waits for the taker's payment to confirm, and the last moment at which it spends it: start + 4/5 L,
 * rounded down. A spend after it could race the taker's refund.
 *
 * @example
 * ```ts
 * import { makerSpendDeadline, unixSecondsOf } from 'swapfold/htlc';
 *
 * makerSpendDeadline(unixSecondsOf(1_734_564_000), 7801); // → 1_734_570_240
 * ```
 */
export function makerSpendDeadline(startedAt: UnixSeconds, lockDuration: Seconds): UnixSeconds {
  return addSeconds(startedAt, wholePart(4 * lockDuration, 5));
}

/** `wait_until` of a refund: own payment's lock + 3700 s. The refund is attempted from the lock on. */
export function refundWaitUntil(ownPaymentLock: UnixSeconds): UnixSeconds {
  return addSeconds(ownPaymentLock, AFTER_LOCK_WAIT);
}

/** Until when a party waits for its spend of the other's payment to confirm: own payment's lock + 3700 s. */
export function spendConfirmDeadline(ownPaymentLock: UnixSeconds): UnixSeconds {
  return addSeconds(ownPaymentLock, AFTER_LOCK_WAIT);
}

/**
 * Whether a refund is valid at `now`, strictly after the lock. On a UTXO chain `now` must be the chain's median time past, and the lock the nLockTime
 * of the refund (BIP 65, BIP 113).
 *
 * @example
 * ```ts
 * import { isRefundable, unixSecondsOf } from 'swapfold/htlc';
 *
 * const lock = unixSecondsOf(1_734_571_800);
 * isRefundable(lock, lock); // → false
 * isRefundable(lock, unixSecondsOf(1_734_571_801)); // → true
 * ```
 */
export function isRefundable(lock: UnixSeconds, now: UnixSeconds): boolean {
  return now > lock;
}

/**
 * From when a watcher spends the maker's payment for the taker: start + L. Until then it leaves the spend to the taker.
 *
 * @example
 * ```ts
 * import { unixSecondsOf, watcherSpendFrom } from 'swapfold/htlc';
 *
 * watcherSpendFrom(unixSecondsOf(1_734_564_000), 7800); // → 1_734_571_800
 * ```
 */
export function watcherSpendFrom(startedAt: UnixSeconds, lockDuration: Seconds): UnixSeconds {
  return addSeconds(startedAt, lockDuration);
}

/**
 * From when a watcher refunds the taker's payment: strictly after start + 3/2 L, rounded down.
 *
 * @example
 * ```ts
 * import { unixSecondsOf, watcherRefundFrom } from 'swapfold/htlc';
 *
 * watcherRefundFrom(unixSecondsOf(1_734_564_000), 7801); // → 1_734_575_701
 * ```
 */
export function watcherRefundFrom(startedAt: UnixSeconds, lockDuration: Seconds): UnixSeconds {
  return addSeconds(startedAt, wholePart(3 * lockDuration, 2));
}

function isLightning(ticker: string): boolean {
  return ticker.includes('-lightning');
}

/** Integer division, because a rounded fraction would be inexact. */
function wholePart(dividend: number, divisor: number): number {
  return (dividend - (dividend % divisor)) / divisor;
}
