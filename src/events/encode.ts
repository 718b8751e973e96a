import type { z } from 'zod';
import { SwapfoldError } from '../primitives/error.ts';
import { isJsonObject, type JsonObject, stringifyJson } from '../primitives/json.ts';
import { catalog, type Role } from './catalog.ts';
import type { StoredEvent } from './decode-event.ts';
import { membersOf } from './fields.ts';
import { floatText } from './float-decimals.ts';
import { type SavedSwapHead, type SwapLog, savedSwapHead } from './saved-swap.ts';

/**
 * How a log is written: `spec` is what the specification says (the default), `kdf` is what the real node writes and
 * loads.
 */
export type SavedSwapForm = 'spec' | 'kdf';

/** Members of a saved swap that the real node's types know, in their writing order; `events` stands after the third. */
const HEAD_MEMBERS = Object.keys(savedSwapHead.shape);

/**
 * Writes a log as a saved swap.
 *
 * `spec`: envelope `{timestamp, event: {type, data}}` with `data: null` where there is none, MakerPaymentSpendConfirmed
 * with the transaction that it confirms; unknown members and events as they came. `kdf`: only members that the real
 * node knows, in its order; unit events without `data`, absent options as null.
 *
 * @throws SwapfoldError KDF_CANNOT_LOAD where the form is `kdf` and the log holds what the real node refuses.
 *
 * @example
 * ```ts
 * import { encodeSavedSwap } from 'swapfold';
 * import { buildSwap } from 'swapfold/testing';
 *
 * const log = buildSwap({ role: 'taker', path: ['Started', 'StartFailed', 'Finished'] });
 * const { events } = encodeSavedSwap(log, 'kdf');
 * Array.isArray(events) && events[2]; // → { timestamp: 1734566402180, event: { type: 'Finished' } }
 * ```
 */
export function encodeSavedSwap(log: SwapLog, form: SavedSwapForm = 'spec'): JsonObject {
  return form === 'kdf' ? encodeKdf(log) : encodeSpec(log);
}

/**
 * {@link encodeSavedSwap} as compact JSON text.
 *
 * @example
 * ```ts
 * import { decodeSwapsText, savedSwapText } from 'swapfold';
 * import { buildSwap, successPath } from 'swapfold/testing';
 *
 * const log = buildSwap({ role: 'maker', path: successPath('maker') });
 * const [read] = decodeSwapsText(savedSwapText(log));
 * read?.ok && read.log.events.length === log.events.length; // → true
 * ```
 */
export function savedSwapText(log: SwapLog, form: SavedSwapForm = 'spec'): string {
  return stringifyJson(encodeSavedSwap(log, form));
}

const typeTag: Readonly<Record<Role, 'Taker' | 'Maker'>> = { taker: 'Taker', maker: 'Maker' };

function encodeSpec(log: SwapLog): JsonObject {
  const { type: _type, uuid: _uuid, my_order_uuid, events: _events, ...rest } = log.head as SavedSwapHead & JsonObject;
  let confirming: unknown = null;
  const events = log.events.map((event) => {
    if (event.type === 'MakerPaymentSpent' || event.type === 'MakerPaymentSpentByWatcher') confirming = event.data;
    const confirms = log.role === 'taker' && event.type === 'MakerPaymentSpendConfirmed' && event.data === null;
    const data = confirms ? confirming : event.known ? (event.data ?? null) : event.data;
    const { event: _event, timestamp: _timestamp, ...saved } = event.extra?.saved ?? {};
    const { type: _own, data: aside, ...beside } = event.extra?.event ?? {};
    // Data that an event should not have was kept aside; nothing else may take the place of the event's own.
    const shown = event.data === null && aside !== undefined ? aside : data;
    return { timestamp: event.at, event: { type: event.type, data: shown, ...beside }, ...saved };
  });
  return { type: typeTag[log.role], uuid: log.uuid, my_order_uuid, events, ...rest } as JsonObject;
}

function encodeKdf(log: SwapLog): JsonObject {
  const head: Record<string, unknown> = { type: typeTag[log.role] };
  for (const name of HEAD_MEMBERS) {
    if (name === 'type') continue;
    head[name] = log.head[name as keyof SavedSwapHead] ?? null;
    if (name === 'my_order_uuid')
      head['events'] = log.events.map((event, seq) => kdfEvent(event, { role: log.role, seq }));
  }
  for (const { path, value } of log.floats ?? []) replaceMember(head, path, floatText(value));
  return head as JsonObject;
}

function replaceMember(target: unknown, path: readonly (string | number)[], text: string): void {
  const holder = path
    .slice(0, -1)
    .reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], target);
  const name = path.at(-1);
  if (isJsonObject(holder) && name !== undefined && Object.hasOwn(holder, name)) {
    (holder as Record<string, unknown>)[name] = text;
  }
}

function kdfEvent(event: StoredEvent, { role, seq }: { role: Role; seq: number }): JsonObject {
  const spec = catalog[role].get(event.type);
  if (spec === undefined) throw cannotLoad(event, { seq, why: 'the real node knows no event of this type' });
  refuseUnknownValues(event, { role, seq });
  return knownPart(event, role);
}

/** What the real node keeps of an event when it loads a log and saves it again: the members that its types know. */
export function knownPart(event: StoredEvent, role: Role): JsonObject {
  const spec = catalog[role].get(event.type);
  const data = spec === undefined ? event.data : knownMembers(spec.payload, event.data);
  const body = spec?.unit === true ? { type: event.type } : { type: event.type, data };
  return { timestamp: event.at, event: body } as JsonObject;
}

const START_BLOCKS = ['maker_coin_start_block', 'taker_coin_start_block'];

/** Members that older or foreign logs may lack, and without which the real node does not load a log. */
const MANDATORY: Readonly<Record<string, readonly string[]>> = {
  'taker.Started': [...START_BLOCKS, 'my_persistent_pub', 'maker_payment_wait'],
  'maker.Started': START_BLOCKS,
  'taker.Negotiated': ['secret_hash'],
  'taker.TakerPaymentWaitRefundStarted': ['wait_until'],
  'maker.MakerPaymentWaitRefundStarted': ['wait_until'],
};

function refuseUnknownValues(event: StoredEvent, { role, seq }: { role: Role; seq: number }): void {
  const { data } = event;
  if (!isJsonObject(data)) return;
  const missing = MANDATORY[`${role}.${event.type}`]?.find((name) => data[name] === null);
  if (missing !== undefined) throw cannotLoad(event, { seq, why: `its member ${missing} is not known` });
}

/** The value with only the members that the schema names, in its order, without the absent ones. */
function knownMembers(schema: z.ZodType, value: unknown): unknown {
  const shape = membersOf(schema);
  if (shape === undefined || !isJsonObject(value)) return value ?? null;
  const members = Object.keys(shape)
    .filter((name) => value[name] !== undefined)
    .map((name) => [name, knownMembers(shape[name] as z.ZodType, value[name])]);
  return Object.fromEntries(members);
}

function cannotLoad(event: StoredEvent, { seq, why }: { seq: number; why: string }): SwapfoldError {
  return new SwapfoldError(
    "The real node could not load this log, so it cannot be exported in the real node's format.",
    {
      code: 'KDF_CANNOT_LOAD',
      facts: { event: event.type, seq, reason: why },
      next: 'Export it as spec or jsonl, which keep everything.',
    },
  );
}
