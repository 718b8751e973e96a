import type {
  Instructions,
  StoredTransaction,
  TakerNegotiated,
  TakerStarted,
  WatcherPreimages,
} from '../../src/events/payloads.ts';
import type { TakerEvent } from '../../src/events/taker.ts';
import type { Millis, UnixSeconds } from '../../src/primitives/time.ts';
import { toUnixSeconds } from '../../src/primitives/time.ts';
import type { Reducers } from '../definition.ts';
import type { RecordedFailure } from '../recorded-failure.ts';

/** Who made a spend: the swap's own side, or a watcher in its place. */
export type Spender = 'self' | 'watcher';

/** All that a taker's log says about the swap. Absent facts are null. */
export type TakerSwapContext = {
  started: TakerStarted | null;
  negotiated: TakerNegotiated | null;
  takerFee: StoredTransaction | null;
  instructions: Instructions;
  makerPayment: StoredTransaction | null;
  makerPaymentValidated: boolean;
  takerPayment: StoredTransaction | null;
  /** The log holds an event that can only follow a broadcast attempt of the taker payment whose fate it does not say. */
  takerPaymentUncertain: boolean;
  watcherPreimages: WatcherPreimages | null;
  takerPaymentSpend: StoredTransaction | null;
  /** 32 bytes in hex, known once the maker has spent the taker payment. */
  secret: string | null;
  makerPaymentSpend: StoredTransaction | null;
  makerPaymentSpentBy: Spender | null;
  makerPaymentSpendConfirmed: boolean;
  /** The latest claim was broadcast, and waiting for its confirmation failed. */
  makerPaymentSpendDoubtful: boolean;
  refundWaitUntil: UnixSeconds | null;
  /** A refund was broadcast; the transaction is null for coins that refund by themselves. */
  takerPaymentRefunded: boolean;
  takerPaymentRefund: StoredTransaction | null;
  takerPaymentRefundedBy: Spender | null;
  refundFinished: boolean;
  failures: RecordedFailure[];
  finishedAt: UnixSeconds | null;
  lastEventAt: Millis | null;
};

export function initialTakerSwapContext(): TakerSwapContext {
  return {
    started: null,
    negotiated: null,
    takerFee: null,
    instructions: null,
    makerPayment: null,
    makerPaymentValidated: false,
    takerPayment: null,
    takerPaymentUncertain: false,
    watcherPreimages: null,
    takerPaymentSpend: null,
    secret: null,
    makerPaymentSpend: null,
    makerPaymentSpentBy: null,
    makerPaymentSpendConfirmed: false,
    makerPaymentSpendDoubtful: false,
    refundWaitUntil: null,
    takerPaymentRefunded: false,
    takerPaymentRefund: null,
    takerPaymentRefundedBy: null,
    refundFinished: false,
    failures: [],
    finishedAt: null,
    lastEventAt: null,
  };
}

/**
 * Whether the maker has spent the taker payment, so that the secret stands on the chain. A restarted node may store
 * what it did with the secret without the event that told it the secret.
 */
export function secretIsPublic({ secret, makerPaymentSpend, failures }: TakerSwapContext): boolean {
  return (
    secret !== null || makerPaymentSpend !== null || failures.some(({ event }) => event === 'MakerPaymentSpendFailed')
  );
}

type Failing = { readonly type: string; readonly at: Millis; readonly data: { readonly error: string } };

function recordFailure(draft: TakerSwapContext, { type, at, data }: Failing): void {
  draft.lastEventAt = at;
  draft.failures.push({ event: type, at, error: data.error });
}

function touch(draft: TakerSwapContext, { at }: { readonly at: Millis }): void {
  draft.lastEventAt = at;
}

/** One total recipe per event; what the real node's `apply_event` keeps, and the facts that a verdict needs. */
export const takerSwapReducers: Reducers<TakerSwapContext, TakerEvent> = {
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
  TakerFeeSent(draft, { at, data }) {
    draft.lastEventAt = at;
    draft.takerFee = data;
  },
  TakerFeeSendFailed: recordFailure,
  TakerPaymentInstructionsReceived(draft, { at, data }) {
    draft.lastEventAt = at;
    draft.instructions = data;
  },
  MakerPaymentReceived(draft, { at, data }) {
    draft.lastEventAt = at;
    draft.makerPayment = data;
  },
  MakerPaymentWaitConfirmStarted: touch,
  MakerPaymentValidatedAndConfirmed(draft, { at }) {
    draft.lastEventAt = at;
    draft.makerPaymentValidated = true;
  },
  MakerPaymentValidateFailed: recordFailure,
  MakerPaymentWaitConfirmFailed: recordFailure,
  TakerPaymentSent(draft, { at, data }) {
    draft.lastEventAt = at;
    draft.takerPayment = data;
    draft.takerPaymentUncertain = false;
  },
  WatcherMessageSent(draft, { at, data }) {
    draft.lastEventAt = at;
    draft.watcherPreimages = data;
  },
  TakerPaymentTransactionFailed(draft, event) {
    recordFailure(draft, event);
    // Before the maker payment was validated nothing was sent: then only the watcher reward could not be computed.
    draft.takerPaymentUncertain = draft.makerPaymentValidated;
  },
  TakerPaymentDataSendFailed: recordFailure,
  TakerPaymentWaitConfirmFailed: recordFailure,
  TakerPaymentSpent(draft, { at, data }) {
    draft.lastEventAt = at;
    draft.takerPaymentSpend = data.transaction;
    draft.secret = data.secret;
  },
  TakerPaymentWaitForSpendFailed: recordFailure,
  MakerPaymentSpent(draft, { at, data }) {
    draft.lastEventAt = at;
    draft.makerPaymentSpend = data;
    draft.makerPaymentSpentBy = 'self';
    draft.makerPaymentSpendDoubtful = false;
  },
  MakerPaymentSpendConfirmed(draft, { at }) {
    draft.lastEventAt = at;
    draft.makerPaymentSpendConfirmed = true;
    draft.makerPaymentSpendDoubtful = false;
  },
  MakerPaymentSpendConfirmFailed(draft, event) {
    recordFailure(draft, event);
    draft.makerPaymentSpendDoubtful = !draft.makerPaymentSpendConfirmed;
  },
  MakerPaymentSpentByWatcher(draft, { at, data }) {
    draft.lastEventAt = at;
    draft.makerPaymentSpend = data;
    draft.makerPaymentSpentBy = 'watcher';
    draft.makerPaymentSpendDoubtful = false;
  },
  MakerPaymentSpendFailed: recordFailure,
  TakerPaymentWaitRefundStarted(draft, { at, data }) {
    draft.lastEventAt = at;
    draft.refundWaitUntil = data.wait_until;
  },
  TakerPaymentRefundStarted: touch,
  TakerPaymentRefunded(draft, { at, data }) {
    draft.lastEventAt = at;
    draft.takerPaymentRefunded = true;
    draft.takerPaymentRefund = data;
    draft.takerPaymentRefundedBy = 'self';
  },
  TakerPaymentRefundFailed: recordFailure,
  TakerPaymentRefundFinished(draft, { at }) {
    draft.lastEventAt = at;
    draft.refundFinished = true;
  },
  TakerPaymentRefundedByWatcher(draft, { at, data }) {
    draft.lastEventAt = at;
    draft.takerPaymentRefunded = true;
    draft.takerPaymentRefund = data;
    draft.takerPaymentRefundedBy = 'watcher';
  },
  Finished(draft, { at }) {
    draft.lastEventAt = at;
    draft.finishedAt = toUnixSeconds(at);
  },
};
