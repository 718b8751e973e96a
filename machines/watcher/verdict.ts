import type { StopReason } from '../../src/events/watcher.ts';
import type { WatcherContext } from './context.ts';

/** The status of a watch, in a closed set. */
export type WatchOutcome =
  /** The watch goes on. */
  | 'watching'
  /** This watcher claimed the maker payment for the taker. */
  | 'claimed'
  /** This watcher refunded the taker payment to the taker. */
  | 'refunded'
  /** The taker claimed or refunded by itself. */
  | 'not-needed'
  /** The chain contradicts the taker's message; nothing was watched. */
  | 'refused'
  /** The taker was not helped. */
  | 'failed';

export const WATCH_OUTCOMES: readonly WatchOutcome[] = [
  'watching',
  'claimed',
  'refunded',
  'not-needed',
  'refused',
  'failed',
];

const OUTCOME_OF: Readonly<Record<StopReason, WatchOutcome>> = {
  InvalidTakerFee: 'refused',
  InvalidTakerPayment: 'refused',
  TakerPaymentNotConfirmed: 'refused',
  TakerPaymentRefundedByTaker: 'not-needed',
  UnableToExtractSecret: 'failed',
  MakerPaymentCouldNotBeFound: 'failed',
  MakerPaymentSpentByTaker: 'not-needed',
  MakerPaymentSpent: 'claimed',
  MakerPaymentSpendFailed: 'failed',
  TakerPaymentRefunded: 'refunded',
  TakerPaymentRefundFailed: 'failed',
  Expired: 'failed',
};

/** The status of a watch, from its log only. */
export function watchOutcome({ stopped }: WatcherContext): WatchOutcome {
  return stopped === null ? 'watching' : OUTCOME_OF[stopped.reason];
}

/** The reasons for which a watch may stop where it stands; none once it stopped. */
export function fittingStopReasons(state: string): readonly StopReason[] {
  switch (state) {
    case 'validatingTakerFee':
      return ['InvalidTakerFee', 'Expired'];
    case 'validatingTakerPayment':
      return ['InvalidTakerPayment', 'TakerPaymentNotConfirmed', 'Expired'];
    case 'waitingForSpend':
      return ['UnableToExtractSecret', 'TakerPaymentRefundFailed', 'Expired'];
    case 'claiming':
      return ['MakerPaymentCouldNotBeFound', 'MakerPaymentSpendFailed', 'Expired'];
    case 'claimSent':
      return ['MakerPaymentSpent', 'MakerPaymentSpendFailed', 'Expired'];
    case 'claimedByTaker':
      return ['MakerPaymentSpentByTaker'];
    case 'refundSent':
      return ['TakerPaymentRefunded', 'UnableToExtractSecret', 'Expired'];
    case 'refundedByTaker':
      return ['TakerPaymentRefundedByTaker'];
    default:
      return [];
  }
}
