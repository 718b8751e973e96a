import { differencesOf, type EventDifference } from '../../events/compare-events.ts';
import type { StoredEvent } from '../../events/decode-event.ts';
import { IMPORTED, isJournalType } from '../../events/journal.ts';
import { eventOfLine, streamOf, unsealedRecords } from '../../events/jsonl.ts';
import { redactLog } from '../../events/redact.ts';
import type { SwapLog } from '../../events/saved-swap.ts';
import { decodeSwapsText } from '../../events/wrappers.ts';
import type { NewRecord } from '../../ports/event-log.ts';
import type { Envelope } from '../../primitives/envelope.ts';
import { SwapfoldError } from '../../primitives/error.ts';
import { canonicalJson, isJsonObject } from '../../primitives/json.ts';
import { contested, draining, runnerFailed, swapDiffers, swapGoneOn, swapUnreadable } from '../errors.ts';
import type { Loop } from '../loop/loop.ts';
import { beginStream, type Growth, growStream, open, readStream } from '../loop/streams.ts';
import type { Started } from './start-swap.ts';

/** The result for each swap of a text. */
export type ImportReport = {
  /** Uuids of imported swaps, which are driven or finished. */
  readonly imported: readonly string[];
  /** Uuids of swaps whose events were already in the log. */
  readonly known: readonly string[];
  /** Uuids of swaps that brought further events; absent if none did. */
  readonly grown?: readonly string[];
  /** Refused swaps with their reasons; `uuid` is null if the text names none. */
  readonly skipped: readonly { readonly uuid: string | null; readonly error: SwapfoldError }[];
};

const MOST_TRIES = 3;

/** The result of importing a swap. */
export type Imported = Started & {
  /** Number of events that followed the known ones; absent if none did. */
  readonly appended?: number;
};

/** Where imported swaps go. What begins or grows a stream answers false if the stream has other records by now. */
export type ImportTarget = {
  readonly read: (stream: string) => Promise<readonly Envelope[]>;
  readonly begin: (stream: string, records: readonly NewRecord[]) => Promise<boolean>;
  readonly grow: (stream: string, growth: Growth) => Promise<boolean>;
  /** The stream already holds all of the swap. */
  readonly found: (stream: string) => void;
};

/**
 * Imports a swap from elsewhere and drives it immediately.
 *
 * @throws RuntimeError SWAP_UNREADABLE, SWAP_EXISTS, LOG_UNAVAILABLE, RUNTIME_DRAINING
 */
export function importSwap(loop: Loop, log: SwapLog): Promise<Imported> {
  const target: ImportTarget = {
    read: (stream) => {
      if (loop.draining) throw draining();
      return readStream(loop, stream);
    },
    begin: (stream, records) => beginStream(loop, stream, records),
    grow: (stream, growth) => growStream(loop, stream, growth),
    found: (stream) => void open(loop, stream),
  };
  return importInto(target, log);
}

/**
 * Imports a swap from elsewhere: its head and all its events in one batch. A log that the stream already starts with
 * counts as known, even if the swap has continued since. A log that has continued elsewhere adds its new events.
 *
 * @throws RuntimeError SWAP_UNREADABLE, SWAP_EXISTS, LOG_UNAVAILABLE, RUNTIME_DRAINING
 */
export async function importInto(target: ImportTarget, log: SwapLog): Promise<Imported> {
  const stream = streamOf(log);
  const unknown = log.events.find(({ known }) => !known);
  if (unknown !== undefined) throw swapUnreadable(stream, unknownEvent(unknown.type));
  const records = unsealedRecords(log);
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const stored = await target.read(stream);
    if (stored.length === 0) {
      if (await target.begin(stream, records)) return { stream, known: false };
      continue;
    }
    const more = moreThan(stored, { log, records });
    if (more.length === 0) {
      target.found(stream);
      return { stream, known: true };
    }
    const appended = more.filter(isPublic).length;
    if (await target.grow(stream, { stored, more })) return { stream, known: true, appended };
  }
  throw contested(stream);
}

function unknownEvent(type: string): SwapfoldError {
  return new SwapfoldError('The log holds an event that this version does not know.', {
    code: 'UNKNOWN_EVENT',
    facts: { event: type.slice(0, 100) },
  });
}

function isPublic({ type }: { readonly type: string }): boolean {
  return type !== IMPORTED && !isJournalType(type);
}

type Given = { readonly log: SwapLog; readonly records: readonly NewRecord[] };

/** Records of a log beyond those of its stream. @throws RuntimeError SWAP_EXISTS if it differs from the stream. */
function moreThan(stored: readonly Envelope[], { log, records }: Given): readonly NewRecord[] {
  const stream = streamOf(log);
  const { role } = log;
  const storedEvents = stored.filter(isPublic).map((envelope, seq) => eventOf(envelope, { log, seq }));
  const differences = differencesOf(storedEvents, log.events, role);
  if (differences.length > 0) throw swapDiffers(stream, differenceTexts(differences, { log, storedEvents }));
  // An export of this engine brings its own records, if it starts with all existing ones.
  if (records.length > stored.length && stored.every((record, seq) => sameRecord(record, records[seq] as NewRecord))) {
    return records.slice(stored.length);
  }
  const more = records.filter(isPublic).slice(storedEvents.length);
  if (more.length > 0) refuseOwnWork(stream, { stored, more });
  return more;
}

/** A stored event in canonical spelling, or unchanged if it is unreadable. */
function eventOf(
  envelope: Envelope,
  { log: { role, uuid }, seq }: { readonly log: SwapLog; readonly seq: number },
): StoredEvent {
  const { type, at, data } = envelope;
  const plain = { type, at, data, known: true };
  try {
    return eventOfLine({ envelope, role, uuid }, seq, []) ?? plain;
  } catch {
    return plain;
  }
}

function sameRecord(left: Envelope, right: NewRecord): boolean {
  if (left.type === IMPORTED) return right.type === IMPORTED;
  const contentOf = ({ type, at, data }: NewRecord) => canonicalJson([type, at, data ?? null]);
  return contentOf(left) === contentOf(right);
}

/** The new events must report what this node has signed since the last event: two nodes must not both pay. */
function refuseOwnWork(stream: string, { stored, more }: Growth): void {
  const last = stored.findLastIndex(isPublic);
  const told = canonicalJson(more.map(({ data }) => data ?? null));
  for (const { type, data } of stored.slice(last + 1)) {
    if (type !== 'TransactionPrepared' || !isJsonObject(data) || !isJsonObject(data['tx'])) continue;
    if (!told.includes(`"${String(data['tx']['tx_hash'])}"`)) throw swapGoneOn(stream, String(data['purpose']));
  }
}

const EVENTS_SHOWN = 5;
const LONGEST_VALUE = 70;

type Compared = { readonly log: SwapLog; readonly storedEvents: readonly StoredEvent[] };

/** One text for each event that differs, with both values of each member and without secrets. */
function differenceTexts(differences: readonly EventDifference[], { log, storedEvents }: Compared) {
  const [stored, given] = [redactLog({ ...log, events: storedEvents }).events, redactLog(log).events];
  const texts = differences.slice(0, EVENTS_SHOWN).map(({ event, members }): readonly [string, string] => {
    const [left, right] = [stored[event] as StoredEvent, given[event] as StoredEvent];
    if (left.type !== right.type) return [`event ${event}`, `stored ${left.type}, given ${right.type}`];
    const [known, told] = [storedEvents[event] as StoredEvent, log.events[event] as StoredEvent];
    const each = members.map((name) =>
      shown(left, name) === shown(right, name)
        ? `${name} stored ${presence(known, name)}, given ${presence(told, name)}`
        : `${name} stored ${shown(left, name)}, given ${shown(right, name)}`,
    );
    return [`event ${event}`, `${left.type}: ${each.join('; ')}`];
  });
  const rest = differences.length - texts.length;
  return Object.fromEntries([
    ...texts,
    ...(rest > 0 ? [['more', rest === 1 ? '1 more event differs' : `${rest} more events differ`] as const] : []),
  ]);
}

/** Whether an event says a value that is not shown: absent, empty or zeroed ones tell nothing. */
function presence({ data }: StoredEvent, name: string): string {
  const value = isJsonObject(data) ? data[name] : undefined;
  return typeof value === 'string' && /[^0]/.test(value) ? 'a value (hidden)' : 'none';
}

function shown({ at, data }: StoredEvent, name: string): string {
  const value = name === 'timestamp' ? at : isJsonObject(data) && name !== 'data' ? data[name] : data;
  const text = value === undefined ? 'nothing' : canonicalJson(value);
  return text.length <= LONGEST_VALUE ? text : `${text.slice(0, LONGEST_VALUE)}… (${text.length} characters)`;
}

/** Imports every swap of a text in a format of the real node. A refused one does not exclude the others. */
export async function importText(loop: Loop, text: string): Promise<ImportReport> {
  const imported: string[] = [];
  const known: string[] = [];
  const grown: string[] = [];
  const skipped: { uuid: string | null; error: SwapfoldError }[] = [];
  for (const swap of decodeSwapsText(text)) {
    if (!swap.ok) {
      skipped.push({ uuid: swap.uuid, error: swap.error });
      continue;
    }
    const { uuid } = swap.log;
    try {
      const { known: isKnown, appended } = await importSwap(loop, swap.log);
      (appended !== undefined ? grown : isKnown ? known : imported).push(uuid);
    } catch (error) {
      skipped.push({ uuid, error: error instanceof SwapfoldError ? error : runnerFailed(streamOf(swap.log), error) });
    }
  }
  return { imported, known, skipped, ...(grown.length === 0 ? {} : { grown }) };
}
