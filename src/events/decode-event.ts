import type { z } from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from '../primitives/json.ts';
import { type Millis, millisOf } from '../primitives/time.ts';
import type { Anomaly } from './anomaly.ts';
import { catalog, type Role } from './catalog.ts';
import { DecodeError, pointerStep } from './decode-error.ts';
import { kindOf, membersOf } from './fields.ts';
import { upcast } from './upcasters.ts';

/** An event as a log holds it: canonical payload, and whatever else accompanied it. */
export type StoredEvent = {
  readonly type: string;
  readonly at: Millis;
  readonly data: unknown;
  /** False for a type that this version does not know; its `data` is then unchanged. */
  readonly known: boolean;
  /** Members beside `timestamp` and `event`, and beside `type` and `data`, kept for the way back. */
  readonly extra?: { readonly saved?: JsonObject; readonly event?: JsonObject };
};

type Place = { readonly role: Role; readonly seq: number; readonly path: string };

/**
 * Reads one `{timestamp, event: {type, data}}` as KDF and the specification (§6, envelope) store it.
 *
 * @throws DecodeError that points at the member at fault.
 *
 * @example
 * ```ts
 * import { decodeStoredEvent } from 'swapfold/events';
 *
 * const event = { type: 'NegotiateFailed', data: { error: 'taker_swap:1193] Timeout' } };
 * const place = { role: 'taker', seq: 1, path: '/events/1' } as const;
 * decodeStoredEvent({ timestamp: 1734560398123, event }, place, []); // → {
 * //   ...event, at: 1734560398123, known: true,
 * // }
 * decodeStoredEvent({ timestamp: '2024-12-18', event }, place, []); // throws FIELD_INVALID
 * ```
 */
export function decodeStoredEvent(value: unknown, place: Place, anomalies: Anomaly[]): StoredEvent {
  if (!isJsonObject(value))
    throw malformed(place.path, { expected: 'an object', found: kindOf(value), seq: place.seq });
  const { timestamp, event, ...saved } = value;
  if (!isJsonObject(event)) {
    throw malformed(`${place.path}/event`, { expected: 'an object', found: kindOf(event), seq: place.seq });
  }
  const { type, data, ...rest } = event;
  if (typeof type !== 'string') {
    throw malformed(`${place.path}/event/type`, { expected: 'a text', found: kindOf(type), seq: place.seq });
  }
  const at = readTimestamp(timestamp, type, place);
  const { aside, ...payload } = decodePayload({ type, data }, place, anomalies);
  const extra = extraMembers(saved, { ...rest, ...aside });
  return extra === undefined ? { type, at, ...payload } : { type, at, ...payload, extra };
}

function readTimestamp(timestamp: unknown, event: string, { path, seq }: Place): Millis {
  if (typeof timestamp === 'number' && Number.isSafeInteger(timestamp) && timestamp >= 0) return millisOf(timestamp);
  throw malformed(`${path}/timestamp`, {
    seq,
    event,
    expected: 'whole milliseconds since 1970',
    found: kindOf(timestamp),
  });
}

function extraMembers(saved: JsonObject, event: JsonObject): StoredEvent['extra'] {
  const hasSaved = Object.keys(saved).length > 0;
  const hasEvent = Object.keys(event).length > 0;
  if (!hasSaved && !hasEvent) return undefined;
  return { ...(hasSaved ? { saved } : {}), ...(hasEvent ? { event } : {}) };
}

export type DecodedPayload = Pick<StoredEvent, 'data' | 'known'> & {
  /** Data of an event that carries none, for the event's `extra`. */
  readonly aside?: JsonObject;
};

/**
 * Reads a payload of the given event type, in any shape that a release wrote, into its canonical form.
 *
 * @example
 * ```ts
 * import { type Anomaly, decodePayload } from 'swapfold/events';
 *
 * const anomalies: Anomaly[] = [];
 * const place = { role: 'taker', seq: 11, path: '' } as const;
 * decodePayload({ type: 'TakerPaymentWaitRefundStarted', data: {} }, place, anomalies); // → {
 * //   data: { wait_until: null }, known: true,
 * // }
 * anomalies.map(({ seq, code }) => `${seq} ${code}`); // → ['11 SHAPE_UPCAST']
 * ```
 */
export function decodePayload(
  { type, data }: { readonly type: string; readonly data: unknown },
  place: Place,
  anomalies: Anomaly[],
): DecodedPayload {
  const spec = catalog[place.role].get(type);
  if (spec === undefined) return { data, known: false };
  const direct = spec.payload.safeParse(data);
  if (direct.success) return { data: direct.data, known: true };
  const positional = fromPositional(spec.payload, data);
  const { data: raised, steps } = upcast(place.role, type, positional);
  const parsed = spec.payload.safeParse(raised);
  if (parsed.success) {
    for (const step of steps) {
      anomalies.push({
        seq: place.seq,
        code: 'SHAPE_UPCAST',
        severity: 'notice',
        message: `${type} is in a shape written ${step.written} (${step.summary}); the real node refuses it. Read by the upcaster ${step.id}.`,
      });
    }
    return { data: parsed.data, known: true };
  }
  if (spec.unit && typeof data === 'object') {
    anomalies.push({
      seq: place.seq,
      code: 'UNEXPECTED_DATA',
      severity: 'notice',
      message: `${type} carries data (${kindOf(data)}), which the real node refuses; the data is kept separately.`,
    });
    return { data: null, known: true, aside: { data: data as JsonValue } };
  }
  throw payloadError(type, parsed.error, place);
}

/** KDF also reads a payload as the array of its member values in writing order. */
function fromPositional(schema: z.ZodType, data: unknown): unknown {
  if (!Array.isArray(data)) return withPositionalMembers(schema, data);
  const shape = membersOf(schema);
  if (shape === undefined) return data;
  const names = Object.keys(shape);
  if (data.length !== names.length) return data;
  return Object.fromEntries(names.map((name, index) => [name, fromPositional(shape[name] as z.ZodType, data[index])]));
}

/** The same for the members of a payload that is an object itself, such as the fees of Started. */
function withPositionalMembers(schema: z.ZodType, data: unknown): unknown {
  const shape = isJsonObject(data) ? membersOf(schema) : undefined;
  if (shape === undefined || !isJsonObject(data) || !Object.values(data).some(Array.isArray)) return data;
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => {
      const member = Array.isArray(value) ? shape[name] : undefined;
      return [name, member === undefined ? value : fromPositional(member, value)];
    }),
  );
}

function payloadError(type: string, error: z.ZodError, { path, seq }: Place): DecodeError {
  const issue = error.issues[0];
  const pointer = `${path}/event/data${(issue?.path ?? []).map((step) => pointerStep(String(step))).join('')}`;
  const [expected, found] = (issue?.message ?? '').replace(/^expected /, '').split(', found ');
  return malformed(pointer, { seq, event: type, expected, found });
}

function malformed(
  path: string,
  details: { seq: number; event?: string; expected: string | undefined; found: string | undefined },
): DecodeError {
  const missing = details.found === 'nothing';
  return new DecodeError(
    missing ? 'FIELD_MISSING' : 'FIELD_INVALID',
    missing
      ? 'A required member of the stored swap is missing.'
      : 'A member of the stored swap has a value that no release ever wrote.',
    { path, ...details },
  );
}
