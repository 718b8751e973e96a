import { describeEnginePaths } from './engine-paths.ts';

describeEnginePaths('taker', [
  { money: '– / –', outcome: 'funds-at-risk', ways: 104 },
  { money: '– / TakerPaymentRefunded', outcome: 'refunded', ways: 576 },
  { money: '– / TakerPaymentRefundedByWatcher', outcome: 'refunded', ways: 296 },
  { money: 'MakerPaymentSpendConfirmed / –', outcome: 'completed', ways: 12396 },
  { money: 'MakerPaymentSpendConfirmFailed / –', outcome: 'funds-at-risk', ways: 4188 },
  { money: 'MakerPaymentSpendConfirmFailed / TakerPaymentRefunded', outcome: 'funds-at-risk', ways: 9048 },
  { money: 'MakerPaymentSpendConfirmFailed / TakerPaymentRefundedByWatcher', outcome: 'funds-at-risk', ways: 7192 },
  { money: 'MakerPaymentSpendFailed / –', outcome: 'funds-at-risk', ways: 1536 },
  { money: 'MakerPaymentSpendFailed / TakerPaymentRefunded', outcome: 'funds-at-risk', ways: 1368 },
  { money: 'MakerPaymentSpendFailed / TakerPaymentRefundedByWatcher', outcome: 'funds-at-risk', ways: 2016 },
  { money: 'MakerPaymentSpent / –', outcome: 'completed', ways: 7404 },
  { money: 'MakerPaymentSpentByWatcher / –', outcome: 'completed', ways: 4992 },
]);
