import { type Envelope, sealStream } from '../primitives/envelope.ts';
import { isHex } from '../primitives/hex.ts';
import { parseUuid, type Uuid } from '../primitives/ids.ts';
import { isJsonObject, type JsonObject, parseJson, stringifyJson } from '../primitives/json.ts';
import { type Millis, millisOf } from '../primitives/time.ts';
import type { Anomaly } from './anomaly.ts';
import { machineOfRole, type Role } from './catalog.ts';
import { DecodeError } from './decode-error.ts';
import { decodePayload, type StoredEvent } from './decode-event.ts';
import { standardLists } from './event-lists.ts';
import { kindOf } from './fields.ts';
import { IMPORTED, isJournalType, type JournalRecord } from './journal.ts';
import { type SavedSwapHead, type SwapLog, savedSwapHead } from './saved-swap.ts';

// One envelope a line. A log that came from elsewhere starts with the journal event `Imported`, which holds what stood
// around the events, so that nothing is lost on the way through. A log of this engine has its own records in between.

/** Version of every payload shape that this release writes. */
export const PAYLOAD_VERSION = 1;

const ROLE_OF_MACHINE: ReadonlyMap<string, Role> = new Map([
  ['taker-swap', 'taker'],
  ['maker-swap', 'maker'],
]);

/** Machines whose streams are in the same files but are not swaps. */
const OTHER_MACHINES: ReadonlySet<string> = new Set(['watcher', 'maker-order', 'taker-order', 'activation']);

/**
 * Name of the stream of a swap: `taker-swap/<uuid>` or `maker-swap/<uuid>`.
 *
 * @example
 * ```ts
 * import { streamOf } from 'swapfold/events';
 * import { buildSwap } from 'swapfold/testing';
 *
 * const { uuid } = buildSwap({ role: 'maker', path: ['Started'] });
 * uuid; // → '2bef6ace-63d8-4e50-8be4-96f325896179'
 * streamOf({ role: 'maker', uuid }); // → 'maker-swap/2bef6ace-63d8-4e50-8be4-96f325896179'
 * ```
 */
export function streamOf({ role, uuid }: Pick<SwapLog, 'role' | 'uuid'>): string {
  return `${machineOfRole[role]}/${uuid}`;
}

/**
 * The log as sealed envelopes, in order.
 *
 * @example
 * ```ts
 * import { toEnvelopes } from 'swapfold/events';
 * import { buildSwap } from 'swapfold/testing';
 *
 * const log = buildSwap({ role: 'taker', path: ['Started', 'StartFailed', 'Finished'] });
 * toEnvelopes(log).map(({ seq, type }) => `${seq} ${type}`); // → [
 * //   '0 Imported',
 * //   '1 Started',
 * //   '2 StartFailed',
 * //   '3 Finished',
 * // ]
 * ```
 */
export function toEnvelopes(log: SwapLog): readonly Envelope[] {
  const stream = streamOf(log);
  return sealStream(unsealedRecords(log).map((record, seq) => ({ stream, seq, ...record })));
}

/** A record before an event log gives it a place and a seal. */
export type UnsealedRecord = Omit<Envelope, 'stream' | 'seq' | 'hash'>;

/** What an event log takes of a log: its records in order. */
export function unsealedRecords(log: SwapLog): readonly UnsealedRecord[] {
  return [...recordsOf(log)].map(({ at, type, data, extra }) => {
    const record = { at, type, version: PAYLOAD_VERSION, data: data ?? null };
    return extra === undefined ? record : { ...record, extra };
  });
}

type PlainRecord = Pick<Envelope, 'at' | 'type' | 'data' | 'extra'>;

/** The log's records in order, journal records where they stood. */
function* recordsOf({ events, head, roleGiven, journal }: SwapLog): Generator<PlainRecord> {
  const importedAt = journal === undefined ? (events[0]?.at ?? (0 as Millis)) : journal.importedAt;
  if (importedAt !== null) yield { at: importedAt, type: IMPORTED, data: { head, roleGiven } };
  const own = journal?.records ?? [];
  let next = 0;
  for (let index = 0; index <= events.length; index++) {
    for (; (own[next]?.before ?? Number.POSITIVE_INFINITY) <= index; next++) yield own[next] as JournalRecord;
    const event = events[index];
    if (event !== undefined) yield event;
  }
}

/**
 * One envelope as a line, members in the canonical order, without the line feed.
 *
 * @example
 * ```ts
 * import { millisOf } from 'swapfold';
 * import { envelopeLine, sealStream } from 'swapfold/events';
 *
 * const stream = 'taker-swap/3447b727-fe93-4357-8e5a-8cf2699b7e86';
 * const record = { data: null, type: 'Finished', version: 1, at: millisOf(1734560398123), stream };
 * const [sealed] = sealStream([{ ...record, seq: 0 }]);
 * if (sealed === undefined) throw new Error('nothing sealed');
 * envelopeLine(sealed).startsWith(`{"stream":"${stream}","seq":0,"at":1734560398123,`); // → true
 * ```
 */
export function envelopeLine(envelope: Envelope): string {
  const { stream, seq, at, type, version, data, extra, hash } = envelope;
  const members =
    extra === undefined
      ? { stream, seq, at, type, version, data, hash }
      : { stream, seq, at, type, version, data, extra, hash };
  return stringifyJson(members);
}

/**
 * The log as JSON Lines, each line ended by a line feed.
 *
 * @example
 * ```ts
 * import { jsonlText } from 'swapfold/events';
 * import { buildSwap } from 'swapfold/testing';
 *
 * const text = jsonlText(buildSwap({ role: 'taker', path: ['Started', 'StartFailed', 'Finished'] }));
 * text.split('\n').map((line) => /"type":"\w+"/.exec(line)?.[0]); // → [
 * //   '"type":"Imported"',
 * //   '"type":"Started"',
 * //   '"type":"StartFailed"',
 * //   '"type":"Finished"',
 * //   undefined,
 * // ]
 * ```
 */
export function jsonlText(log: SwapLog): string {
  return toEnvelopes(log)
    .map((envelope) => `${envelopeLine(envelope)}\n`)
    .join('');
}

/** What one line holds: the envelope, the stream's role and swap. */
export type JsonlLine = { readonly envelope: Envelope; readonly role: Role; readonly uuid: Uuid };

/** A line of a stream that is not a swap, such as a watch: its record is sealed as any other, and means nothing to a swap. */
export type OtherLine = { readonly envelope: Envelope; readonly role: null; readonly uuid: Uuid };

/**
 * Reads one line of a swap. `hash` may be absent in a line that another program wrote; it is then the empty text.
 *
 * @param line number of the line in its file, from 1, for errors.
 * @throws DecodeError LINE_INVALID that names the member at fault, or NOT_JSON.
 *
 * @example
 * ```ts
 * import { jsonlText, parseEnvelopeLine } from 'swapfold/events';
 * import { buildSwap } from 'swapfold/testing';
 *
 * const [imported = ''] = jsonlText(buildSwap({ role: 'maker', path: ['Started'] })).split('\n');
 * parseEnvelopeLine(imported, 1).role; // → 'maker'
 * parseEnvelopeLine(imported.replace('"seq":0', '"seq":-1'), 1); // throws LINE_INVALID
 * ```
 */
export function parseEnvelopeLine(text: string, line: number): JsonlLine {
  const parsed = parseRecordLine(text, line);
  if (parsed.role !== null) return parsed;
  throw invalid(line, {
    member: 'stream',
    expected: SWAP_STREAMS,
    found: `a stream of ${parsed.envelope.stream.split('/')[0]}`,
  });
}

const SWAP_STREAMS = 'taker-swap/<uuid> or maker-swap/<uuid>';

/**
 * Reads one line of any stream that a log file may hold.
 *
 * @param line number of the line in its file, from 1, for errors.
 * @throws DecodeError LINE_INVALID that names the member at fault, or NOT_JSON.
 */
export function parseRecordLine(text: string, line: number): JsonlLine | OtherLine {
  const value = parseJson(text);
  if (!isJsonObject(value)) throw invalid(line, { member: '', expected: 'an object', found: kindOf(value) });
  const { stream, seq, at, type, version, hash, extra } = value;
  const data = value['data'] ?? null;
  const [machine, key, ...more] = typeof stream === 'string' ? stream.split('/') : [];
  const role = machine === undefined ? undefined : (ROLE_OF_MACHINE.get(machine) ?? otherRole(machine));
  const uuid = key === undefined || more.length > 0 ? undefined : parseUuid(key);
  if (role === undefined || uuid === undefined) {
    throw invalid(line, { member: 'stream', expected: SWAP_STREAMS, found: kindOf(stream) });
  }
  if (!isCount(seq)) throw invalid(line, { member: 'seq', expected: 'a whole number from 0', found: kindOf(seq) });
  if (!isCount(at)) throw invalid(line, { member: 'at', expected: 'whole milliseconds since 1970', found: kindOf(at) });
  if (typeof type !== 'string') throw invalid(line, { member: 'type', expected: 'a text', found: kindOf(type) });
  if (version !== PAYLOAD_VERSION) {
    throw invalid(line, { member: 'version', expected: `version ${PAYLOAD_VERSION}`, found: kindOf(version) });
  }
  if (hash !== undefined && !(typeof hash === 'string' && hash.length === 64 && isHex(hash))) {
    throw invalid(line, { member: 'hash', expected: '64 hex digits', found: kindOf(hash) });
  }
  const kept = extra === undefined ? {} : { extra };
  const envelope = {
    stream: `${machine}/${uuid}`,
    seq,
    at: millisOf(at),
    type,
    version,
    data,
    ...kept,
    hash: hash ?? '',
  };
  return { envelope, role, uuid };
}

function otherRole(machine: string): null | undefined {
  return OTHER_MACHINES.has(machine) ? null : undefined;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function invalid(line: number, fault: { member: string; expected: string; found: string }): DecodeError {
  return new DecodeError('LINE_INVALID', `Line ${line} is not a record of a swap log.`, {
    path: fault.member === '' ? '' : `/${fault.member}`,
    expected: fault.expected,
    found: fault.found,
    next: 'Each line must be an object with stream, seq, at, type, version, data and hash.',
  });
}

/** An envelope's public event in canonical spelling; undefined for a journal event. */
export function eventOfLine({ envelope, role }: JsonlLine, seq: number, anomalies: Anomaly[]): StoredEvent | undefined {
  if (envelope.type === IMPORTED || isJournalType(envelope.type)) return undefined;
  const { type, at, data, extra } = envelope;
  const { aside, ...payload } = decodePayload({ type, data }, { role, seq, path: '' }, anomalies);
  const given = isJsonObject(extra) ? (extra as NonNullable<StoredEvent['extra']>) : undefined;
  if (given === undefined && aside === undefined) return { type, at, ...payload };
  const event = aside === undefined ? given?.event : { ...given?.event, ...aside };
  return { type, at, ...payload, extra: event === undefined ? { ...given } : { ...given, event } };
}

/** An envelope's journal record; undefined for any other. */
export function journalOfLine({ envelope }: JsonlLine, before: number): JournalRecord | undefined {
  const { type, at, data, extra } = envelope;
  if (!isJournalType(type)) return undefined;
  return extra === undefined ? { before, at, type, data } : { before, at, type, data, extra };
}

/**
 * The head in an `Imported` record, or the one that a log without it gets: what its request says, if the engine began it.
 */
export function headOfLines(
  imported: unknown,
  swap: { readonly role: Role; readonly uuid: Uuid; readonly request?: unknown },
) {
  const given =
    isJsonObject(imported) && isJsonObject(imported['head']) ? (imported['head'] as JsonObject) : headOfRequest(swap);
  const parsed = savedSwapHead.safeParse({ ...emptyHead(swap), ...given });
  const head: SavedSwapHead = parsed.success ? parsed.data : savedSwapHead.parse(emptyHead(swap));
  return { head, roleGiven: !isJsonObject(imported) || imported['roleGiven'] !== false };
}

function headOfRequest({ request }: { readonly request?: unknown }): JsonObject {
  if (!isJsonObject(request)) return {};
  const { my_order_uuid, maker_amount, maker_coin, taker_amount, taker_coin } = request;
  return { my_order_uuid, maker_amount, maker_coin, taker_amount, taker_coin };
}

function emptyHead({ role, uuid }: { readonly role: Role; readonly uuid: Uuid }): JsonObject {
  const { success, error } = standardLists(role);
  return { uuid, success_events: success, error_events: error };
}
