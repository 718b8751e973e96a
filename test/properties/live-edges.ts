import type { Role } from '../../src/events/catalog.ts';

export { LIVE_EDGES } from '../../src/sim/world/live-edges.ts';

/** Why no log that this engine began holds an order of events that its chart accepts. */
export const REASONS = {
  together: 'what stands before it is appended together with what the engine stores next',
  stored: 'the engine stores what it found on a chain before it acts on it',
  markerFirst: 'the engine marks the start of a refund before it looks whether one is final',
  watchersFirst: 'the engine stores that it told the watchers before any of them can have acted',
  settled: 'an error answer is no fact: the engine goes on until the chain has settled what the event would say',
  neverOut: 'the engine calls a payment failed once nobody ever got it, or once it can never confirm any more',
  lost: 'the engine calls a claim failed once the chain has shown for good that it is lost, and then closes the swap',
  repeated: 'messages are repeated until the deadline, and the own payment need not confirm before the next step',
  noReward: 'the real node ends a swap here when it cannot reckon a watcher reward, and this engine pays none',
} as const;

type Reason = keyof typeof REASONS;

/** Orders that a chart accepts and no log that this engine began holds, with the reason; edges of older releases aside. */
export const FOREIGN_EDGES: Readonly<Record<Role, readonly (readonly [Reason, ...string[]])[]>> = {
  taker: [
    [
      'together',
      'waitingForMakerPayment MakerPaymentReceived',
      'instructionsReceived MakerPaymentValidateFailed',
      'makerPaymentReceived MakerPaymentValidatedAndConfirmed',
      'makerPaymentReceived MakerPaymentWaitConfirmFailed',
      'makerPaymentReceived MakerPaymentValidateFailed',
      'makerPaymentReceived TakerPaymentTransactionFailed',
      'spendNotSeen Finished',
      'spendNotSeen TakerPaymentRefundStarted',
      'spendNotSeen TakerPaymentRefundedByWatcher',
      'spendNotSeen TakerPaymentSpent',
    ],
    ['noReward', 'confirmingMakerPayment TakerPaymentTransactionFailed'],
    ['neverOut', 'takerPaymentFailed TakerPaymentSent'],
    ['watchersFirst', 'waitingForSpend MakerPaymentSpentByWatcher', 'waitingForSpend TakerPaymentRefundedByWatcher'],
    [
      'repeated',
      'waitingForSpend TakerPaymentDataSendFailed',
      'waitingForSpend TakerPaymentWaitConfirmFailed',
      'waitingForSpendWatched TakerPaymentDataSendFailed',
      'waitingForSpendWatched TakerPaymentWaitConfirmFailed',
    ],
    [
      'stored',
      'waitingForSpendWatched MakerPaymentSpent',
      'waitingForSpendWatched MakerPaymentSpentByWatcher',
      'waitingForSpendWatched MakerPaymentSpendFailed',
      'waitingForRefund MakerPaymentSpent',
      'waitingForRefund MakerPaymentSpentByWatcher',
      'refunding MakerPaymentSpent',
      'refunding MakerPaymentSpentByWatcher',
    ],
    [
      'markerFirst',
      'waitingForSpendWatched TakerPaymentRefundedByWatcher',
      'waitingForRefund TakerPaymentRefundedByWatcher',
      'waitingForRefund TakerPaymentRefunded',
      'waitingForRefund TakerPaymentRefundFailed',
    ],
    [
      'settled',
      'confirmingClaim Finished',
      'claimedByWatcher Finished',
      'refunding TakerPaymentRefundFailed',
      'refunded Finished',
    ],
    [
      'lost',
      'claimUnconfirmed TakerPaymentWaitRefundStarted',
      'claimUnconfirmed TakerPaymentRefundStarted',
      'claimUnconfirmed TakerPaymentRefundedByWatcher',
      'claimUnconfirmed TakerPaymentSpent',
      'claimUnconfirmed MakerPaymentSpent',
      'claimUnconfirmed MakerPaymentSpentByWatcher',
      'claimFailed TakerPaymentRefundStarted',
      'claimFailed TakerPaymentRefundedByWatcher',
      'claimFailed TakerPaymentSpent',
      'claimFailed MakerPaymentSpent',
      'claimFailed MakerPaymentSpentByWatcher',
    ],
  ],
  maker: [
    [
      'together',
      'instructionsReceived MakerPaymentInstructionsReceived',
      'instructionsReceived TakerFeeValidateFailed',
      'takerPaymentReceived TakerPaymentValidatedAndConfirmed',
      'takerPaymentReceived TakerPaymentWaitConfirmFailed',
      'takerPaymentReceived TakerPaymentValidateFailed',
      'takerPaymentReceived MakerPaymentTransactionFailed',
      'makerPaymentUnconfirmed MakerPaymentRefundStarted',
      'takerPaymentInvalid MakerPaymentRefundStarted',
      'takerPaymentUnconfirmed MakerPaymentRefundStarted',
      'claimSent TakerPaymentSpendConfirmed',
      'claimSent TakerPaymentSpendConfirmFailed',
      'claimFailed MakerPaymentRefundStarted',
      'claimFailed TakerPaymentSpent',
      'claimUnconfirmed MakerPaymentRefundStarted',
      'claimUnconfirmed TakerPaymentSpent',
    ],
    ['neverOut', 'makerPaymentFailed MakerPaymentSent', 'makerPaymentFailed MakerPaymentWaitRefundStarted'],
    ['repeated', 'waitingForTakerPayment MakerPaymentDataSendFailed'],
    ['noReward', 'confirmingTakerPayment MakerPaymentTransactionFailed'],
    ['lost', 'refundFailed MakerPaymentRefunded', 'refundFailed TakerPaymentSpent'],
  ],
};

/** Events of each role that need another one earlier in the log of this engine. */
export const NEEDS: Readonly<Record<Role, Readonly<Record<string, string>>>> = {
  taker: {
    // Nobody but those who were told can act in the taker's place.
    MakerPaymentSpentByWatcher: 'WatcherMessageSent',
    TakerPaymentRefundedByWatcher: 'WatcherMessageSent',
  },
  maker: {
    // A maker's payment is lost only to a taker who knows the secret, which only the maker's claim tells.
    MakerPaymentRefundFailed: 'TakerPaymentValidatedAndConfirmed',
    TakerPaymentSpent: 'TakerPaymentValidatedAndConfirmed',
  },
};
