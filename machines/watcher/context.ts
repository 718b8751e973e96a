import type { StoredTransaction } from '../../src/events/payloads.ts';
import type { StopReason, Watch, WatcherEvent, WatchTiming } from '../../src/events/watcher.ts';
import type { Millis } from '../../src/primitives/time.ts';
import type { Reducers } from '../definition.ts';

/** Who moved a payment: this watcher, or the taker itself (another watcher of the taker counts as the taker). */
export type WatchedBy = 'watcher' | 'taker';

/** Everything that a watch's log says. Absent facts are null. */
export type WatcherContext = {
  watch: Watch | null;
  timing: WatchTiming | null;
  /** When the fee was found valid; the pause before the search for the payment starts then. */
  takerFeeValidatedAt: Millis | null;
  takerPaymentValidated: boolean;
  takerPaymentSpend: StoredTransaction | null;
  /** 32 bytes in hex, known once the maker has spent the taker payment. */
  secret: string | null;
  makerPaymentSpend: StoredTransaction | null;
  makerPaymentSpentBy: WatchedBy | null;
  takerPaymentRefund: StoredTransaction | null;
  takerPaymentRefundedBy: WatchedBy | null;
  stopped: { readonly reason: StopReason; readonly error: string | null; readonly at: Millis } | null;
  lastEventAt: Millis | null;
};

export function initialWatcherContext(): WatcherContext {
  return {
    watch: null,
    timing: null,
    takerFeeValidatedAt: null,
    takerPaymentValidated: false,
    takerPaymentSpend: null,
    secret: null,
    makerPaymentSpend: null,
    makerPaymentSpentBy: null,
    takerPaymentRefund: null,
    takerPaymentRefundedBy: null,
    stopped: null,
    lastEventAt: null,
  };
}

/** One total recipe per event. */
export const watcherReducers: Reducers<WatcherContext, WatcherEvent> = {
  WatchRequested(draft, { at, data }) {
    draft.lastEventAt = at;
    draft.watch = data.watch;
    draft.timing = data.timing;
  },
  TakerFeeValidated(draft, { at }) {
    draft.lastEventAt = at;
    draft.takerFeeValidatedAt = at;
  },
  TakerPaymentValidated(draft, { at }) {
    draft.lastEventAt = at;
    draft.takerPaymentValidated = true;
  },
  TakerPaymentSpendFound(draft, { at, data }) {
    draft.lastEventAt = at;
    draft.takerPaymentSpend = data.transaction;
    draft.secret = data.secret;
  },
  MakerPaymentSpentByTaker(draft, { at, data }) {
    draft.lastEventAt = at;
    draft.makerPaymentSpend = data;
    draft.makerPaymentSpentBy = 'taker';
  },
  MakerPaymentSpent(draft, { at, data }) {
    draft.lastEventAt = at;
    draft.makerPaymentSpend = data;
    draft.makerPaymentSpentBy = 'watcher';
  },
  TakerPaymentRefundedByTaker(draft, { at, data }) {
    draft.lastEventAt = at;
    draft.takerPaymentRefund = data;
    draft.takerPaymentRefundedBy = 'taker';
  },
  TakerPaymentRefunded(draft, { at, data }) {
    draft.lastEventAt = at;
    draft.takerPaymentRefund = data;
    draft.takerPaymentRefundedBy = 'watcher';
  },
  Stopped(draft, { at, data }) {
    draft.lastEventAt = at;
    draft.stopped = { reason: data.reason, error: data.error, at };
  },
};
