import { z } from 'zod';
import type { Millis } from '../primitives/time.ts';
import { decimal, flag, hex33, hexBytes, kindOf, orNull, text, unixSeconds, uuid, whole } from './fields.ts';
import { noData, optionalTransaction, revealingSpend, transaction } from './payloads.ts';

function record<T extends z.ZodRawShape>(shape: T) {
  return z.object(shape, { error: (issue) => `expected an object, found ${kindOf(issue.input)}` });
}

/**
 * What a taker hands to watchers (KDF `TakerSwapWatcherMsg`), with the taker's key and, where it told them, the amounts; bytes in
 * hex. Amounts that are null are read from the payments themselves.
 */
export const watch = record({
  uuid,
  secret_hash: hexBytes,
  maker_payment_spend_preimage: hexBytes,
  taker_payment_refund_preimage: hexBytes,
  swap_started_at: unixSeconds,
  lock_duration: whole,
  taker_coin: text,
  taker_amount: orNull(decimal),
  taker_fee_hash: hexBytes,
  taker_payment_hash: hexBytes,
  taker_coin_start_block: whole,
  taker_payment_confirmations: whole,
  taker_payment_requires_nota: orNull(flag),
  maker_coin: text,
  maker_amount: orNull(decimal),
  maker_pub: hex33,
  taker_pub: hex33,
  maker_payment_hash: hexBytes,
  maker_coin_start_block: whole,
});

function factor(least: number) {
  return z
    .number({ error: (issue) => `expected a number, found ${kindOf(issue.input)}` })
    .refine((value) => Number.isFinite(value) && value >= least && value <= 10, {
      error: `expected a number from ${least} to 10, found a number outside of it`,
    });
}

/** The real node's `watcher_conf`, and how long a watch goes on; durations in seconds. */
const timing = record({
  /** Pause before the taker's payment is looked for. */
  wait_taker_payment: whole,
  /** Until this multiple of the lock duration after the start, the claim is left to the taker. */
  wait_maker_payment_spend_factor: factor(0),
  /** After this multiple of the lock duration the taker's payment is refunded; at least 1, where the lock ends. */
  refund_start_factor: factor(1),
  /** Pause between two searches for a spend. */
  search_interval: whole,
  /** How long after the end of the maker's lock the watch is given up. */
  give_up_after: whole,
});

/** The real node's timings: 60 s, once and one and a half times the lock duration, 300 s; given up after 21 600 s. */
export const defaultWatchTiming: WatchTiming = {
  wait_taker_payment: 60,
  wait_maker_payment_spend_factor: 1,
  refund_start_factor: 1.5,
  search_interval: 300,
  give_up_after: 21_600,
};

/** Why a watch ended: the real node's reasons, and `Expired` for a watch that was given up without any of them. */
export const stopReasons = [
  'InvalidTakerFee',
  'InvalidTakerPayment',
  'TakerPaymentNotConfirmed',
  'TakerPaymentRefundedByTaker',
  'UnableToExtractSecret',
  'MakerPaymentCouldNotBeFound',
  'MakerPaymentSpentByTaker',
  'MakerPaymentSpent',
  'MakerPaymentSpendFailed',
  'TakerPaymentRefunded',
  'TakerPaymentRefundFailed',
  'Expired',
] as const;

export type StopReason = (typeof stopReasons)[number];

const stopped = record({
  reason: z.enum(stopReasons, { error: (issue) => `expected a reason to stop, found ${kindOf(issue.input)}` }),
  /** What went wrong, for a reason that names a failure. */
  error: orNull(text),
});

/**
 * Payload schema of every event of a watch. The real node keeps no log of its watches; these events are its watcher's
 * states and reasons to stop.
 */
export const watcherPayloads = {
  WatchRequested: record({ watch, timing: timing.optional().default(defaultWatchTiming) }),
  TakerFeeValidated: noData,
  TakerPaymentValidated: noData,
  TakerPaymentSpendFound: revealingSpend,
  /** Null where the transaction that took the payment is not known. */
  MakerPaymentSpentByTaker: optionalTransaction,
  MakerPaymentSpent: transaction,
  TakerPaymentRefundedByTaker: optionalTransaction,
  TakerPaymentRefunded: transaction,
  Stopped: stopped,
} as const;

export type WatcherEventType = keyof typeof watcherPayloads;

/** An event of a watch: what happened, when (milliseconds UTC), and its payload in canonical spelling. */
export type WatcherEvent = {
  [T in WatcherEventType]: {
    readonly type: T;
    readonly at: Millis;
    readonly data: z.output<(typeof watcherPayloads)[T]>;
  };
}[WatcherEventType];

export type Watch = Readonly<z.output<typeof watch>>;
export type WatchTiming = Readonly<z.output<typeof timing>>;

export const watcherEventTypes = Object.keys(watcherPayloads) as readonly WatcherEventType[];
