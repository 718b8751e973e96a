import type { Anomaly } from '../events/anomaly.ts';
import { DecodeError } from '../events/decode-error.ts';
import type { SwapfoldError } from '../primitives/error.ts';
import { stringifyJson } from '../primitives/json.ts';
import type { PaymentEnd } from '../replay/payment-ends.ts';
import type { ReplayedSwap } from '../replay/swaps.ts';

/** An error as JSON output carries it. */
export function errorRow(error: SwapfoldError, line?: number): Readonly<Record<string, unknown>> {
  const { place, ...facts } = error.facts;
  const path = error instanceof DecodeError ? error.place.path : (place ?? null);
  return {
    code: error.code,
    message: error.shortMessage,
    place: path,
    ...(line === undefined ? {} : { line }),
    ...facts,
    next: error.next ?? null,
  };
}

/** An anomaly with its members in one order, whatever made it. */
export function anomalyRow({ seq, code, message, severity, expected, found, repair }: Anomaly) {
  return {
    seq,
    code,
    message,
    severity,
    ...(expected === undefined ? {} : { expected }),
    ...(found === undefined ? {} : { found }),
    ...(repair === undefined ? {} : { repair }),
  };
}

// JSON escapes the first 32 control characters alone. These a terminal obeys as well, or they turn the text around.
const UNSAFE_IN_JSON = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** The same JSON, safe to show on a terminal. */
export function shownJson(text: string): string {
  return text.replace(UNSAFE_IN_JSON, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** One line of JSON output, safe to show on a terminal. */
export function jsonLine(value: unknown): string {
  return `${shownJson(stringifyJson(value))}\n`;
}

/** A replayed swap as `replay --json` prints it; the end is absent where its log was not looked at for it. */
export function replayRow(
  file: string,
  swap: ReplayedSwap,
  end?: PaymentEnd | null,
): Readonly<Record<string, unknown>> {
  const { uuid, role, events, state, kdf, outcome, funds, next, anomalies } = swap;
  const looked = end === undefined ? {} : { end };
  return {
    file,
    uuid,
    role,
    events,
    state,
    kdf,
    outcome,
    ...looked,
    funds,
    next,
    anomalies: anomalies.map(anomalyRow),
  };
}

type Unread = {
  readonly file: string;
  readonly line?: number;
  readonly uuid: string | null;
  readonly error: SwapfoldError;
};

/** The row of an unreadable swap: the same members, empty, so a reader needs no special case. */
export function unreadReplayRow({ file, line, uuid, error }: Unread): Readonly<Record<string, unknown>> {
  return {
    file,
    uuid,
    role: null,
    events: [],
    state: null,
    kdf: { finished: null, success: null, recoverable: null },
    outcome: null,
    end: null,
    funds: { makerPayment: null, takerPayment: null },
    next: null,
    anomalies: [],
    error: errorRow(error, line),
  };
}
