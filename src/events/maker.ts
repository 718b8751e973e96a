import type { z } from 'zod';
import type { Millis } from '../primitives/time.ts';
import {
  failure,
  instructions,
  makerNegotiated,
  makerStarted,
  noData,
  optionalTransaction,
  refundWait,
  transaction,
} from './payloads.ts';

/** Payload schema of every event of a maker swap, as KDF stores them. */
export const makerPayloads = {
  Started: makerStarted,
  StartFailed: failure,
  Negotiated: makerNegotiated,
  NegotiateFailed: failure,
  MakerPaymentInstructionsReceived: instructions,
  TakerFeeValidated: transaction,
  TakerFeeValidateFailed: failure,
  MakerPaymentSent: transaction,
  MakerPaymentTransactionFailed: failure,
  MakerPaymentDataSendFailed: failure,
  MakerPaymentWaitConfirmFailed: failure,
  TakerPaymentReceived: transaction,
  TakerPaymentWaitConfirmStarted: noData,
  TakerPaymentValidatedAndConfirmed: noData,
  TakerPaymentValidateFailed: failure,
  TakerPaymentWaitConfirmFailed: failure,
  TakerPaymentSpent: transaction,
  TakerPaymentSpendFailed: failure,
  TakerPaymentSpendConfirmStarted: noData,
  TakerPaymentSpendConfirmed: noData,
  TakerPaymentSpendConfirmFailed: failure,
  MakerPaymentWaitRefundStarted: refundWait,
  MakerPaymentRefundStarted: noData,
  MakerPaymentRefunded: optionalTransaction,
  MakerPaymentRefundFailed: failure,
  MakerPaymentRefundFinished: noData,
  Finished: noData,
} as const;

export type MakerEventType = keyof typeof makerPayloads;

/** An event of a maker swap: what happened, when (milliseconds UTC), and its payload in canonical spelling. */
export type MakerEvent = {
  [T in MakerEventType]: { readonly type: T; readonly at: Millis; readonly data: z.output<(typeof makerPayloads)[T]> };
}[MakerEventType];

export const makerEventTypes = Object.keys(makerPayloads) as readonly MakerEventType[];
