import { isHex } from '../../primitives/hex.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../primitives/json.ts';

/**
 * What the real node does with a swap of a shape: reads it from its files, reads it only in `recreate_swap_data` (which
 * needs no `type`), or refuses it.
 */
export type RealNode = 'loads' | 'recreateOnly' | 'refuses';

/** A way in which a saved swap is or was written. */
export type SwapShape = {
  readonly name: string;
  readonly summary: string;
  readonly realNode: RealNode;
  /** Codes of the anomalies that the reader reports. */
  readonly anomalies: readonly string[];
  /** Whether the swap holds what the shape is about. */
  readonly applies: (swap: JsonObject) => boolean;
  /** The swap in this shape, given in the real node's own form. Changes nothing in place. */
  readonly write: (swap: JsonObject) => JsonObject;
  /** What the shape leaves of the swap, in the real node's own form; all of it where the shape loses nothing. */
  readonly keeps: (swap: JsonObject) => JsonObject;
};

type ShapeParts = Pick<SwapShape, 'name' | 'summary' | 'write'> &
  Partial<Pick<SwapShape, 'realNode' | 'anomalies' | 'applies' | 'keeps'>>;

/** A shape that the real node loads, that fits every swap and loses nothing, unless `parts` say otherwise. */
export function shape(parts: ShapeParts): SwapShape {
  return { realNode: 'loads', anomalies: [], applies: () => true, keeps: (swap) => swap, ...parts };
}

/** A saved event of a swap in the real node's form. */
export type SavedEvent = {
  readonly timestamp: JsonValue;
  readonly event: { readonly type: string; readonly data?: JsonValue };
};

export function eventsOf(swap: JsonObject): readonly SavedEvent[] {
  return (swap['events'] ?? []) as readonly JsonValue[] as readonly SavedEvent[];
}

export function hasEvent(swap: JsonObject, ...types: readonly string[]): boolean {
  return eventsOf(swap).some(({ event }) => types.includes(event.type));
}

export function isTaker(swap: JsonObject): boolean {
  return swap['type'] === 'Taker';
}

type ChangeEvent = (event: SavedEvent['event'], seq: number) => JsonObject;

/** The swap with every `event` member replaced. */
export function mapEvents(swap: JsonObject, change: ChangeEvent): JsonObject {
  const events = eventsOf(swap).map((saved, seq) => ({ ...saved, event: change(saved.event, seq) }));
  return { ...swap, events };
}

/** The swap with its payloads replaced where they are objects; `only` those of the given types, by default of all. */
export function mapPayloads(
  swap: JsonObject,
  change: (data: JsonObject, type: string) => JsonValue,
  { only }: { readonly only?: readonly string[] } = {},
): JsonObject {
  return mapEvents(swap, (event) => {
    const { type, data } = event;
    if (!isJsonObject(data) || (only !== undefined && !only.includes(type))) return event;
    return { ...event, data: change(data, type) };
  });
}

/** The value with every text and number in it replaced; `key` is the member's name, or that of the array it stands in. */
export function mapLeaves(value: JsonValue, change: (leaf: JsonValue, key: string) => JsonValue): JsonValue {
  const walk = (inner: JsonValue, key: string): JsonValue => {
    if (Array.isArray(inner)) return inner.map((item) => walk(item as JsonValue, key));
    if (!isJsonObject(inner)) return change(inner, key);
    return Object.fromEntries(Object.entries(inner).map(([name, member]) => [name, walk(member ?? null, name)]));
  };
  return walk(value, '');
}

/** The value with the members of each of its objects rearranged or omitted. */
export function mapMembers(
  value: JsonValue,
  change: (members: readonly [string, JsonValue][]) => readonly (readonly [string, JsonValue])[],
): JsonValue {
  if (Array.isArray(value)) return value.map((item) => mapMembers(item as JsonValue, change));
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([key, member]): [string, JsonValue] => [
    key,
    mapMembers(member ?? null, change),
  ]);
  return Object.fromEntries(change(members));
}

/** Without the named members. */
export function without(value: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !names.includes(key)));
}

/** With null in the named members that it has. */
export function withNulls(value: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, names.includes(key) ? null : member]));
}

const SHORTEST_HEX = 40;

/** Whether a text is hex by its look: hashes, keys and transactions have 40 digits or more. */
export function looksLikeHex(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value.length >= SHORTEST_HEX && isHex(value);
}

/** Names of the members that hold decimals as text. */
export const DECIMAL_MEMBERS: ReadonlySet<string> = new Set([
  'maker_amount',
  'taker_amount',
  'amount',
  'maker_coin_usd_price',
  'taker_coin_usd_price',
  'WatcherReward',
]);
