import { describeEnginePaths } from './engine-paths.ts';

describeEnginePaths('maker', [
  { money: '– / –', outcome: 'funds-at-risk', ways: 64 },
  { money: '– / MakerPaymentRefunded', outcome: 'refunded', ways: 368 },
  { money: 'TakerPaymentSpendConfirmed / –', outcome: 'completed', ways: 136 },
  { money: 'TakerPaymentSpendConfirmFailed / –', outcome: 'funds-at-risk', ways: 176 },
  { money: 'TakerPaymentSpendConfirmFailed / MakerPaymentRefunded', outcome: 'refunded', ways: 1056 },
  { money: 'TakerPaymentSpendFailed / –', outcome: 'funds-at-risk', ways: 16 },
  { money: 'TakerPaymentSpendFailed / MakerPaymentRefunded', outcome: 'refunded', ways: 96 },
  { money: 'TakerPaymentSpent / –', outcome: 'completed', ways: 68 },
]);
