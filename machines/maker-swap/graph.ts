import { engine, legacy, liveOnly as live, restart } from '../edges.ts';
import type { EventGraph } from '../graph.ts';
import { makerPaymentNotSent, makerPaymentSent, takerPaymentValidated } from './guards.ts';

/**
 * The maker's event graph: which event may follow which, and what the swap is doing in between.
 *
 * The specification describes only the taker, so the edges come from what the real node emits live and after a restart,
 * what older releases stored, and what this engine emits in addition. Every event leads to one state, whose entry
 * action is the reducer named after that event.
 */
export const makerSwapGraph = {
  id: 'maker-swap',
  initial: 'created',
  states: {
    created: {
      on: {
        Started: { target: 'negotiating', meta: live },
        StartFailed: { target: 'startFailed', meta: live },
      },
    },
    startFailed: {
      entry: 'StartFailed',
      on: {
        Finished: { target: 'finished', meta: live },
      },
    },
    negotiating: {
      entry: 'Started',
      on: {
        Negotiated: { target: 'waitingForTakerFee', meta: live },
        NegotiateFailed: { target: 'negotiateFailed', meta: live },
      },
    },
    negotiateFailed: {
      entry: 'NegotiateFailed',
      on: {
        Finished: { target: 'finished', meta: live },
      },
    },
    waitingForTakerFee: {
      entry: 'Negotiated',
      on: {
        MakerPaymentInstructionsReceived: { target: 'instructionsReceived', meta: live },
        TakerFeeValidated: { target: 'sendingMakerPayment', meta: legacy('2022-10') },
        TakerFeeValidateFailed: { target: 'takerFeeInvalid', meta: live },
      },
    },
    instructionsReceived: {
      entry: 'MakerPaymentInstructionsReceived',
      on: {
        TakerFeeValidated: { target: 'sendingMakerPayment', meta: live },
        MakerPaymentInstructionsReceived: { target: 'instructionsReceived', reenter: true, meta: restart },
        TakerFeeValidateFailed: { target: 'takerFeeInvalid', meta: restart },
      },
    },
    takerFeeInvalid: {
      entry: 'TakerFeeValidateFailed',
      on: {
        Finished: { target: 'finished', meta: live },
      },
    },
    sendingMakerPayment: {
      entry: 'TakerFeeValidated',
      on: {
        MakerPaymentSent: { target: 'waitingForTakerPayment', meta: live },
        MakerPaymentTransactionFailed: { target: 'makerPaymentFailed', meta: live },
      },
    },
    makerPaymentFailed: {
      entry: 'MakerPaymentTransactionFailed',
      on: {
        Finished: { target: 'finished', meta: live },
        MakerPaymentSent: { target: 'waitingForTakerPayment', guard: 'makerPaymentNotSent', meta: makerPaymentNotSent },
        MakerPaymentWaitRefundStarted: {
          target: 'waitingForRefund',
          guard: 'makerPaymentSent',
          meta: makerPaymentSent,
        },
      },
    },
    waitingForTakerPayment: {
      entry: 'MakerPaymentSent',
      on: {
        TakerPaymentReceived: { target: 'takerPaymentReceived', meta: live },
        MakerPaymentDataSendFailed: { target: 'makerPaymentDataNotSent', meta: live },
        MakerPaymentWaitConfirmFailed: { target: 'makerPaymentUnconfirmed', meta: live },
        TakerPaymentValidateFailed: { target: 'takerPaymentInvalid', meta: live },
      },
    },
    takerPaymentReceived: {
      entry: 'TakerPaymentReceived',
      on: {
        TakerPaymentWaitConfirmStarted: { target: 'confirmingTakerPayment', meta: live },
        TakerPaymentValidatedAndConfirmed: { target: 'claiming', meta: restart },
        TakerPaymentWaitConfirmFailed: { target: 'takerPaymentUnconfirmed', meta: restart },
        TakerPaymentValidateFailed: { target: 'takerPaymentInvalid', meta: restart },
        MakerPaymentTransactionFailed: { target: 'makerPaymentFailed', meta: restart },
      },
    },
    confirmingTakerPayment: {
      entry: 'TakerPaymentWaitConfirmStarted',
      on: {
        TakerPaymentValidatedAndConfirmed: { target: 'claiming', meta: live },
        TakerPaymentWaitConfirmFailed: { target: 'takerPaymentUnconfirmed', meta: live },
        TakerPaymentValidateFailed: { target: 'takerPaymentInvalid', meta: live },
        MakerPaymentTransactionFailed: { target: 'makerPaymentFailed', meta: live },
      },
    },
    makerPaymentDataNotSent: {
      entry: 'MakerPaymentDataSendFailed',
      on: {
        MakerPaymentWaitRefundStarted: { target: 'waitingForRefund', meta: live },
        MakerPaymentRefundStarted: { target: 'refunding', meta: restart },
        MakerPaymentRefunded: { target: 'refunded', meta: legacy('2020-02') },
        MakerPaymentRefundFailed: { target: 'refundFailed', meta: legacy('2020-02') },
      },
    },
    makerPaymentUnconfirmed: {
      entry: 'MakerPaymentWaitConfirmFailed',
      on: {
        MakerPaymentWaitRefundStarted: { target: 'waitingForRefund', meta: live },
        MakerPaymentRefundStarted: { target: 'refunding', meta: restart },
        MakerPaymentRefunded: { target: 'refunded', meta: legacy('2020-02') },
        MakerPaymentRefundFailed: { target: 'refundFailed', meta: legacy('2020-02') },
      },
    },
    takerPaymentInvalid: {
      entry: 'TakerPaymentValidateFailed',
      on: {
        MakerPaymentWaitRefundStarted: { target: 'waitingForRefund', meta: live },
        MakerPaymentRefundStarted: { target: 'refunding', meta: restart },
        MakerPaymentRefunded: { target: 'refunded', meta: legacy('2020-02') },
        MakerPaymentRefundFailed: { target: 'refundFailed', meta: legacy('2020-02') },
      },
    },
    takerPaymentUnconfirmed: {
      entry: 'TakerPaymentWaitConfirmFailed',
      on: {
        MakerPaymentWaitRefundStarted: { target: 'waitingForRefund', meta: live },
        MakerPaymentRefundStarted: { target: 'refunding', meta: restart },
        MakerPaymentRefunded: { target: 'refunded', meta: legacy('2020-02') },
        MakerPaymentRefundFailed: { target: 'refundFailed', meta: legacy('2020-02') },
      },
    },
    claiming: {
      entry: 'TakerPaymentValidatedAndConfirmed',
      on: {
        TakerPaymentSpent: { target: 'claimSent', meta: live },
        TakerPaymentSpendFailed: { target: 'claimFailed', meta: live },
      },
    },
    claimSent: {
      entry: 'TakerPaymentSpent',
      on: {
        TakerPaymentSpendConfirmStarted: { target: 'confirmingClaim', meta: live },
        TakerPaymentSpendConfirmed: { target: 'claimConfirmed', meta: restart },
        TakerPaymentSpendConfirmFailed: { target: 'claimUnconfirmed', meta: restart },
        Finished: { target: 'finished', meta: legacy('2020-11') },
      },
    },
    confirmingClaim: {
      entry: 'TakerPaymentSpendConfirmStarted',
      on: {
        TakerPaymentSpendConfirmed: { target: 'claimConfirmed', meta: live },
        TakerPaymentSpendConfirmFailed: { target: 'claimUnconfirmed', meta: live },
      },
    },
    claimFailed: {
      entry: 'TakerPaymentSpendFailed',
      on: {
        MakerPaymentWaitRefundStarted: { target: 'waitingForRefund', meta: live },
        MakerPaymentRefundStarted: { target: 'refunding', meta: restart },
        MakerPaymentRefunded: { target: 'refunded', meta: legacy('2020-02') },
        MakerPaymentRefundFailed: { target: 'refundFailed', meta: legacy('2020-02') },
        TakerPaymentSpent: { target: 'claimSent', meta: engine },
      },
    },
    claimUnconfirmed: {
      entry: 'TakerPaymentSpendConfirmFailed',
      on: {
        MakerPaymentWaitRefundStarted: { target: 'waitingForRefund', meta: live },
        MakerPaymentRefundStarted: { target: 'refunding', meta: restart },
        MakerPaymentRefunded: { target: 'refunded', meta: legacy('2020-02') },
        MakerPaymentRefundFailed: { target: 'refundFailed', meta: legacy('2020-02') },
        TakerPaymentSpent: { target: 'claimSent', meta: engine },
      },
    },
    claimConfirmed: {
      entry: 'TakerPaymentSpendConfirmed',
      on: {
        Finished: { target: 'finished', meta: live },
      },
    },
    waitingForRefund: {
      entry: 'MakerPaymentWaitRefundStarted',
      on: {
        MakerPaymentRefundStarted: { target: 'refunding', meta: live },
        MakerPaymentRefunded: { target: 'refunded', meta: legacy('2023-01') },
        MakerPaymentRefundFailed: { target: 'refundFailed', meta: legacy('2023-01') },
        TakerPaymentSpent: { target: 'claimSent', guard: 'takerPaymentValidated', meta: takerPaymentValidated },
      },
    },
    refunding: {
      entry: 'MakerPaymentRefundStarted',
      on: {
        MakerPaymentRefunded: { target: 'refunded', meta: live },
        MakerPaymentRefundFailed: { target: 'refundFailed', meta: live },
        TakerPaymentSpent: { target: 'claimSent', guard: 'takerPaymentValidated', meta: takerPaymentValidated },
      },
    },
    refunded: {
      entry: 'MakerPaymentRefunded',
      on: {
        MakerPaymentRefundFinished: { target: 'refundFinished', meta: live },
        Finished: { target: 'finished', meta: legacy('2023-01') },
      },
    },
    refundFailed: {
      entry: 'MakerPaymentRefundFailed',
      on: {
        Finished: { target: 'finished', meta: live },
        MakerPaymentRefunded: { target: 'refunded', meta: engine },
        TakerPaymentSpent: { target: 'claimSent', guard: 'takerPaymentValidated', meta: takerPaymentValidated },
      },
    },
    refundFinished: {
      entry: 'MakerPaymentRefundFinished',
      on: {
        Finished: { target: 'finished', meta: live },
      },
    },
    finished: { entry: 'Finished', type: 'final' },
  },
} as const satisfies EventGraph;
