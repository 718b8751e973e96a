import { engine, live, liveOnly } from '../edges.ts';
import type { EventGraph } from '../graph.ts';

/**
 * The event graph of a watch: a third party that claims or refunds for a taker who is offline (specification §6, the
 * watcher flow).
 *
 * Every event leads to one state, whose entry action is the reducer named after that event. The real node's watcher
 * tries once to claim or refund, then stops. The edges that only this engine has follow a broadcast until the chain has
 * settled it, even if someone else was first.
 */
export const watcherGraph = {
  id: 'watcher',
  initial: 'created',
  states: {
    created: { on: { WatchRequested: { target: 'validatingTakerFee', meta: live } } },
    validatingTakerFee: {
      entry: 'WatchRequested',
      on: {
        TakerFeeValidated: { target: 'validatingTakerPayment', meta: liveOnly },
        Stopped: { target: 'stopped', meta: liveOnly },
      },
    },
    validatingTakerPayment: {
      entry: 'TakerFeeValidated',
      on: {
        TakerPaymentValidated: { target: 'waitingForSpend', meta: liveOnly },
        Stopped: { target: 'stopped', meta: liveOnly },
      },
    },
    waitingForSpend: {
      entry: 'TakerPaymentValidated',
      on: {
        TakerPaymentSpendFound: { target: 'claiming', meta: live },
        TakerPaymentRefundedByTaker: { target: 'refundedByTaker', meta: liveOnly },
        TakerPaymentRefunded: { target: 'refundSent', meta: live },
        Stopped: { target: 'stopped', meta: liveOnly },
      },
    },
    claiming: {
      entry: 'TakerPaymentSpendFound',
      on: {
        MakerPaymentSpentByTaker: { target: 'claimedByTaker', meta: liveOnly },
        MakerPaymentSpent: { target: 'claimSent', meta: live },
        Stopped: { target: 'stopped', meta: liveOnly },
      },
    },
    claimSent: {
      entry: 'MakerPaymentSpent',
      on: {
        // The taker is back, and its own claim was included.
        MakerPaymentSpentByTaker: { target: 'claimedByTaker', meta: engine },
        Stopped: { target: 'stopped', meta: liveOnly },
      },
    },
    claimedByTaker: { entry: 'MakerPaymentSpentByTaker', on: { Stopped: { target: 'stopped', meta: liveOnly } } },
    refundSent: {
      entry: 'TakerPaymentRefunded',
      on: {
        // The maker was first after all: now the secret is known, and only the claim is left.
        TakerPaymentSpendFound: { target: 'claiming', meta: engine },
        TakerPaymentRefundedByTaker: { target: 'refundedByTaker', meta: engine },
        Stopped: { target: 'stopped', meta: liveOnly },
      },
    },
    refundedByTaker: { entry: 'TakerPaymentRefundedByTaker', on: { Stopped: { target: 'stopped', meta: liveOnly } } },
    stopped: { entry: 'Stopped', type: 'final' },
  },
} as const satisfies EventGraph;
