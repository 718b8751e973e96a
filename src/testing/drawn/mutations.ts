import { isJsonObject, type JsonObject, type JsonValue, LosslessNumber } from '../../primitives/json.ts';
import { type Change, leafChanges } from './leaf-changes.ts';
import { eventsOf } from './shape.ts';

export type ChangeKind = 'drop' | 'duplicate' | 'swapNeighbours' | Change['kind'];

/** One change of a saved swap, of which everything else stays as it was. */
export type SingleChange = {
  readonly kind: ChangeKind;
  /** Position of the event that is changed, from 0; null for a member beside the events. */
  readonly seq: number | null;
  /** JSON pointer of what is changed. */
  readonly path: string;
  /** The changed swap; the given one stays as it is. */
  readonly apply: () => JsonObject;
};

/** Members that hold names for display, one list each. */
const NAME_LISTS = new Set(['success_events', 'error_events']);

/**
 * Every single change of a saved swap: each event dropped, repeated, or swapped with the next; each member of each event
 * and beside the events changed. Of a hex text the first and the last byte and one between are changed, of an amount
 * the first and the last digit and one between; a lock time is moved by 1 s, by 3600 s and by something between, both ways,
 * and a timestamp by a millisecond and by an hour. Null members and name lists stay as they are. The same swap gives the same changes in the same order.
 *
 * @example
 * ```ts
 * import { encodeSavedSwap } from 'swapfold';
 * import { buildSwap, singleChanges } from 'swapfold/testing';
 *
 * const swap = encodeSavedSwap(buildSwap({ role: 'maker', path: ['Started', 'Finished'] }), 'kdf');
 * const [first] = singleChanges(swap);
 * first && [first.kind, first.seq, first.path]; // → ['drop', 0, '/events/0']
 * JSON.stringify(first?.apply()['events'])?.includes('Started'); // → false
 * ```
 */
export function* singleChanges(swap: JsonObject): Generator<SingleChange> {
  yield* orderChanges(swap);
  const { events, ...head } = swap;
  const members = Object.entries(head).filter(([name]) => !NAME_LISTS.has(name) && name !== 'type');
  yield* memberChanges(swap, { seq: null, place: [], value: Object.fromEntries(members) });
  for (const seq of eventsOf(swap).keys()) {
    const saved = (events as readonly JsonObject[])[seq] as JsonObject;
    yield* memberChanges(swap, { seq, place: ['events', seq], value: saved });
  }
}

function* orderChanges(swap: JsonObject): Generator<SingleChange> {
  const events = (swap['events'] ?? []) as readonly JsonValue[];
  const rewritten = (list: readonly JsonValue[]) => ({ ...swap, events: list });
  for (const [seq, event] of events.entries()) {
    const path = `/events/${seq}`;
    yield { kind: 'drop', seq, path, apply: () => rewritten(events.toSpliced(seq, 1)) };
    yield { kind: 'duplicate', seq, path, apply: () => rewritten(events.toSpliced(seq, 0, event)) };
    const next = events[seq + 1];
    if (next !== undefined) {
      yield { kind: 'swapNeighbours', seq, path, apply: () => rewritten(events.toSpliced(seq, 2, next, event)) };
    }
  }
}

type Step = string | number;
type Spot = { readonly seq: number | null; readonly place: readonly Step[]; readonly value: JsonValue | undefined };

function* memberChanges(swap: JsonObject, { seq, place, value }: Spot): Generator<SingleChange> {
  const name = place.findLast((step) => typeof step === 'string') ?? '';
  const path = place.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  const isLeaf = typeof value !== 'object' || value === null || value instanceof LosslessNumber || isByteList(value);
  if (isLeaf) {
    for (const { kind, value: changed } of leafChanges(value, { name: String(name), path })) {
      yield { kind, seq, path, apply: () => replaceAt(swap, place, changed) as JsonObject };
    }
    return;
  }
  for (const [key, member] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    yield* memberChanges(swap, { seq, place: [...place, key], value: member });
  }
}

function isByteList(value: JsonValue): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'number');
}

function replaceAt(value: JsonValue | undefined, place: readonly Step[], changed: JsonValue): JsonValue {
  const [step, ...rest] = place;
  if (step === undefined) return changed;
  if (Array.isArray(value)) return value.with(Number(step), replaceAt(value[Number(step)], rest, changed));
  const members = isJsonObject(value) ? value : {};
  return { ...members, [step]: replaceAt(members[step], rest, changed) };
}
