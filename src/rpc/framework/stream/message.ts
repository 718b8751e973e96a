import { machineOfRole, type Role } from '../../../events/catalog.ts';
import { DecodeError } from '../../../events/decode-error.ts';
import { eventOfLine } from '../../../events/jsonl.ts';
import { watcherPayloads } from '../../../events/watcher.ts';
import { ACTIVATION_MACHINE, BALANCE_MACHINE } from '../../../node/activations/events.ts';
import type { Compatibility } from '../../../node/node.ts';
import { ORDER_MACHINES } from '../../../node/orders/events.ts';
import { readSwap, roleOfStream, uuidOfStream } from '../../../node/swaps/read-swap.ts';
import { isTaskMachine, toldOf } from '../../../node/told-task.ts';
import type { EventLog, LogEntry } from '../../../ports/event-log.ts';
import type { Envelope } from '../../../primitives/envelope.ts';
import { SwapfoldError } from '../../../primitives/error.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../primitives/json.ts';
import { savedSwap } from '../swap-answer.ts';
import { statusAsThere } from '../task-answer.ts';

/** What a client is told, in the form of the real node's streams. */
export type StreamMessage = {
  /** What it is about; a part behind a colon names the coin. */
  readonly _type: string;
  readonly message: JsonValue;
  /** The client whose business alone it is, by the id that it gave; absent where it is everybody's. */
  readonly client?: number;
};

export type MessageTerms = { readonly log: EventLog; readonly compatibility: Compatibility };

/** What clients are told of a durable record; null for the node's own records, and for streams that are nobody's business. */
export type ReadMessage = (entry: LogEntry) => Promise<StreamMessage | null>;

/** Messages that several clients may want at about the same time. */
const KEPT = 256;

/** Reads what durable records tell clients; the latest are kept, so that many clients cost little more than one. */
export function messageReader(terms: MessageTerms): ReadMessage {
  const kept = new Map<number, Promise<StreamMessage | null>>();
  return ({ position, envelope }) => {
    const known = kept.get(position);
    if (known !== undefined) return known;
    const read = messageOf(envelope, terms);
    kept.set(position, read);
    const [oldest] = kept.keys();
    if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
    // What could not be read is tried again by the next who wants it.
    read.catch(() => kept.delete(position));
    return read;
  };
}

const ORDER_TYPES: ReadonlyMap<string, string> = new Map([
  [ORDER_MACHINES.maker, 'Maker'],
  [ORDER_MACHINES.taker, 'Taker'],
]);

/** @throws what a log throws that cannot be read now; what can never be read is told as such, so that nobody waits for it. */
async function messageOf(envelope: Envelope, terms: MessageTerms): Promise<StreamMessage | null> {
  try {
    return await readMessage(envelope, terms);
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    const { stream, seq } = envelope;
    return { _type: 'UNREADABLE', message: { stream, seq, error: error.shortMessage } };
  }
}

function isUnreadable(error: unknown): error is SwapfoldError {
  if (error instanceof DecodeError) return true;
  return error instanceof SwapfoldError && (error.code === 'LOG_DAMAGED' || error.code === 'ILLEGAL_EVENT');
}

async function readMessage(envelope: Envelope, terms: MessageTerms): Promise<StreamMessage | null> {
  const role = roleOfStream(envelope.stream);
  if (role !== undefined) return swapMessage(envelope, role, terms);
  const machine = envelope.stream.slice(0, envelope.stream.indexOf('/'));
  if (machine === ACTIVATION_MACHINE || machine === BALANCE_MACHINE) return activationMessage(envelope);
  if (machine === WATCHER_MACHINE) return watchMessage(envelope);
  if (isTaskMachine(machine)) return taskMessage(envelope, terms);
  const order_type = ORDER_TYPES.get(machine);
  if (order_type === undefined) return null;
  const order_data = { uuid: uuidOfStream(envelope.stream), event: bareEvent(envelope) };
  return { _type: 'ORDER_STATUS', message: { order_type, order_data } };
}

/** As `status` of the task's family tells it, to the client that began the task. */
async function taskMessage(envelope: Envelope, { log, compatibility }: MessageTerms): Promise<StreamMessage | null> {
  const told = await toldOf(envelope, log);
  if (told === null) return null;
  const { task_id, client, status } = told;
  const message = (compatibility === 'kdf' ? statusAsThere(status) : status) as JsonValue;
  return { _type: `TASK:${task_id}`, message, client };
}

function activationMessage(envelope: Envelope): StreamMessage | null {
  const { type, data } = envelope;
  if (!isJsonObject(data) || typeof data['coin'] !== 'string') return null;
  const { coin, address, spendable, unspendable } = data as JsonObject & { readonly coin: string };
  if (type !== 'BalanceChanged') {
    const message = { coin, uuid: uuidOfStream(envelope.stream), event: bareEvent(envelope) };
    return { _type: `ACTIVATION:${coin}`, message };
  }
  const balance = { spendable: spendable ?? null, unspendable: unspendable ?? null };
  return { _type: `BALANCE:${coin}`, message: [{ ticker: coin, address: address ?? null, balance }] };
}

const WATCHER_MACHINE = 'watcher';

/** What a taker signed is no client's business, and a secret is told by the chain that shows it. */
function watchMessage(envelope: Envelope): StreamMessage | null {
  if (!Object.hasOwn(watcherPayloads, envelope.type)) return null;
  const data = isJsonObject(envelope.data) ? envelope.data : {};
  const { watch, secret, ...rest } = data;
  const of = isJsonObject(watch) ? pick(watch, ['uuid', 'taker_coin', 'maker_coin']) : rest;
  const event = bareEvent({ ...envelope, data: Object.keys(of).length === 0 ? null : of });
  return { _type: 'WATCHER_STATUS', message: { watch: uuidOfStream(envelope.stream), event } };
}

function pick(from: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, from[name] ?? null]));
}

function bareEvent({ at, type, data }: Envelope): JsonObject {
  return { timestamp: at, event: { type, data: (data ?? null) as JsonValue } };
}

const SWAP_TYPES: Readonly<Record<Role, string>> = { maker: 'MakerV1', taker: 'TakerV1' };

/**
 * An event of a swap as `my_swap_status` shows it: the whole swap is read, because only the whole of it tells which texts of an event are its
 * secrets.
 */
async function swapMessage(envelope: Envelope, role: Role, terms: MessageTerms): Promise<StreamMessage | null> {
  const uuid = uuidOfStream(envelope.stream);
  const event = eventOfLine({ envelope, role, uuid }, 0, []);
  if (event === undefined) return null;
  const swap = await readSwap(terms.log, `${machineOfRole[role]}/${uuid}`);
  if (swap === null) return null;
  const shown = savedSwap({ ...swap, events: [...swap.events, event] }, terms.compatibility)['events'];
  const last = (shown as readonly JsonValue[]).at(-1) ?? null;
  return { _type: 'SWAP_STATUS', message: { swap_type: SWAP_TYPES[role], swap_data: { uuid, event: last } } };
}
