// The name lists that the real node copies into every saved swap, in its order. Display only: nothing decides by them.

const TAKER_SUCCESS = [
  'Started',
  'Negotiated',
  'TakerFeeSent',
  'TakerPaymentInstructionsReceived',
  'MakerPaymentReceived',
  'MakerPaymentWaitConfirmStarted',
  'MakerPaymentValidatedAndConfirmed',
  'TakerPaymentSent',
  'TakerPaymentSpent',
  'MakerPaymentSpent',
  'MakerPaymentSpendConfirmed',
  'Finished',
];

const TAKER_ERROR = [
  'StartFailed',
  'NegotiateFailed',
  'TakerFeeSendFailed',
  'MakerPaymentValidateFailed',
  'MakerPaymentWaitConfirmFailed',
  'TakerPaymentTransactionFailed',
  'TakerPaymentWaitConfirmFailed',
  'TakerPaymentDataSendFailed',
  'TakerPaymentWaitForSpendFailed',
  'MakerPaymentSpendFailed',
  'MakerPaymentSpendConfirmFailed',
  'TakerPaymentWaitRefundStarted',
  'TakerPaymentRefundStarted',
  'TakerPaymentRefunded',
  'TakerPaymentRefundedByWatcher',
  'TakerPaymentRefundFailed',
  'TakerPaymentRefundFinished',
];

const MAKER_SUCCESS = [
  'Started',
  'Negotiated',
  'MakerPaymentInstructionsReceived',
  'TakerFeeValidated',
  'MakerPaymentSent',
  'TakerPaymentReceived',
  'TakerPaymentWaitConfirmStarted',
  'TakerPaymentValidatedAndConfirmed',
  'TakerPaymentSpent',
  'TakerPaymentSpendConfirmStarted',
  'TakerPaymentSpendConfirmed',
  'Finished',
];

const MAKER_ERROR = [
  'StartFailed',
  'NegotiateFailed',
  'TakerFeeValidateFailed',
  'MakerPaymentTransactionFailed',
  'MakerPaymentDataSendFailed',
  'MakerPaymentWaitConfirmFailed',
  'TakerPaymentValidateFailed',
  'TakerPaymentWaitConfirmFailed',
  'TakerPaymentSpendFailed',
  'TakerPaymentSpendConfirmFailed',
  'MakerPaymentWaitRefundStarted',
  'MakerPaymentRefundStarted',
  'MakerPaymentRefunded',
  'MakerPaymentRefundFailed',
  'MakerPaymentRefundFinished',
];

/**
 * The lists that a current node writes; the taker's success list has two more names when watchers are used.
 *
 * @example
 * ```ts
 * import { standardLists } from 'swapfold/events';
 *
 * const { success, error } = standardLists('taker', { watchers: true });
 * success.includes('MakerPaymentSpentByWatcher'); // → true
 * standardLists('taker').success.includes('MakerPaymentSpentByWatcher'); // → false
 * error.at(-1); // → 'TakerPaymentRefundFinished'
 * ```
 */
export function standardLists(
  role: 'taker' | 'maker',
  options: { readonly watchers?: boolean } = {},
): { readonly success: readonly string[]; readonly error: readonly string[] } {
  if (role === 'maker') return { success: MAKER_SUCCESS, error: MAKER_ERROR };
  if (options.watchers !== true) return { success: TAKER_SUCCESS, error: TAKER_ERROR };
  const success = TAKER_SUCCESS.flatMap((name) => {
    if (name === 'TakerPaymentSent') return [name, 'WatcherMessageSent'];
    return name === 'MakerPaymentSpent' ? [name, 'MakerPaymentSpentByWatcher'] : [name];
  });
  return { success, error: TAKER_ERROR };
}
