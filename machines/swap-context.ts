import type { Instructions, StoredTransaction } from '../src/events/payloads.ts';
import { type Millis, toUnixSeconds, type UnixSeconds } from '../src/primitives/time.ts';
import type { RecordedFailure } from './recorded-failure.ts';

/** What the logs of both sides say about a swap. The payment of either side is named for who makes it. Absent facts are null. */
export type SwapFacts<Started, Negotiated> = {
  started: Started | null;
  negotiated: Negotiated | null;
  instructions: Instructions;
  takerFee: StoredTransaction | null;
  makerPayment: StoredTransaction | null;
  takerPayment: StoredTransaction | null;
  takerPaymentSpend: StoredTransaction | null;
  refundWaitUntil: UnixSeconds | null;
  refundFinished: boolean;
  failures: RecordedFailure[];
  finishedAt: UnixSeconds | null;
  lastEventAt: Millis | null;
};

type Event<Data = unknown> = { readonly type: string; readonly at: Millis; readonly data: Data };

// What each side knows about its own payment and the other one has the protocol's names, so a reader can compare a
// chart and its context with the specification. Each side's first context is one literal, because objects created by a
// spread cost a hundred times as much.
//
// The recipes of events that say the same on both sides, about the own payment or the other one. Each is total: it
// accepts any draft.

type Touched = { lastEventAt: Millis | null };

/** An event that says nothing beyond its time. */
export function touch(draft: Touched, { at }: Event): void {
  draft.lastEventAt = at;
}

/** Something was tried and did not succeed. */
export function recordFailure(
  draft: Touched & { failures: RecordedFailure[] },
  { type, at, data }: Event<{ readonly error: string }>,
): void {
  draft.lastEventAt = at;
  draft.failures.push({ event: type, at, error: data.error });
}

export function recordStart<Started>(draft: Touched & { started: Started | null }, { at, data }: Event<Started>): void {
  draft.lastEventAt = at;
  draft.started = data;
}

export function recordNegotiation<Negotiated>(
  draft: Touched & { negotiated: Negotiated | null },
  { at, data }: Event<Negotiated>,
): void {
  draft.lastEventAt = at;
  draft.negotiated = data;
}

/** How the other side wants to be paid. */
export function recordInstructions(
  draft: Touched & { instructions: Instructions },
  { at, data }: Event<Instructions>,
): void {
  draft.lastEventAt = at;
  draft.instructions = data;
}

/** The fee, as the taker sent it or the maker found it. */
export function recordTakerFee(
  draft: Touched & { takerFee: StoredTransaction | null },
  { at, data }: Event<StoredTransaction>,
): void {
  draft.lastEventAt = at;
  draft.takerFee = data;
}

/** The refund of the own payment waits for the end of its lock. */
export function recordRefundWait(
  draft: Touched & { refundWaitUntil: UnixSeconds | null },
  { at, data }: Event<{ readonly wait_until: UnixSeconds | null }>,
): void {
  draft.lastEventAt = at;
  draft.refundWaitUntil = data.wait_until;
}

export function recordRefundEnd(draft: Touched & { refundFinished: boolean }, { at }: Event): void {
  draft.lastEventAt = at;
  draft.refundFinished = true;
}

export function recordFinish(draft: Touched & { finishedAt: UnixSeconds | null }, { at }: Event): void {
  draft.lastEventAt = at;
  draft.finishedAt = toUnixSeconds(at);
}
