import { isJsonObject } from '../primitives/json.ts';
import type { Role } from './catalog.ts';
import type { MakerEventType } from './maker.ts';
import type { TakerEventType } from './taker.ts';

const TAKER_LINES: Readonly<Record<TakerEventType, string>> = {
  Started: 'Started...',
  StartFailed: 'Start failed...',
  Negotiated: 'Negotiated...',
  NegotiateFailed: 'Negotiate failed...',
  TakerFeeSent: 'Taker fee sent...',
  TakerFeeSendFailed: 'Taker fee send failed...',
  TakerPaymentInstructionsReceived: 'Taker payment instructions received...',
  MakerPaymentReceived: 'Maker payment received...',
  MakerPaymentWaitConfirmStarted: 'Maker payment wait confirm started...',
  MakerPaymentValidatedAndConfirmed: 'Maker payment validated and confirmed...',
  MakerPaymentValidateFailed: 'Maker payment validate failed...',
  MakerPaymentWaitConfirmFailed: 'Maker payment wait for confirmation failed...',
  TakerPaymentSent: 'Taker payment sent...',
  WatcherMessageSent: 'Watcher message sent...',
  TakerPaymentTransactionFailed: 'Taker payment transaction failed...',
  TakerPaymentDataSendFailed: 'Taker payment data send failed...',
  TakerPaymentWaitConfirmFailed: 'Taker payment wait for confirmation failed...',
  TakerPaymentSpent: 'Taker payment spent...',
  TakerPaymentWaitForSpendFailed: 'Taker payment wait for spend failed...',
  MakerPaymentSpent: 'Maker payment spent...',
  MakerPaymentSpendConfirmed: 'Maker payment spent confirmed...',
  MakerPaymentSpendConfirmFailed: 'Maker payment spend confirm failed...',
  MakerPaymentSpentByWatcher: 'Maker payment spent by watcher...',
  MakerPaymentSpendFailed: 'Maker payment spend failed...',
  TakerPaymentWaitRefundStarted: 'Taker payment wait refund till {wait_until} started...',
  TakerPaymentRefundStarted: 'Taker payment refund started...',
  TakerPaymentRefunded: 'Taker payment refunded...',
  TakerPaymentRefundFailed: 'Taker payment refund failed...',
  TakerPaymentRefundFinished: 'Taker payment refund finished...',
  TakerPaymentRefundedByWatcher: 'Taker payment refunded by watcher...',
  Finished: 'Finished',
};

const MAKER_LINES: Readonly<Record<MakerEventType, string>> = {
  Started: 'Started...',
  StartFailed: 'Start failed...',
  Negotiated: 'Negotiated...',
  NegotiateFailed: 'Negotiate failed...',
  MakerPaymentInstructionsReceived: 'Maker payment instructions received...',
  TakerFeeValidated: 'Taker fee validated...',
  TakerFeeValidateFailed: 'Taker fee validate failed...',
  MakerPaymentSent: 'Maker payment sent...',
  MakerPaymentTransactionFailed: 'Maker payment failed...',
  MakerPaymentDataSendFailed: 'Maker payment failed...',
  MakerPaymentWaitConfirmFailed: 'Maker payment wait for confirmation failed...',
  TakerPaymentReceived: 'Taker payment received...',
  TakerPaymentWaitConfirmStarted: 'Taker payment wait confirm started...',
  TakerPaymentValidatedAndConfirmed: 'Taker payment validated and confirmed...',
  TakerPaymentValidateFailed: 'Taker payment validate failed...',
  TakerPaymentWaitConfirmFailed: 'Taker payment wait for confirmation failed...',
  TakerPaymentSpent: 'Taker payment spent...',
  TakerPaymentSpendFailed: 'Taker payment spend failed...',
  TakerPaymentSpendConfirmStarted: 'Taker payment spend confirm started...',
  TakerPaymentSpendConfirmed: 'Taker payment spend confirmed...',
  TakerPaymentSpendConfirmFailed: 'Taker payment spend confirm failed...',
  MakerPaymentWaitRefundStarted: 'Maker payment wait refund till {wait_until} started...',
  MakerPaymentRefundStarted: 'Maker payment refund started...',
  MakerPaymentRefunded: 'Maker payment refunded...',
  MakerPaymentRefundFailed: 'Maker payment refund failed...',
  MakerPaymentRefundFinished: 'Maker payment refund finished...',
  Finished: 'Finished',
};

const LINES: Readonly<Record<Role, ReadonlyMap<string, string>>> = {
  taker: new Map(Object.entries(TAKER_LINES)),
  maker: new Map(Object.entries(MAKER_LINES)),
};

/**
 * The line with which the real node reports an event in its log and in the errors of `recreate_swap_data` (KDF). The
 * two refund waits name their `wait_until` in seconds since 1970. An event of an unknown type is reported by its type.
 */
export function statusLine(role: Role, event: { readonly type: string; readonly data?: unknown }): string {
  const line = LINES[role].get(event.type) ?? event.type;
  const { data } = event;
  const until = isJsonObject(data) ? data['wait_until'] : undefined;
  return line.replace('{wait_until}', typeof until === 'number' ? String(until) : 'unknown');
}
