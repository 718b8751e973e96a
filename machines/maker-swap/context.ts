import type { MakerEvent } from '../../src/events/maker.ts';
import type { Instructions, MakerNegotiated, MakerStarted, StoredTransaction } from '../../src/events/payloads.ts';
import type { Millis, UnixSeconds } from '../../src/primitives/time.ts';
import { toUnixSeconds } from '../../src/primitives/time.ts';
import type { Reducers } from '../definition.ts';
import type { RecordedFailure } from '../recorded-failure.ts';

/** All that a maker's log says about the swap. Absent facts are null. */
export type MakerSwapContext = {
  started: MakerStarted | null;
  negotiated: MakerNegotiated | null;
  instructions: Instructions;
  takerFee: StoredTransaction | null;
  makerPayment: StoredTransaction | null;
  /** The broadcast of the maker payment was reported as failed: the transaction may be on the chain all the same. */
  makerPaymentUncertain: boolean;
  takerPayment: StoredTransaction | null;
  takerPaymentValidated: boolean;
  takerPaymentSpend: StoredTransaction | null;
  takerPaymentSpendConfirmed: boolean;
  /** The latest claim was broadcast, and waiting for its confirmation failed. */
  takerPaymentSpendDoubtful: boolean;
  refundWaitUntil: UnixSeconds | null;
  /** A refund was broadcast; the transaction is null for coins that refund by themselves. */
  makerPaymentRefunded: boolean;
  makerPaymentRefund: StoredTransaction | null;
  refundFinished: boolean;
  failures: RecordedFailure[];
  finishedAt: UnixSeconds | null;
  lastEventAt: Millis | null;
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

type Failing = { readonly type: string; readonly at: Millis; readonly data: { readonly error: string } };

function recordFailure(draft: MakerSwapContext, { type, at, data }: Failing): void {
  draft.lastEventAt = at;
  draft.failures.push({ event: type, at, error: data.error });
}

function touch(draft: MakerSwapContext, { at }: { readonly at: Millis }): void {
  draft.lastEventAt = at;
}

/** One total recipe per event; what the real node's `apply_event` keeps, and the facts that a verdict needs. */
export const makerSwapReducers: Reducers<MakerSwapContext, MakerEvent> = {
  Started(draft, { at, data }) {
    draft.lastEventAt = at;
    draft.started = data;
  },
  StartFailed: recordFailure,
  Negotiated(draft, { at, data }) {
    draft.lastEventAt = at;
    draft.negotiated = data;
  },
  NegotiateFailed: recordFailure,
  MakerPaymentInstructionsReceived(draft, { at, data }) {
    draft.lastEventAt = at;
    draft.instructions = data;
  },
  TakerFeeValidated(draft, { at, data }) {
    draft.lastEventAt = at;
    draft.takerFee = data;
  },
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
  MakerPaymentWaitRefundStarted(draft, { at, data }) {
    draft.lastEventAt = at;
    draft.refundWaitUntil = data.wait_until;
  },
  MakerPaymentRefundStarted: touch,
  MakerPaymentRefunded(draft, { at, data }) {
    draft.lastEventAt = at;
    draft.makerPaymentRefunded = true;
    draft.makerPaymentRefund = data;
  },
  MakerPaymentRefundFailed: recordFailure,
  MakerPaymentRefundFinished(draft, { at }) {
    draft.lastEventAt = at;
    draft.refundFinished = true;
  },
  Finished(draft, { at }) {
    draft.lastEventAt = at;
    draft.finishedAt = toUnixSeconds(at);
  },
};
