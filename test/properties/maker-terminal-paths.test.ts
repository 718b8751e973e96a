import { oneIn } from '../support/draws.ts';
import { describeTerminalPaths } from './terminal-paths.ts';

describeTerminalPaths(
  'maker',
  [
    {
      ending: 'MakerPaymentSent / TakerPaymentValidatedAndConfirmed / TakerPaymentSpent / TakerPaymentSpendConfirmed',
      outcome: 'completed',
      ways: 8,
    },
    {
      ending:
        'MakerPaymentSent / TakerPaymentValidatedAndConfirmed / TakerPaymentSpent / MakerPaymentRefunded / MakerPaymentRefundFinished',
      outcome: 'refunded',
      ways: 32,
    },
    {
      ending:
        'MakerPaymentSent / TakerPaymentValidatedAndConfirmed / TakerPaymentSpent / MakerPaymentRefunded / MakerPaymentRefunded',
      outcome: 'refunded',
      ways: 32,
    },
    {
      ending: 'MakerPaymentSent / TakerPaymentValidatedAndConfirmed / TakerPaymentSpent / MakerPaymentRefundFailed',
      outcome: 'funds-at-risk',
      ways: 32,
    },
    {
      ending: 'MakerPaymentSent / TakerPaymentValidatedAndConfirmed / TakerPaymentSpent / TakerPaymentSpent',
      outcome: 'completed',
      ways: 4,
    },
    {
      ending:
        'MakerPaymentSent / TakerPaymentValidatedAndConfirmed / MakerPaymentRefunded / MakerPaymentRefundFinished',
      outcome: 'refunded',
      ways: 16,
    },
    {
      ending: 'MakerPaymentSent / TakerPaymentValidatedAndConfirmed / MakerPaymentRefunded / MakerPaymentRefunded',
      outcome: 'refunded',
      ways: 16,
    },
    {
      ending: 'MakerPaymentSent / TakerPaymentValidatedAndConfirmed / MakerPaymentRefundFailed',
      outcome: 'funds-at-risk',
      ways: 16,
    },
    { ending: 'MakerPaymentSent / MakerPaymentRefunded / MakerPaymentRefundFinished', outcome: 'refunded', ways: 56 },
    { ending: 'MakerPaymentSent / MakerPaymentRefunded / MakerPaymentRefunded', outcome: 'refunded', ways: 56 },
    { ending: 'MakerPaymentSent / MakerPaymentRefundFailed', outcome: 'funds-at-risk', ways: 56 },
    { ending: 'MakerPaymentSent / MakerPaymentTransactionFailed', outcome: 'funds-at-risk', ways: 4 },
    { ending: 'MakerPaymentTransactionFailed', outcome: 'funds-at-risk', ways: 2 },
    { ending: 'TakerFeeValidateFailed', outcome: 'failed-before-payment', ways: 2 },
    { ending: 'NegotiateFailed', outcome: 'failed-before-payment', ways: 1 },
    { ending: 'StartFailed', outcome: 'failed-before-payment', ways: 1 },
  ],
  (paths) => oneIn(5, paths),
);
