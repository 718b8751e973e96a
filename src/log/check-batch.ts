import type { AppendBatch, NewRecord, StreamLabels, StreamQuery } from '../ports/event-log.ts';
import { LogError } from './log-error.ts';

const LONGEST_STREAM = 256;
const LONGEST_TYPE = 256;
const LONGEST_LABEL = 256;
/** Machine id, a slash, and a key; no control characters, and no halves of surrogate pairs, which no encoding keeps. */
const STREAM = /^[^/\p{Cc}\p{Cs}]+\/[^\p{Cc}\p{Cs}]+$/u;
const TEXT = /^[^\p{Cc}\p{Cs}]+$/u;
/** There are few event types, and the expression costs more than everything else in an append in memory. */
const KNOWN_TYPES_LIMIT = 1000;
const knownTypes = new Set<string>();

/**
 * Refuses a batch that no log can hold. It checks the name of a stream only with its first records. @throws LogError LOG_RECORD_INVALID that names
 * the member at fault.
 */
export function checkBatch({ stream, expected, records, labels }: AppendBatch): void {
  if (typeof stream !== 'string') throw refused('', 'stream', 'a text');
  if (!isCount(expected)) throw refused(stream, 'expected', 'a whole number from 0');
  if (expected === 0) checkStream(stream);
  if (records.length === 0) throw refused(stream, 'records', 'at least one record');
  for (let index = 0; index < records.length; index++) checkRecord(stream, records[index] as NewRecord, index);
  if (labels !== undefined) checkLabels(stream, labels);
}

function checkStream(stream: string): void {
  if (typeof stream !== 'string' || stream.length > LONGEST_STREAM || !STREAM.test(stream)) {
    throw refused('', 'stream', `<machine id>/<key> of at most ${LONGEST_STREAM} printable characters`);
  }
}

function checkRecord(stream: string, { at, type, version }: NewRecord, index: number): void {
  if (!isCount(at)) throw refused(stream, `records/${index}/at`, 'whole milliseconds since 1970');
  if (!Number.isSafeInteger(version) || version < 1) {
    throw refused(stream, `records/${index}/version`, 'a whole number from 1');
  }
  if (knownTypes.has(type)) return;
  if (typeof type !== 'string' || type.length > LONGEST_TYPE || !TEXT.test(type)) {
    throw refused(stream, `records/${index}/type`, `a text of 1 to ${LONGEST_TYPE} printable characters`);
  }
  if (knownTypes.size < KNOWN_TYPES_LIMIT) knownTypes.add(type);
}

/** Refuses what does not name a position in a stream. @throws LogError LOG_RECORD_INVALID */
export function checkPlace(stream: string, from: number): void {
  if (typeof stream !== 'string') throw refused('', 'stream', 'a text');
  if (!isCount(from)) throw refused(stream, 'from', 'a whole number from 0');
}

const QUERY_TYPES = {
  machine: 'string',
  coin: 'string',
  outcome: 'string',
  finished: 'boolean',
  eventType: 'string',
  from: 'number',
  to: 'number',
} as const;

/** Refuses a query that no log can answer. @throws LogError LOG_RECORD_INVALID that names the member at fault. */
export function checkQuery(query: StreamQuery): void {
  if (typeof query !== 'object' || query === null) throw refused('', 'query', 'an object');
  if (query.limit !== undefined && !isCount(query.limit)) throw refused('', 'limit', 'a whole number from 0');
  for (const [name, type] of Object.entries(QUERY_TYPES)) {
    const value: unknown = query[name as keyof typeof QUERY_TYPES];
    if (value === undefined) continue;
    if (typeof value !== type || (type === 'number' && !Number.isFinite(value))) throw refused('', name, `a ${type}`);
  }
}

/** Refuses labels that no log can hold. @throws LogError LOG_RECORD_INVALID */
export function checkLabels(stream: string, labels: StreamLabels): void {
  for (const name of ['makerCoin', 'takerCoin', 'outcome', 'state'] as const) {
    const value: unknown = labels[name];
    if (value === undefined) continue;
    if (typeof value !== 'string' || value.length > LONGEST_LABEL || !TEXT.test(value)) {
      throw refused(stream, `labels/${name}`, `a text of 1 to ${LONGEST_LABEL} printable characters`);
    }
  }
  const finished: unknown = labels.finished;
  if (finished !== undefined && typeof finished !== 'boolean')
    throw refused(stream, 'labels/finished', 'true or false');
}

/** Refuses a cursor that cannot have come from this log. @throws LogError LOG_CURSOR_AHEAD, LOG_RECORD_INVALID */
export function checkCursor(after: number, end: number): number {
  if (after === Number.POSITIVE_INFINITY) return end;
  if (!isCount(after)) throw refused('', 'after', 'a position from 0');
  if (after <= end) return after;
  throw new LogError('LOG_CURSOR_AHEAD', 'The subscriber has seen entries that the log does not hold.', {
    facts: { after, end },
    next: 'Subscribe from 0: an older copy replaced the log, or the position belongs to another log.',
    retry: 'operator',
  });
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

export function refused(stream: string, member: string, expected: string): LogError {
  return new LogError('LOG_RECORD_INVALID', 'The log cannot hold this.', {
    facts: { stream: stream === '' ? undefined : stream.slice(0, LONGEST_STREAM), member, expected },
    next: 'This is a bug in the caller; nothing was written.',
  });
}
