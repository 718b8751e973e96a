import { canonicalJson, isJsonObject, type JsonObject, type JsonValue } from '../primitives/json.ts';
import type { Role } from './catalog.ts';
import type { StoredEvent } from './decode-event.ts';
import { knownPart } from './encode.ts';

/** A place at which two logs of one swap differ. */
export type EventDifference = {
  /** Position of the event, from 0. */
  readonly event: number;
  readonly stored: StoredEvent;
  readonly given: StoredEvent;
  /** Members of the data that differ, `timestamp` among them; empty where the types do. */
  readonly members: readonly string[];
};

/**
 * Compares two logs as far as both go. Events are the same when the real node would save them alike: it drops members that its
 * types do not know, and writes absent ones as null.
 */
export function differencesOf(
  stored: readonly StoredEvent[],
  given: readonly StoredEvent[],
  role: Role,
): readonly EventDifference[] {
  const found: EventDifference[] = [];
  for (let event = 0; event < Math.min(stored.length, given.length); event++) {
    const [left, right] = [stored[event] as StoredEvent, given[event] as StoredEvent];
    const members = left.type === right.type ? differing(membersOf(left, role), membersOf(right, role)) : [];
    if (left.type !== right.type || members.length > 0) found.push({ event, stored: left, given: right, members });
  }
  return found;
}

function membersOf(event: StoredEvent, role: Role): JsonObject {
  const { timestamp, event: body } = knownPart(event, role);
  const data = (body as JsonObject)['data'] ?? null;
  return { ...(isJsonObject(data) ? data : { data }), timestamp: timestamp as JsonValue };
}

function differing(left: JsonObject, right: JsonObject): readonly string[] {
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...names].filter((name) => textOf(left[name]) !== textOf(right[name])).toSorted();
}

function textOf(value: JsonValue | undefined): string {
  return canonicalJson(withoutNulls(value ?? null));
}

function withoutNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const present = Object.entries(value).filter(([, member]) => member !== null && member !== undefined);
  return Object.fromEntries(present.map(([name, member]) => [name, withoutNulls(member as JsonValue)]));
}
