import { initialTransition, type SnapshotFrom, transition } from 'xstate';
import type { WatcherContext } from '../../../machines/watcher/context.ts';
import { watcherInvariants } from '../../../machines/watcher/invariants.ts';
import { watcherChart } from '../../../machines/watcher/machine.ts';
import { fittingStopReasons } from '../../../machines/watcher/verdict.ts';
import {
  defaultWatchTiming,
  type StopReason,
  type Watch,
  type WatcherEvent,
  type WatcherEventType,
  watch as watchSchema,
} from '../../../src/events/watcher.ts';
import { bytesToHex } from '../../../src/primitives/hex.ts';
import { type Millis, millisOf } from '../../../src/primitives/time.ts';
import { type SwapTerms, type SwapTermsOptions, swapTerms } from '../../../src/testing/logs/swap-terms.ts';
import { type SwapTransactions, swapTransactions } from '../../../src/testing/logs/swap-transactions.ts';

export type WatchedSwap = { readonly terms: SwapTerms; readonly txs: SwapTransactions; readonly watch: Watch };

/** A made-up swap with real bytes, and what its taker tells watchers. */
export function watchedSwap(options: SwapTermsOptions = {}): WatchedSwap {
  const terms = swapTerms({ seed: 'watch', separateKeys: true, ...options });
  const txs = swapTransactions(terms);
  const watch = watchSchema.parse({
    uuid: terms.uuid,
    secret_hash: bytesToHex(terms.secretHash),
    maker_payment_spend_preimage: txs.makerPaymentSpendPreimage().tx_hex,
    taker_payment_refund_preimage: txs.takerPaymentRefund().tx_hex,
    swap_started_at: terms.takerStartedAt,
    lock_duration: terms.lockDuration,
    taker_coin: terms.takerCoin,
    taker_amount: terms.takerAmount,
    taker_fee_hash: txs.takerFee().tx_hash,
    taker_payment_hash: txs.takerPayment().tx_hash,
    taker_coin_start_block: 1000,
    taker_payment_confirmations: 1,
    taker_payment_requires_nota: false,
    maker_coin: terms.makerCoin,
    maker_amount: terms.makerAmount,
    maker_pub: bytesToHex(terms.maker.takerCoin),
    taker_pub: bytesToHex(terms.taker.takerCoin),
    maker_payment_hash: txs.makerPayment().tx_hash,
    maker_coin_start_block: 2000,
  });
  return { terms, txs, watch };
}

export const sample = watchedSwap();
export const L = sample.terms.lockDuration;
export const START = sample.terms.takerStartedAt;
/** When the sample's message came in. */
export const REQUESTED = millisOf((START + 400) * 1000);

const { txs, terms, watch } = sample;

function plain({ tx_hex, tx_hash }: { readonly tx_hex: string; readonly tx_hash: string }) {
  return { tx_hex, tx_hash };
}

function dataOf(type: WatcherEventType, reason: StopReason): unknown {
  switch (type) {
    case 'WatchRequested':
      return { watch, timing: defaultWatchTiming };
    case 'TakerPaymentSpendFound':
      return { transaction: plain(txs.takerPaymentSpend()), secret: bytesToHex(terms.secret) };
    case 'MakerPaymentSpentByTaker':
    case 'MakerPaymentSpent':
      return plain(txs.makerPaymentSpend());
    case 'TakerPaymentRefundedByTaker':
    case 'TakerPaymentRefunded':
      return plain(txs.takerPaymentRefund());
    case 'Stopped':
      return { reason, error: null };
    default:
      return null;
  }
}

/** An event of the sample's watch; the reason counts for `Stopped`. */
export function eventOf(type: WatcherEventType, at: number = REQUESTED, reason: StopReason = 'Expired'): WatcherEvent {
  return { type, at: at as Millis, data: dataOf(type, reason) } as WatcherEvent;
}

export function eventsOf(types: readonly string[]): WatcherEvent[] {
  return types.map((type, index) => eventOf(type as WatcherEventType, REQUESTED + index * 1000));
}

export type WatchSnapshot = SnapshotFrom<typeof watcherChart>;

export function initialSnapshot(): WatchSnapshot {
  return initialTransition(watcherChart)[0];
}

export function take(snapshot: WatchSnapshot, event: WatcherEvent): WatchSnapshot {
  return transition(watcherChart, snapshot, event)[0];
}

/** The watch after these events; a `Stopped` gets the first reason that fits. */
export function reach(...types: readonly WatcherEventType[]): { state: string; context: WatcherContext } {
  const snapshot = types.reduce((before, type, index) => {
    const [reason = 'Expired'] = fittingStopReasons(before.value);
    return take(before, eventOf(type, REQUESTED + index * 1000, reason));
  }, initialSnapshot());
  return { state: snapshot.value, context: snapshot.context };
}

export function brokenInvariants(state: string, context: WatcherContext): string[] {
  return watcherInvariants.filter(({ holds }) => !holds(state, context)).map(({ id }) => id);
}
