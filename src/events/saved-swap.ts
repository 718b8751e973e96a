import { z } from 'zod';
import type { Uuid } from '../primitives/ids.ts';
import { isJsonObject, type JsonObject } from '../primitives/json.ts';
import type { Anomaly } from './anomaly.ts';
import type { Role } from './catalog.ts';
import { DecodeError, pointerStep } from './decode-error.ts';
import { decodeStoredEvent, type StoredEvent } from './decode-event.ts';
import { uuidOfEarlyId } from './early-shapes.ts';
import { decimal, kindOf, orNull, text, uuid } from './fields.ts';
import { type FloatDecimal, floatDecimals } from './float-decimals.ts';
import type { LogJournal } from './journal.ts';
import { makerEventTypes } from './maker.ts';
import { oddValues } from './odd-values.ts';
import { takerEventTypes } from './taker.ts';

const names = z.array(text, { error: (issue) => `expected an array of event names, found ${kindOf(issue.input)}` });

/** Members of a saved swap beside its events, in the order in which KDF writes them. Unknown members pass through. */
export const savedSwapHead = z.looseObject({
  type: z
    .enum(['Taker', 'Maker'], {
      error: (issue) => `expected "Taker" or "Maker", found ${kindOf(issue.input)} that is neither`,
    })
    .optional(),
  uuid,
  my_order_uuid: orNull(uuid),
  maker_amount: orNull(decimal),
  maker_coin: orNull(text),
  maker_coin_usd_price: orNull(decimal),
  taker_amount: orNull(decimal),
  taker_coin: orNull(text),
  taker_coin_usd_price: orNull(decimal),
  gui: orNull(text),
  mm_version: orNull(text),
  success_events: names,
  error_events: names,
});

export type SavedSwapHead = z.output<typeof savedSwapHead>;

/** A swap's log with everything that surrounded it, so that it can be written again without loss. */
export type SwapLog = {
  readonly role: Role;
  readonly uuid: Uuid;
  readonly events: readonly StoredEvent[];
  readonly head: SavedSwapHead;
  /** Whether the text named its role, or it was inferred from the events. */
  readonly roleGiven: boolean;
  /** Amounts that stood there as JSON numbers with a fraction; absent where there were none. */
  readonly floats?: readonly FloatDecimal[];
  /**
   * The engine's own records between the events; absent for a log that came from elsewhere. JSON Lines keep them, a saved
   * swap leaves them out.
   */
  readonly journal?: LogJournal;
  /** Anomalies that the reader noticed; replay adds to them. */
  readonly anomalies: readonly Anomaly[];
};

/**
 * Reads one saved swap, tagged with its role or not, bare or with the members that the RPC adds.
 *
 * @param path JSON pointer of the object in its file, for errors.
 * @throws DecodeError that points at the member at fault.
 *
 * @example
 * ```ts
 * import { decodeSavedSwap, standardLists } from 'swapfold/events';
 *
 * const { success: success_events, error: error_events } = standardLists('maker');
 * const uuid = '3447B727FE9343578E5A8CF2699B7E86';
 * const { role, head } = decodeSavedSwap({ uuid, events: [], success_events, error_events });
 * role; // → 'maker'
 * head.uuid; // → '3447b727-fe93-4357-8e5a-8cf2699b7e86'
 * decodeSavedSwap({ uuid, events: [] }); // throws FIELD_MISSING
 * ```
 */
export function decodeSavedSwap(value: unknown, path = ''): SwapLog {
  if (!isJsonObject(value)) {
    throw new DecodeError('NOT_A_SWAP', 'This is not a stored swap.', {
      path,
      expected: 'an object',
      found: kindOf(value),
    });
  }
  const { events, ...given } = value;
  if (!Array.isArray(events)) {
    throw new DecodeError('NOT_A_SWAP', 'This object holds no list of swap events.', {
      path: `${path}/events`,
      expected: 'an array of events',
      found: kindOf(events),
    });
  }
  const anomalies: Anomaly[] = [];
  const head = withUuid(given, anomalies);
  const parsedHead = decodeHead(head, path);
  const role = roleOf(parsedHead, events, path);
  const stored = events.map((event, seq) =>
    decodeStoredEvent(event, { role, seq, path: `${path}/events/${seq}` }, anomalies),
  );
  noteHead(parsedHead, stored, anomalies);
  anomalies.push(...oddValues(stored));
  const floats = [...floatDecimals(head), ...startedFloats(events)];
  return {
    role,
    uuid: parsedHead.uuid,
    events: stored,
    head: parsedHead,
    roleGiven: parsedHead.type !== undefined,
    ...(floats.length > 0 ? { floats } : {}),
    anomalies,
  };
}

/** The id that swaps had in spring 2019 gives way to a uuid made of it, and is kept beside it. */
function withUuid(head: JsonObject, anomalies: Anomaly[]): JsonObject {
  const uuid = uuidOfEarlyId(head['uuid']);
  if (uuid === undefined) return head;
  const found = String(head['uuid']);
  anomalies.push({
    seq: null,
    code: 'SHAPE_UPCAST',
    severity: 'notice',
    message:
      'The swap has an id of 64 hex digits, as in spring 2019; the real node refuses it. It is shown as uuid ' +
      `${uuid}, from the first 32 digits.`,
    found,
  });
  const order = uuidOfEarlyId(head['my_order_uuid']);
  return { ...head, uuid, ...(order === undefined ? {} : { my_order_uuid: order }), early_id: found };
}

/** Only these events carry amounts. */
function startedFloats(events: readonly unknown[]): readonly FloatDecimal[] {
  return events.flatMap((saved, seq) => {
    const event = isJsonObject(saved) ? saved['event'] : undefined;
    if (!isJsonObject(event) || !/^Started$|InstructionsReceived$/.test(String(event['type']))) return [];
    return floatDecimals(event['data'], ['events', seq, 'event', 'data']);
  });
}

function decodeHead(head: JsonObject, path: string): SavedSwapHead {
  const parsed = savedSwapHead.safeParse(head);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const [expected, found] = (issue?.message ?? '').replace(/^expected /, '').split(', found ');
  const pointer = `${path}${(issue?.path ?? []).map((step) => pointerStep(String(step))).join('')}`;
  throw new DecodeError(
    found === 'nothing' ? 'FIELD_MISSING' : 'FIELD_INVALID',
    'A member of the saved swap outside its events cannot be read.',
    { path: pointer, expected, found },
  );
}

const ONLY_TAKER = new Set<string>(
  takerEventTypes.filter((type) => !(makerEventTypes as readonly string[]).includes(type)),
);
const ONLY_MAKER = new Set<string>(
  makerEventTypes.filter((type) => !(takerEventTypes as readonly string[]).includes(type)),
);

function roleOf(head: SavedSwapHead, events: readonly unknown[], path: string): Role {
  if (head.type !== undefined) return head.type === 'Taker' ? 'taker' : 'maker';
  for (const saved of events) {
    const event = isJsonObject(saved) ? saved['event'] : undefined;
    if (!isJsonObject(event)) continue;
    const { type, data } = event;
    if (typeof type === 'string' && ONLY_TAKER.has(type)) return 'taker';
    if (typeof type === 'string' && ONLY_MAKER.has(type)) return 'maker';
    if (type === 'Started' && isJsonObject(data)) {
      if (Object.hasOwn(data, 'taker_payment_lock') && !Object.hasOwn(data, 'maker_payment_lock')) return 'taker';
      if (Object.hasOwn(data, 'maker_payment_lock') && !Object.hasOwn(data, 'taker_payment_lock')) return 'maker';
    }
  }
  // A log that failed early holds nothing but names that both roles use; the printed name lists still tell them apart.
  const listed = [...head.success_events, ...head.error_events];
  const asTaker = listed.some((name) => ONLY_TAKER.has(name));
  if (asTaker !== listed.some((name) => ONLY_MAKER.has(name))) return asTaker ? 'taker' : 'maker';
  throw new DecodeError(
    'ROLE_UNKNOWN',
    'No type, event or list of event names says whether this is a taker or a maker swap.',
    {
      path: `${path}/type`,
      expected: '"Taker" or "Maker"',
      found: 'nothing',
      next: 'Add "type": "Taker" or "type": "Maker" to the object.',
    },
  );
}

function noteHead(head: SavedSwapHead, events: readonly StoredEvent[], anomalies: Anomaly[]): void {
  const started = events[0];
  if (started?.type !== 'Started') return;
  const own = (started.data as { readonly uuid: Uuid }).uuid;
  if (own === head.uuid) return;
  anomalies.push({
    seq: 0,
    code: 'UUID_MISMATCH',
    severity: 'fault',
    message: `Started belongs to swap ${own}, but the file says ${head.uuid}.`,
    expected: [head.uuid],
    found: own,
    repair: `set the uuid of the file and of Started to the same value`,
  });
}
