import type { StoredTransaction, TakerNegotiated, TakerStarted, WatcherPreimages } from '../../src/events/payloads.ts';
import type { TakerEvent } from '../../src/events/taker.ts';
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

/** Who made a spend: the swap's own side, or a watcher in its place. */
export type Spender = 'self' | 'watcher';

/** Everything that a taker's log says about the swap. Absent facts are null. */
export type TakerSwapContext = SwapFacts<TakerStarted, TakerNegotiated> & {
  makerPaymentValidated: boolean;
  /**
   * The log holds an event that can only follow an attempt to broadcast the taker payment, but not the attempt's
   * outcome.
   */
  takerPaymentUncertain: boolean;
  watcherPreimages: WatcherPreimages | null;
  /** 32 bytes in hex, known once the maker has spent the taker payment. */
  secret: string | null;
  makerPaymentSpend: StoredTransaction | null;
  makerPaymentSpentBy: Spender | null;
  makerPaymentSpendConfirmed: boolean;
  /** The latest claim was broadcast, and waiting for its confirmation failed. */
  makerPaymentSpendDoubtful: boolean;
  /** A refund was broadcast; the transaction is null for coins that refund automatically. */
  takerPaymentRefunded: boolean;
  takerPaymentRefund: StoredTransaction | null;
  takerPaymentRefundedBy: Spender | null;
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
 * Whether the maker has spent the taker payment, which puts the secret on the chain. A restarted node may store what it
 * did with the secret without the event that revealed it.
 */
export function secretIsPublic({ secret, makerPaymentSpend, failures }: TakerSwapContext): boolean {
  return (
    secret !== null || makerPaymentSpend !== null || failures.some(({ event }) => event === 'MakerPaymentSpendFailed')
  );
}

/** One total recipe per event; what the real node's `apply_event` keeps, and the facts that a verdict needs. */
export const takerSwapReducers: Reducers<TakerSwapContext, TakerEvent> = {
  Started: recordStart,
  StartFailed: recordFailure,
  Negotiated: recordNegotiation,
  NegotiateFailed: recordFailure,
  TakerFeeSent: recordTakerFee,
  TakerFeeSendFailed: recordFailure,
  TakerPaymentInstructionsReceived: recordInstructions,
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
    // Nothing was sent before the maker payment was validated; then only the computation of the watcher reward failed.
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
  TakerPaymentWaitRefundStarted: recordRefundWait,
  TakerPaymentRefundStarted: touch,
  TakerPaymentRefunded(draft, { at, data }) {
    draft.lastEventAt = at;
    draft.takerPaymentRefunded = true;
    draft.takerPaymentRefund = data;
    draft.takerPaymentRefundedBy = 'self';
  },
  TakerPaymentRefundFailed: recordFailure,
  TakerPaymentRefundFinished: recordRefundEnd,
  TakerPaymentRefundedByWatcher(draft, { at, data }) {
    draft.lastEventAt = at;
    draft.takerPaymentRefunded = true;
    draft.takerPaymentRefund = data;
    draft.takerPaymentRefundedBy = 'watcher';
  },
  Finished: recordFinish,
};
