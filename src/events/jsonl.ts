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
import { type SavedSwapHead, type SwapLog, savedSwapHead } from './saved-swap.ts';

// One envelope a line. A log that came from elsewhere starts with the journal event `Imported`, which holds what stood
// around the events, so that nothing is lost on the way through.

/** Journal event that carries the head of a saved swap. */
export const IMPORTED = 'Imported';

/** Version of every payload shape that this release writes. */
export const PAYLOAD_VERSION = 1;

const ROLE_OF_MACHINE: ReadonlyMap<string, Role> = new Map([
  ['taker-swap', 'taker'],
  ['maker-swap', 'maker'],
]);

/** Name of the stream of a swap: `taker-swap/<uuid>` or `maker-swap/<uuid>`. */
export function streamOf({ role, uuid }: Pick<SwapLog, 'role' | 'uuid'>): string {
  return `${machineOfRole[role]}/${uuid}`;
}

/** The log as sealed envelopes, in order. */
export function toEnvelopes(log: SwapLog): readonly Envelope[] {
  const stream = streamOf(log);
  const first = log.events[0]?.at ?? (0 as Millis);
  const imported = { head: log.head, roleGiven: log.roleGiven };
  const records: Omit<Envelope, 'hash'>[] = [
    { stream, seq: 0, at: first, type: IMPORTED, version: PAYLOAD_VERSION, data: imported },
    ...log.events.map((event, index) => ({
      stream,
      seq: index + 1,
      at: event.at,
      type: event.type,
      version: PAYLOAD_VERSION,
      data: event.data ?? null,
      ...(event.extra === undefined ? {} : { extra: event.extra }),
    })),
  ];
  return sealStream(records);
}

/** One envelope as a line, members in the canonical order, without the line feed. */
export function envelopeLine(envelope: Envelope): string {
  const { stream, seq, at, type, version, data, extra, hash } = envelope;
  const members =
    extra === undefined
      ? { stream, seq, at, type, version, data, hash }
      : { stream, seq, at, type, version, data, extra, hash };
  return stringifyJson(members);
}

/** The log as JSON Lines, each line ended by a line feed. */
export function jsonlText(log: SwapLog): string {
  return toEnvelopes(log)
    .map((envelope) => `${envelopeLine(envelope)}\n`)
    .join('');
}

/** What one line holds: the envelope, the stream's role and swap. */
export type JsonlLine = { readonly envelope: Envelope; readonly role: Role; readonly uuid: Uuid };

/**
 * Reads one line. `hash` may be absent in a line that another program wrote; it is then the empty text.
 *
 * @param line number of the line in its file, from 1, for errors.
 * @throws DecodeError LINE_INVALID that names the member at fault, or NOT_JSON.
 */
export function parseEnvelopeLine(text: string, line: number): JsonlLine {
  const value = parseJson(text);
  if (!isJsonObject(value)) throw invalid(line, { member: '', expected: 'an object', found: kindOf(value) });
  const { stream, seq, at, type, version, hash, extra } = value;
  const data = value['data'] ?? null;
  const [machine, key, ...more] = typeof stream === 'string' ? stream.split('/') : [];
  const role = machine === undefined ? undefined : ROLE_OF_MACHINE.get(machine);
  const uuid = key === undefined || more.length > 0 ? undefined : parseUuid(key);
  if (role === undefined || uuid === undefined) {
    throw invalid(line, {
      member: 'stream',
      expected: 'taker-swap/<uuid> or maker-swap/<uuid>',
      found: kindOf(stream),
    });
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
  if (envelope.type === IMPORTED) return undefined;
  const { type, at, data, extra } = envelope;
  const { aside, ...payload } = decodePayload({ type, data }, { role, seq, path: '' }, anomalies);
  const given = isJsonObject(extra) ? (extra as NonNullable<StoredEvent['extra']>) : undefined;
  if (given === undefined && aside === undefined) return { type, at, ...payload };
  const event = aside === undefined ? given?.event : { ...given?.event, ...aside };
  return { type, at, ...payload, extra: event === undefined ? { ...given } : { ...given, event } };
}

/** The head that an `Imported` record carries, or the one that a log without it gets. */
export function headOfLines(imported: unknown, swap: { readonly role: Role; readonly uuid: Uuid }) {
  const given = isJsonObject(imported) && isJsonObject(imported['head']) ? (imported['head'] as JsonObject) : {};
  const parsed = savedSwapHead.safeParse({ ...emptyHead(swap), ...given });
  const head: SavedSwapHead = parsed.success ? parsed.data : savedSwapHead.parse(emptyHead(swap));
  return { head, roleGiven: !isJsonObject(imported) || imported['roleGiven'] !== false };
}

function emptyHead({ role, uuid }: { readonly role: Role; readonly uuid: Uuid }): JsonObject {
  const { success, error } = standardLists(role);
  return { uuid, success_events: success, error_events: error };
}
