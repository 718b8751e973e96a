import type { FaultName } from './faults.ts';

/** Events that a fault prevents, so that the two meet only if a node also lies. */
export type Exclusion = { readonly fault: FaultName; readonly events: readonly string[]; readonly because: string };

const TAKER_CLAIMS = [
  'taker/TakerPaymentSpent',
  'taker/MakerPaymentSpent',
  'taker/MakerPaymentSpendConfirmed',
  'taker/MakerPaymentSpendConfirmFailed',
  'taker/MakerPaymentSpentByWatcher',
  'taker/MakerPaymentSpendFailed',
];

const TAKER_PAYS = [
  'taker/MakerPaymentValidatedAndConfirmed',
  'taker/TakerPaymentSent',
  'taker/WatcherMessageSent',
  'taker/TakerPaymentTransactionFailed',
  'taker/TakerPaymentWaitForSpendFailed',
  'taker/TakerPaymentWaitRefundStarted',
  'taker/TakerPaymentRefundStarted',
  'taker/TakerPaymentRefunded',
  'taker/TakerPaymentRefundFinished',
  'taker/TakerPaymentRefundedByWatcher',
];

const MAKER_CLAIMS = [
  'maker/TakerPaymentValidatedAndConfirmed',
  'maker/TakerPaymentSpent',
  'maker/TakerPaymentSpendConfirmStarted',
  'maker/TakerPaymentSpendConfirmed',
  'maker/TakerPaymentSpendConfirmFailed',
  'maker/TakerPaymentSpendFailed',
];

const MAKER_SEES_PAYMENT = [
  'maker/TakerPaymentReceived',
  'maker/TakerPaymentWaitConfirmStarted',
  'maker/TakerPaymentWaitConfirmFailed',
];

/** Pairs that cannot be expected to meet, with the reason. */
export const EXCLUSIONS: readonly Exclusion[] = [
  {
    fault: 'shortLock',
    events: [...TAKER_PAYS, ...TAKER_CLAIMS, ...MAKER_SEES_PAYMENT, ...MAKER_CLAIMS, 'maker/MakerPaymentRefundFailed'],
    because: 'a taker pays nothing against a payment that is locked for too short a time',
  },
  {
    fault: 'underpay',
    events: [
      ...TAKER_CLAIMS,
      ...MAKER_CLAIMS,
      'taker/TakerPaymentRefundedByWatcher',
      'maker/TakerPaymentWaitConfirmFailed',
      'maker/MakerPaymentRefundFailed',
    ],
    because: 'a payment of another amount is not one: nobody waits for it, takes it, or refunds it for its owner',
  },
];

/** Whether an event and a fault need not meet. */
export function isExcluded(event: string, fault: FaultName): boolean {
  return EXCLUSIONS.some((exclusion) => exclusion.fault === fault && exclusion.events.includes(event));
}
