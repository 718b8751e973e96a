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

// What each side knows of its own payment and of the other one has the names of the protocol, so that a chart and its context read
// beside the specification; and each side's first context is one literal, as objects that a spread makes cost a hundred times as much.

// The recipes of events that say the same on both sides, of the own payment or of the other one. Each is total: it takes any draft.

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

/** The refund of the own payment waits for its lock. */
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
