import { engine, legacy, live, liveOnly, restart, specAndLegacy, specOnly } from '../edges.ts';
import type { EventGraph } from '../graph.ts';
import { secretShown, secretUnknown, takerPaymentUncertain } from './guards.ts';

/**
 * The taker's event graph: which event may follow which, and what the swap is doing in between.
 *
 * Replay accepts what the specification says (§3.3), what the real node emits live and after a restart, what older releases
 * stored, and what this engine emits beyond that; each edge says which. An event leads to one state, entered by its reducer.
 */
export const takerSwapGraph = {
  id: 'taker-swap',
  initial: 'created',
  states: {
    created: {
      on: { Started: { target: 'negotiating', meta: live }, StartFailed: { target: 'startFailed', meta: live } },
    },
    startFailed: { entry: 'StartFailed', on: { Finished: { target: 'finished', meta: live } } },
    negotiating: {
      entry: 'Started',
      on: {
        Negotiated: { target: 'sendingTakerFee', meta: live },
        NegotiateFailed: { target: 'negotiateFailed', meta: live },
      },
    },
    negotiateFailed: { entry: 'NegotiateFailed', on: { Finished: { target: 'finished', meta: live } } },
    sendingTakerFee: {
      entry: 'Negotiated',
      on: {
        TakerFeeSent: { target: 'waitingForMakerPayment', meta: live },
        TakerFeeSendFailed: { target: 'takerFeeSendFailed', meta: live },
      },
    },
    takerFeeSendFailed: { entry: 'TakerFeeSendFailed', on: { Finished: { target: 'finished', meta: live } } },
    waitingForMakerPayment: {
      entry: 'TakerFeeSent',
      on: {
        TakerPaymentInstructionsReceived: { target: 'instructionsReceived', meta: live },
        MakerPaymentReceived: { target: 'makerPaymentReceived', meta: specAndLegacy('2022-10') },
        MakerPaymentValidateFailed: { target: 'makerPaymentInvalid', meta: live },
      },
    },
    instructionsReceived: {
      entry: 'TakerPaymentInstructionsReceived',
      on: {
        MakerPaymentReceived: { target: 'makerPaymentReceived', meta: live },
        MakerPaymentValidateFailed: { target: 'makerPaymentInvalid', meta: specOnly },
      },
    },
    makerPaymentReceived: {
      entry: 'MakerPaymentReceived',
      on: {
        MakerPaymentWaitConfirmStarted: { target: 'confirmingMakerPayment', meta: live },
        MakerPaymentValidatedAndConfirmed: { target: 'sendingTakerPayment', meta: restart },
        MakerPaymentWaitConfirmFailed: { target: 'makerPaymentUnconfirmed', meta: restart },
        MakerPaymentValidateFailed: { target: 'makerPaymentInvalid', meta: restart },
        TakerPaymentTransactionFailed: { target: 'takerPaymentFailed', meta: restart },
      },
    },
    confirmingMakerPayment: {
      entry: 'MakerPaymentWaitConfirmStarted',
      on: {
        MakerPaymentValidatedAndConfirmed: { target: 'sendingTakerPayment', meta: live },
        MakerPaymentWaitConfirmFailed: { target: 'makerPaymentUnconfirmed', meta: live },
        MakerPaymentValidateFailed: { target: 'makerPaymentInvalid', meta: live },
        TakerPaymentTransactionFailed: { target: 'takerPaymentFailed', meta: liveOnly },
      },
    },
    makerPaymentInvalid: { entry: 'MakerPaymentValidateFailed', on: { Finished: { target: 'finished', meta: live } } },
    makerPaymentUnconfirmed: {
      entry: 'MakerPaymentWaitConfirmFailed',
      on: { Finished: { target: 'finished', meta: live } },
    },
    sendingTakerPayment: {
      entry: 'MakerPaymentValidatedAndConfirmed',
      on: {
        TakerPaymentSent: { target: 'waitingForSpend', meta: live },
        TakerPaymentTransactionFailed: { target: 'takerPaymentFailed', meta: live },
      },
    },
    takerPaymentFailed: {
      entry: 'TakerPaymentTransactionFailed',
      on: {
        Finished: { target: 'finished', meta: live },
        TakerPaymentSent: { target: 'waitingForSpend', guard: 'takerPaymentUncertain', meta: takerPaymentUncertain },
      },
    },
    waitingForSpend: {
      entry: 'TakerPaymentSent',
      on: {
        WatcherMessageSent: { target: 'waitingForSpendWatched', meta: liveOnly },
        // The specification knows watchers, but not the event of telling them.
        MakerPaymentSpentByWatcher: { target: 'claimedByWatcher', meta: specOnly },
        TakerPaymentRefundedByWatcher: { target: 'refundedByWatcher', meta: specOnly },
        TakerPaymentSpent: { target: 'claiming', meta: live },
        TakerPaymentWaitForSpendFailed: { target: 'spendNotSeen', meta: live },
        TakerPaymentDataSendFailed: { target: 'takerPaymentDataNotSent', meta: specAndLegacy('2024-11') },
        TakerPaymentWaitConfirmFailed: { target: 'takerPaymentUnconfirmed', meta: specAndLegacy('2024-11') },
      },
    },
    waitingForSpendWatched: {
      entry: 'WatcherMessageSent',
      on: {
        TakerPaymentSpent: { target: 'claiming', meta: live },
        TakerPaymentWaitForSpendFailed: { target: 'spendNotSeen', meta: live },
        TakerPaymentDataSendFailed: { target: 'takerPaymentDataNotSent', meta: specAndLegacy('2024-11') },
        TakerPaymentWaitConfirmFailed: { target: 'takerPaymentUnconfirmed', meta: specAndLegacy('2024-11') },
        TakerPaymentRefundedByWatcher: { target: 'refundedByWatcher', meta: restart },
        // After a restart, the real node may leave out the spend that it found and store only what it did next.
        MakerPaymentSpent: { target: 'confirmingClaim', meta: restart },
        MakerPaymentSpentByWatcher: { target: 'claimedByWatcher', meta: specOnly },
        MakerPaymentSpendFailed: { target: 'claimFailed', meta: restart },
      },
    },
    takerPaymentDataNotSent: {
      entry: 'TakerPaymentDataSendFailed',
      on: {
        TakerPaymentWaitRefundStarted: { target: 'waitingForRefund', meta: specAndLegacy('2024-11') },
        TakerPaymentRefundStarted: { target: 'refunding', meta: restart },
        TakerPaymentRefundedByWatcher: { target: 'refundedByWatcher', meta: restart },
        TakerPaymentRefunded: { target: 'refunded', meta: legacy('2020-02') },
        TakerPaymentRefundFailed: { target: 'refundFailed', meta: legacy('2020-02') },
        TakerPaymentSpent: { target: 'claiming', meta: engine },
      },
    },
    takerPaymentUnconfirmed: {
      entry: 'TakerPaymentWaitConfirmFailed',
      on: {
        TakerPaymentWaitRefundStarted: { target: 'waitingForRefund', meta: specAndLegacy('2024-11') },
        TakerPaymentRefundStarted: { target: 'refunding', meta: restart },
        TakerPaymentRefundedByWatcher: { target: 'refundedByWatcher', meta: restart },
        TakerPaymentRefunded: { target: 'refunded', meta: legacy('2020-02') },
        TakerPaymentRefundFailed: { target: 'refundFailed', meta: legacy('2020-02') },
        TakerPaymentSpent: { target: 'claiming', meta: engine },
      },
    },
    spendNotSeen: {
      entry: 'TakerPaymentWaitForSpendFailed',
      on: {
        TakerPaymentWaitRefundStarted: { target: 'waitingForRefund', meta: live },
        Finished: { target: 'finished', meta: liveOnly }, // The maker's spend was found, but its secret was not extracted.
        TakerPaymentRefundStarted: { target: 'refunding', meta: restart },
        TakerPaymentRefundedByWatcher: { target: 'refundedByWatcher', meta: restart },
        TakerPaymentRefunded: { target: 'refunded', meta: legacy('2020-02') },
        TakerPaymentRefundFailed: { target: 'refundFailed', meta: legacy('2020-02') },
        TakerPaymentSpent: { target: 'claiming', meta: engine },
      },
    },
    claiming: {
      entry: 'TakerPaymentSpent',
      on: {
        MakerPaymentSpent: { target: 'confirmingClaim', meta: live },
        MakerPaymentSpendFailed: { target: 'claimFailed', meta: live },
        MakerPaymentSpentByWatcher: { target: 'claimedByWatcher', meta: restart },
      },
    },
    confirmingClaim: {
      entry: 'MakerPaymentSpent',
      on: {
        MakerPaymentSpendConfirmed: { target: 'claimConfirmed', meta: live },
        MakerPaymentSpendConfirmFailed: { target: 'claimUnconfirmed', meta: live },
        Finished: { target: 'finished', meta: specAndLegacy('2024-10') },
      },
    },
    claimedByWatcher: {
      entry: 'MakerPaymentSpentByWatcher',
      on: {
        MakerPaymentSpendConfirmed: { target: 'claimConfirmed', meta: live },
        MakerPaymentSpendConfirmFailed: { target: 'claimUnconfirmed', meta: live },
        Finished: { target: 'finished', meta: specAndLegacy('2024-10') },
      },
    },
    claimConfirmed: { entry: 'MakerPaymentSpendConfirmed', on: { Finished: { target: 'finished', meta: live } } },
    claimUnconfirmed: {
      entry: 'MakerPaymentSpendConfirmFailed',
      on: {
        TakerPaymentWaitRefundStarted: { target: 'waitingForRefund', meta: liveOnly },
        TakerPaymentRefundStarted: { target: 'refunding', meta: restart },
        TakerPaymentRefundedByWatcher: { target: 'refundedByWatcher', meta: restart },
        TakerPaymentSpent: { target: 'claiming', guard: 'secretUnknown', meta: secretUnknown },
        MakerPaymentSpent: { target: 'confirmingClaim', meta: engine },
        MakerPaymentSpentByWatcher: { target: 'claimedByWatcher', meta: engine },
        Finished: { target: 'finished', meta: engine }, // The chain has shown that the claim is lost.
      },
    },
    claimFailed: {
      entry: 'MakerPaymentSpendFailed',
      on: {
        Finished: { target: 'finished', meta: live },
        TakerPaymentRefundStarted: { target: 'refunding', meta: restart },
        TakerPaymentRefundedByWatcher: { target: 'refundedByWatcher', meta: restart },
        TakerPaymentSpent: { target: 'claiming', guard: 'secretUnknown', meta: secretUnknown },
        MakerPaymentSpent: { target: 'confirmingClaim', meta: engine },
        MakerPaymentSpentByWatcher: { target: 'claimedByWatcher', meta: engine },
      },
    },
    waitingForRefund: {
      entry: 'TakerPaymentWaitRefundStarted',
      on: {
        TakerPaymentRefundStarted: { target: 'refunding', meta: live },
        TakerPaymentRefundedByWatcher: { target: 'refundedByWatcher', meta: restart },
        TakerPaymentRefunded: { target: 'refunded', meta: specAndLegacy('2023-01') },
        TakerPaymentRefundFailed: { target: 'refundFailed', meta: specAndLegacy('2023-01') },
        TakerPaymentSpent: { target: 'claiming', guard: 'secretUnknown', meta: secretUnknown },
        MakerPaymentSpent: { target: 'confirmingClaim', guard: 'secretIsPublic', meta: secretShown },
        MakerPaymentSpentByWatcher: { target: 'claimedByWatcher', meta: engine },
      },
    },
    refunding: {
      entry: 'TakerPaymentRefundStarted',
      on: {
        TakerPaymentRefunded: { target: 'refunded', meta: live },
        TakerPaymentRefundFailed: { target: 'refundFailed', meta: live },
        TakerPaymentRefundedByWatcher: { target: 'refundedByWatcher', meta: restart },
        TakerPaymentSpent: { target: 'claiming', guard: 'secretUnknown', meta: secretUnknown },
        MakerPaymentSpent: { target: 'confirmingClaim', guard: 'secretIsPublic', meta: secretShown },
        MakerPaymentSpentByWatcher: { target: 'claimedByWatcher', meta: engine },
      },
    },
    refunded: {
      entry: 'TakerPaymentRefunded',
      on: {
        TakerPaymentRefundFinished: { target: 'refundFinished', meta: live },
        Finished: { target: 'finished', meta: specAndLegacy('2023-01') },
      },
    },
    refundFailed: {
      entry: 'TakerPaymentRefundFailed',
      on: {
        Finished: { target: 'finished', meta: live },
        TakerPaymentRefunded: { target: 'refunded', meta: engine },
        TakerPaymentRefundedByWatcher: { target: 'refundedByWatcher', meta: engine },
        TakerPaymentSpent: { target: 'claiming', guard: 'secretUnknown', meta: secretUnknown },
        MakerPaymentSpent: { target: 'confirmingClaim', guard: 'secretIsPublic', meta: secretShown },
        MakerPaymentSpentByWatcher: { target: 'claimedByWatcher', meta: engine },
      },
    },
    refundFinished: { entry: 'TakerPaymentRefundFinished', on: { Finished: { target: 'finished', meta: live } } },
    refundedByWatcher: { entry: 'TakerPaymentRefundedByWatcher', on: { Finished: { target: 'finished', meta: live } } },
    finished: { entry: 'Finished', type: 'final' },
  },
} as const satisfies EventGraph;
