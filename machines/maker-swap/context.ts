import type { MakerEvent } from '../../src/events/maker.ts';
import type { MakerNegotiated, MakerStarted, StoredTransaction } from '../../src/events/payloads.ts';
import type { Reducers } from '../definition.ts';
import {
  recordFailure,
  recordFinish,
  recordInstructions,
  recordNegotiation,
  recordRefundEnd,
  recordRefundWait,
  recordStart,
  recordTakerFee,
  type SwapFacts,
  touch,
} from '../swap-context.ts';

/** Everything that a maker's log says about the swap. Absent facts are null. */
export type MakerSwapContext = SwapFacts<MakerStarted, MakerNegotiated> & {
  /** The broadcast of the maker payment was reported as failed, but the transaction may still be on the chain. */
  makerPaymentUncertain: boolean;
  takerPaymentValidated: boolean;
  takerPaymentSpendConfirmed: boolean;
  /** The latest claim was broadcast, and waiting for its confirmation failed. */
  takerPaymentSpendDoubtful: boolean;
  /** A refund was broadcast; the transaction is null for coins that refund automatically. */
  makerPaymentRefunded: boolean;
  makerPaymentRefund: StoredTransaction | null;
};

export function initialMakerSwapContext(): MakerSwapContext {
  return {
    started: null,
    negotiated: null,
    instructions: null,
    takerFee: null,
    makerPayment: null,
    makerPaymentUncertain: false,
    takerPayment: null,
    takerPaymentValidated: false,
    takerPaymentSpend: null,
    takerPaymentSpendConfirmed: false,
    takerPaymentSpendDoubtful: false,
    refundWaitUntil: null,
    makerPaymentRefunded: false,
    makerPaymentRefund: null,
    refundFinished: false,
    failures: [],
    finishedAt: null,
    lastEventAt: null,
  };
}

/** One total recipe per event; what the real node's `apply_event` keeps, and the facts that a verdict needs. */
export const makerSwapReducers: Reducers<MakerSwapContext, MakerEvent> = {
  Started: recordStart,
  StartFailed: recordFailure,
  Negotiated: recordNegotiation,
  NegotiateFailed: recordFailure,
  MakerPaymentInstructionsReceived: recordInstructions,
  TakerFeeValidated: recordTakerFee,
  TakerFeeValidateFailed: recordFailure,
  MakerPaymentSent(draft, { at, data }) {
    draft.lastEventAt = at;
    draft.makerPayment = data;
    draft.makerPaymentUncertain = false;
  },
  MakerPaymentTransactionFailed(draft, event) {
    recordFailure(draft, event);
    draft.makerPaymentUncertain = draft.makerPayment === null;
  },
  MakerPaymentDataSendFailed: recordFailure,
  MakerPaymentWaitConfirmFailed: recordFailure,
  TakerPaymentReceived(draft, { at, data }) {
    draft.lastEventAt = at;
    draft.takerPayment = data;
  },
  TakerPaymentWaitConfirmStarted: touch,
  TakerPaymentValidatedAndConfirmed(draft, { at }) {
    draft.lastEventAt = at;
    draft.takerPaymentValidated = true;
  },
  TakerPaymentValidateFailed: recordFailure,
  TakerPaymentWaitConfirmFailed: recordFailure,
  TakerPaymentSpent(draft, { at, data }) {
    draft.lastEventAt = at;
    draft.takerPaymentSpend = data;
    draft.takerPaymentSpendDoubtful = false;
  },
  TakerPaymentSpendFailed: recordFailure,
  TakerPaymentSpendConfirmStarted: touch,
  TakerPaymentSpendConfirmed(draft, { at }) {
    draft.lastEventAt = at;
    draft.takerPaymentSpendConfirmed = true;
    draft.takerPaymentSpendDoubtful = false;
  },
  TakerPaymentSpendConfirmFailed(draft, event) {
    recordFailure(draft, event);
    draft.takerPaymentSpendDoubtful = !draft.takerPaymentSpendConfirmed;
  },
  MakerPaymentWaitRefundStarted: recordRefundWait,
  MakerPaymentRefundStarted: touch,
  MakerPaymentRefunded(draft, { at, data }) {
    draft.lastEventAt = at;
    draft.makerPaymentRefunded = true;
    draft.makerPaymentRefund = data;
  },
  MakerPaymentRefundFailed: recordFailure,
  MakerPaymentRefundFinished: recordRefundEnd,
  Finished: recordFinish,
};
