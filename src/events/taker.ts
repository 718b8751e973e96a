import type { z } from 'zod';
import type { Millis } from '../primitives/time.ts';
import {
  failure,
  instructions,
  noData,
  optionalTransaction,
  refundWait,
  revealingSpend,
  takerNegotiated,
  takerStarted,
  transaction,
  transactionOrNoData,
  watcherPreimages,
} from './payloads.ts';

/** Payload schema of every public event of a taker swap (specification §3.3 and §6, plus `WatcherMessageSent`). */
export const takerPayloads = {
  Started: takerStarted,
  StartFailed: failure,
  Negotiated: takerNegotiated,
  NegotiateFailed: failure,
  TakerFeeSent: transaction,
  TakerFeeSendFailed: failure,
  TakerPaymentInstructionsReceived: instructions,
  MakerPaymentReceived: transaction,
  MakerPaymentWaitConfirmStarted: noData,
  MakerPaymentValidatedAndConfirmed: noData,
  MakerPaymentValidateFailed: failure,
  MakerPaymentWaitConfirmFailed: failure,
  TakerPaymentSent: transaction,
  WatcherMessageSent: watcherPreimages,
  TakerPaymentTransactionFailed: failure,
  TakerPaymentDataSendFailed: failure,
  TakerPaymentWaitConfirmFailed: failure,
  TakerPaymentSpent: revealingSpend,
  TakerPaymentWaitForSpendFailed: failure,
  MakerPaymentSpent: transaction,
  MakerPaymentSpendConfirmed: transactionOrNoData,
  MakerPaymentSpendConfirmFailed: failure,
  MakerPaymentSpentByWatcher: transaction,
  MakerPaymentSpendFailed: failure,
  TakerPaymentWaitRefundStarted: refundWait,
  TakerPaymentRefundStarted: noData,
  TakerPaymentRefunded: optionalTransaction,
  TakerPaymentRefundFailed: failure,
  TakerPaymentRefundFinished: noData,
  TakerPaymentRefundedByWatcher: optionalTransaction,
  Finished: noData,
} as const;

export type TakerEventType = keyof typeof takerPayloads;

/** An event of a taker swap: what happened, when (milliseconds UTC), and its payload in canonical spelling. */
export type TakerEvent = {
  [T in TakerEventType]: { readonly type: T; readonly at: Millis; readonly data: z.output<(typeof takerPayloads)[T]> };
}[TakerEventType];

export const takerEventTypes = Object.keys(takerPayloads) as readonly TakerEventType[];
