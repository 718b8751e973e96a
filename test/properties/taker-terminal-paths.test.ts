import { oneIn } from '../support/draws.ts';
import { describeTerminalPaths } from './terminal-paths.ts';

describeTerminalPaths(
  'taker',
  [
    {
      ending:
        'MakerPaymentValidatedAndConfirmed / TakerPaymentSent / TakerPaymentSpent / MakerPaymentSpent / MakerPaymentSpendConfirmed',
      outcome: 'completed',
      ways: 8,
    },
    {
      ending:
        'MakerPaymentValidatedAndConfirmed / TakerPaymentSent / TakerPaymentSpent / MakerPaymentSpent / TakerPaymentRefunded / TakerPaymentRefundFinished',
      outcome: 'funds-at-risk',
      ways: 24,
    },
    {
      ending:
        'MakerPaymentValidatedAndConfirmed / TakerPaymentSent / TakerPaymentSpent / MakerPaymentSpent / TakerPaymentRefunded / TakerPaymentRefunded',
      outcome: 'funds-at-risk',
      ways: 24,
    },
    {
      ending:
        'MakerPaymentValidatedAndConfirmed / TakerPaymentSent / TakerPaymentSpent / MakerPaymentSpent / TakerPaymentRefundFailed',
      outcome: 'funds-at-risk',
      ways: 24,
    },
    {
      ending:
        'MakerPaymentValidatedAndConfirmed / TakerPaymentSent / TakerPaymentSpent / MakerPaymentSpent / TakerPaymentRefundedByWatcher / TakerPaymentRefundedByWatcher',
      outcome: 'funds-at-risk',
      ways: 32,
    },
    {
      ending:
        'MakerPaymentValidatedAndConfirmed / TakerPaymentSent / TakerPaymentSpent / MakerPaymentSpent / MakerPaymentSpent',
      outcome: 'completed',
      ways: 8,
    },
    {
      ending:
        'MakerPaymentValidatedAndConfirmed / TakerPaymentSent / TakerPaymentSpent / MakerPaymentSpendFailed / MakerPaymentSpendFailed',
      outcome: 'funds-at-risk',
      ways: 8,
    },
    {
      ending:
        'MakerPaymentValidatedAndConfirmed / TakerPaymentSent / TakerPaymentSpent / MakerPaymentSpendFailed / TakerPaymentRefunded / TakerPaymentRefundFinished',
      outcome: 'funds-at-risk',
      ways: 8,
    },
    {
      ending:
        'MakerPaymentValidatedAndConfirmed / TakerPaymentSent / TakerPaymentSpent / MakerPaymentSpendFailed / TakerPaymentRefunded / TakerPaymentRefunded',
      outcome: 'funds-at-risk',
      ways: 8,
    },
    {
      ending:
        'MakerPaymentValidatedAndConfirmed / TakerPaymentSent / TakerPaymentSpent / MakerPaymentSpendFailed / TakerPaymentRefundFailed',
      outcome: 'funds-at-risk',
      ways: 8,
    },
    {
      ending:
        'MakerPaymentValidatedAndConfirmed / TakerPaymentSent / TakerPaymentSpent / MakerPaymentSpendFailed / TakerPaymentRefundedByWatcher / TakerPaymentRefundedByWatcher',
      outcome: 'funds-at-risk',
      ways: 16,
    },
    {
      ending:
        'MakerPaymentValidatedAndConfirmed / TakerPaymentSent / TakerPaymentSpent / MakerPaymentSpentByWatcher / MakerPaymentSpendConfirmed',
      outcome: 'completed',
      ways: 8,
    },
    {
      ending:
        'MakerPaymentValidatedAndConfirmed / TakerPaymentSent / TakerPaymentSpent / MakerPaymentSpentByWatcher / TakerPaymentRefunded / TakerPaymentRefundFinished',
      outcome: 'funds-at-risk',
      ways: 24,
    },
    {
      ending:
        'MakerPaymentValidatedAndConfirmed / TakerPaymentSent / TakerPaymentSpent / MakerPaymentSpentByWatcher / TakerPaymentRefunded / TakerPaymentRefunded',
      outcome: 'funds-at-risk',
      ways: 24,
    },
    {
      ending:
        'MakerPaymentValidatedAndConfirmed / TakerPaymentSent / TakerPaymentSpent / MakerPaymentSpentByWatcher / TakerPaymentRefundFailed',
      outcome: 'funds-at-risk',
      ways: 24,
    },
    {
      ending:
        'MakerPaymentValidatedAndConfirmed / TakerPaymentSent / TakerPaymentSpent / MakerPaymentSpentByWatcher / TakerPaymentRefundedByWatcher / TakerPaymentRefundedByWatcher',
      outcome: 'funds-at-risk',
      ways: 32,
    },
    {
      ending:
        'MakerPaymentValidatedAndConfirmed / TakerPaymentSent / TakerPaymentSpent / MakerPaymentSpentByWatcher / MakerPaymentSpentByWatcher',
      outcome: 'completed',
      ways: 8,
    },
    {
      ending:
        'MakerPaymentValidatedAndConfirmed / TakerPaymentSent / TakerPaymentRefunded / TakerPaymentRefundFinished',
      outcome: 'refunded',
      ways: 96,
    },
    {
      ending: 'MakerPaymentValidatedAndConfirmed / TakerPaymentSent / TakerPaymentRefunded / TakerPaymentRefunded',
      outcome: 'refunded',
      ways: 96,
    },
    {
      ending: 'MakerPaymentValidatedAndConfirmed / TakerPaymentSent / TakerPaymentRefundFailed',
      outcome: 'funds-at-risk',
      ways: 96,
    },
    {
      ending:
        'MakerPaymentValidatedAndConfirmed / TakerPaymentSent / TakerPaymentRefundedByWatcher / TakerPaymentRefundedByWatcher',
      outcome: 'refunded',
      ways: 104,
    },
    {
      ending: 'MakerPaymentValidatedAndConfirmed / TakerPaymentSent / TakerPaymentWaitForSpendFailed',
      outcome: 'funds-at-risk',
      ways: 8,
    },
    {
      ending: 'MakerPaymentValidatedAndConfirmed / TakerPaymentSent / MakerPaymentSpent / MakerPaymentSpendConfirmed',
      outcome: 'completed',
      ways: 4,
    },
    {
      ending:
        'MakerPaymentValidatedAndConfirmed / TakerPaymentSent / MakerPaymentSpent / TakerPaymentRefunded / TakerPaymentRefundFinished',
      outcome: 'funds-at-risk',
      ways: 12,
    },
    {
      ending:
        'MakerPaymentValidatedAndConfirmed / TakerPaymentSent / MakerPaymentSpent / TakerPaymentRefunded / TakerPaymentRefunded',
      outcome: 'funds-at-risk',
      ways: 12,
    },
    {
      ending: 'MakerPaymentValidatedAndConfirmed / TakerPaymentSent / MakerPaymentSpent / TakerPaymentRefundFailed',
      outcome: 'funds-at-risk',
      ways: 12,
    },
    {
      ending:
        'MakerPaymentValidatedAndConfirmed / TakerPaymentSent / MakerPaymentSpent / TakerPaymentRefundedByWatcher / TakerPaymentRefundedByWatcher',
      outcome: 'funds-at-risk',
      ways: 16,
    },
    {
      ending: 'MakerPaymentValidatedAndConfirmed / TakerPaymentSent / MakerPaymentSpent / MakerPaymentSpent',
      outcome: 'completed',
      ways: 4,
    },
    {
      ending:
        'MakerPaymentValidatedAndConfirmed / TakerPaymentSent / MakerPaymentSpentByWatcher / MakerPaymentSpendConfirmed',
      outcome: 'completed',
      ways: 8,
    },
    {
      ending:
        'MakerPaymentValidatedAndConfirmed / TakerPaymentSent / MakerPaymentSpentByWatcher / TakerPaymentRefunded / TakerPaymentRefundFinished',
      outcome: 'funds-at-risk',
      ways: 24,
    },
    {
      ending:
        'MakerPaymentValidatedAndConfirmed / TakerPaymentSent / MakerPaymentSpentByWatcher / TakerPaymentRefunded / TakerPaymentRefunded',
      outcome: 'funds-at-risk',
      ways: 24,
    },
    {
      ending:
        'MakerPaymentValidatedAndConfirmed / TakerPaymentSent / MakerPaymentSpentByWatcher / TakerPaymentRefundFailed',
      outcome: 'funds-at-risk',
      ways: 24,
    },
    {
      ending:
        'MakerPaymentValidatedAndConfirmed / TakerPaymentSent / MakerPaymentSpentByWatcher / TakerPaymentRefundedByWatcher / TakerPaymentRefundedByWatcher',
      outcome: 'funds-at-risk',
      ways: 32,
    },
    {
      ending:
        'MakerPaymentValidatedAndConfirmed / TakerPaymentSent / MakerPaymentSpentByWatcher / MakerPaymentSpentByWatcher',
      outcome: 'completed',
      ways: 8,
    },
    {
      ending:
        'MakerPaymentValidatedAndConfirmed / TakerPaymentSent / MakerPaymentSpendFailed / MakerPaymentSpendFailed',
      outcome: 'funds-at-risk',
      ways: 4,
    },
    {
      ending:
        'MakerPaymentValidatedAndConfirmed / TakerPaymentSent / MakerPaymentSpendFailed / TakerPaymentRefunded / TakerPaymentRefundFinished',
      outcome: 'funds-at-risk',
      ways: 4,
    },
    {
      ending:
        'MakerPaymentValidatedAndConfirmed / TakerPaymentSent / MakerPaymentSpendFailed / TakerPaymentRefunded / TakerPaymentRefunded',
      outcome: 'funds-at-risk',
      ways: 4,
    },
    {
      ending:
        'MakerPaymentValidatedAndConfirmed / TakerPaymentSent / MakerPaymentSpendFailed / TakerPaymentRefundFailed',
      outcome: 'funds-at-risk',
      ways: 4,
    },
    {
      ending:
        'MakerPaymentValidatedAndConfirmed / TakerPaymentSent / MakerPaymentSpendFailed / TakerPaymentRefundedByWatcher / TakerPaymentRefundedByWatcher',
      outcome: 'funds-at-risk',
      ways: 8,
    },
    { ending: 'MakerPaymentValidatedAndConfirmed / TakerPaymentTransactionFailed', outcome: 'funds-at-risk', ways: 4 },
    { ending: 'MakerPaymentWaitConfirmFailed', outcome: 'failed-before-payment', ways: 4 },
    { ending: 'MakerPaymentValidateFailed', outcome: 'failed-before-payment', ways: 6 },
    { ending: 'TakerPaymentTransactionFailed', outcome: 'failed-before-payment', ways: 4 },
    { ending: 'TakerFeeSendFailed', outcome: 'failed-before-payment', ways: 1 },
    { ending: 'NegotiateFailed', outcome: 'failed-before-payment', ways: 1 },
    { ending: 'StartFailed', outcome: 'failed-before-payment', ways: 1 },
  ],
  (paths) => oneIn(5, paths),
);
