import type { LogEntry } from '../../ports/event-log.ts';
import type { Envelope } from '../../primitives/envelope.ts';
import { parseJson } from '../../primitives/json.ts';
import type { Millis } from '../../primitives/time.ts';
import { machineOf } from '../labels.ts';
import type { Connection, Parameter } from './connection.ts';
import { labelsOf, nameSum, recordSum, type SealedFields, type StreamHead, sealOf, tipSum } from './seal.ts';

// Rows come as one JSON text per page: crossing from SQLite to JavaScript once instead of once per value takes a
// third of the time, and bytes that are no longer UTF-8 do no harm on the way.

/** Rows that are read at once. With the largest records a page takes some hundreds of megabytes, with usual ones 100 kB. */
export const PAGE_ROWS = 128;
/** The same for ends of streams, of some 150 bytes each. */
const TIPS = 4096;

/** A record as the file holds it. */
export type RecordRow = {
  readonly position: number;
  /** Id of the stream. */
  readonly stream: number;
  readonly seq: number;
  readonly at: number;
  readonly type: string;
  readonly version: number;
  readonly data: string;
  readonly extra: string | null;
  /** Name of the stream, in its first record. */
  readonly name: string | null;
  readonly hash: string;
  readonly sum: number;
};

/** In the order that {@link recordOf} expects. */
export const RECORD_COLUMNS = 'position, stream, seq, at, type, version, data, extra, name, lower(hex(hash)), sum';
const HEAD_COLUMNS = `id, name, first_at, length, lower(hex(hash)), last_at, maker_coin, taker_coin, outcome, state, finished,
  machine, name_sum, tip_sum`;
const HEADS = `(SELECT s.*, s.sum AS name_sum, t.length, t.hash, t.last_at, t.sum AS tip_sum
  FROM streams s JOIN tips t USING (id))`;

/** A query whose rows come as one text: `columns` of the rows selected by `from`. */
export function pageQuery(connection: Connection, columns: string, from: string) {
  const statement = connection.prepare(
    `SELECT CAST(json_group_array(json_array(${columns})) AS BLOB) FROM (SELECT * FROM ${from})`,
  );
  return (parameters: readonly Parameter[]): readonly (readonly unknown[])[] => {
    const [bytes] = statement.get(parameters) as readonly [Buffer];
    return JSON.parse(bytes.toString('utf8'));
  };
}

/** Records in the order of streams, then of their place in the stream, after a given one. */
export function recordsByStream(connection: Connection) {
  const page = pageQuery(
    connection,
    RECORD_COLUMNS,
    `records WHERE (stream, seq) > (?, ?) ORDER BY stream, seq LIMIT ${PAGE_ROWS}`,
  );
  return (stream: number, seq: number): readonly RecordRow[] => page([stream, seq]).map(recordOf);
}

/** Records of one stream from a place on. */
export function recordsOfStream(connection: Connection) {
  const page = pageQuery(
    connection,
    RECORD_COLUMNS,
    `records WHERE stream = ? AND seq >= ? ORDER BY seq LIMIT ${PAGE_ROWS}`,
  );
  return (stream: number, seq: number): readonly RecordRow[] => page([stream, seq]).map(recordOf);
}

/** A record with all that is needed to check it alone. */
export type LooseRow = {
  readonly row: RecordRow;
  /** Hash of the record before it in its stream; null for the first, or if that is gone. */
  readonly before: string | null;
  /** Name of its stream; null if that is gone. */
  readonly stream: string | null;
};

/** Records that a condition selects, in order, each with all that is needed to check it alone. */
export function looseRecords(connection: Connection, condition: string, order: 'position' | 'seq') {
  const page = pageQuery(
    connection,
    `${RECORD_COLUMNS}, before, stream_name`,
    `(SELECT r.*, (SELECT lower(hex(p.hash)) FROM records p WHERE p.stream = r.stream AND p.seq = r.seq - 1) AS before,
      (SELECT s.name FROM streams s WHERE s.id = r.stream) AS stream_name
      FROM records r WHERE ${condition} ORDER BY ${order} LIMIT ${PAGE_ROWS})`,
  );
  return (parameters: readonly number[]): readonly LooseRow[] =>
    page(parameters).map((row) => ({
      row: recordOf(row),
      before: row[11] as string | null,
      stream: row[12] as string | null,
    }));
}

/** Heads of streams after a given id. */
export function headsById(connection: Connection) {
  const page = pageQuery(connection, HEAD_COLUMNS, `${HEADS} WHERE id > ? ORDER BY id LIMIT ${PAGE_ROWS}`);
  return (id: number) => page([id]).map(headOf);
}

/** Names of streams after a given id, each with the hash of its last record. */
export function tipsById(connection: Connection) {
  const page = pageQuery(
    connection,
    'id, name, lower(hex(hash))',
    `(SELECT s.id, s.name, t.hash FROM streams s JOIN tips t USING (id) WHERE s.id > ? ORDER BY s.id LIMIT ${TIPS})`,
  );
  return (id: number) => page([id]) as readonly (readonly [id: number, name: string, hash: string])[];
}

/** The head of a stream by its name. */
export function headByName(connection: Connection) {
  const page = pageQuery(connection, HEAD_COLUMNS, `${HEADS} WHERE name = ?`);
  return (name: string) => page([name]).map(headOf)[0];
}

/** Heads that a condition on `streams` selects, in the order of the first record. `?1` limits their count. */
export function headsWhere(connection: Connection, condition: string) {
  // Some thousands in each text: one text for all could outgrow what a string can hold.
  const statement = connection.prepare(
    `SELECT CAST(json_group_array(json_array(${HEAD_COLUMNS})) AS BLOB)
      FROM (SELECT * FROM ${HEADS} WHERE ${condition} ORDER BY id LIMIT ?1) GROUP BY id / 4096`,
  );
  return (parameters: readonly Parameter[]): readonly HeadRow[] =>
    statement
      .all(parameters)
      .flatMap(([bytes]) => JSON.parse(String(bytes)) as readonly (readonly unknown[])[])
      .map(headOf)
      .toSorted((left, right) => left.head.id - right.head.id);
}

export function recordOf(row: readonly unknown[]): RecordRow {
  const [position, stream, seq, at, type, version, data, extra, name, hash, sum] = row as readonly [
    number,
    number,
    number,
    number,
    string,
    number,
    string,
    string | null,
    string | null,
    string,
    number,
  ];
  return { position, stream, seq, at, type, version, data, extra, name, hash, sum };
}

/** What the log notes about a stream; `sound` says whether it is unchanged. */
export type HeadRow = { readonly head: StreamHead; readonly sound: boolean };

function headOf(row: readonly unknown[]): HeadRow {
  const [id, name, firstAt, length, hash, lastAt] = row as [number, string, number, number, string, number];
  const [makerCoin, takerCoin, outcome, state] = row
    .slice(6, 10)
    .map((label) => (label ?? undefined) as string | undefined);
  const [finished, machine, ofName, ofTip] = row.slice(10) as [number | null, string, number, number];
  const labels = labelsOf({ makerCoin, takerCoin, outcome, state, finished });
  const head = { id, name, firstAt, length, hash, lastAt, labels };
  const sound = ofName === nameSum(head) && ofTip === tipSum(head) && machine === machineOf(name);
  return { head, sound };
}

/** Why a record is not the next one of its stream; undefined if it is. */
export function faultOf(
  row: RecordRow,
  place: { readonly stream: string; readonly seq: number; readonly before: string },
) {
  if (row.seq !== place.seq) return 'A record is missing before it.';
  if (row.hash !== sealOf(place.before, sealedFields(row, place.stream))) {
    return 'Its hash does not match its content and the record before it.';
  }
  return undefined;
}

/** Whether the record is at the position, and carries the name, with which it was written. */
export function isPlaced({ position, hash, name, sum }: RecordRow): boolean {
  return sum === recordSum(position, hash, name);
}

export function sealedFields({ seq, at, type, version, data, extra }: RecordRow, stream: string): SealedFields {
  return { stream, seq, at, type, version, data, extra };
}

/** The envelope of a verified record. */
export function envelopeOf({ seq, at, type, version, data, extra, hash }: RecordRow, stream: string): Envelope {
  const record = { stream, seq, at: at as Millis, type, version, data: parseJson(data) };
  return extra === null ? { ...record, hash } : { ...record, extra: parseJson(extra), hash };
}

export function entryOf(row: RecordRow, stream: string): LogEntry {
  return { position: row.position, envelope: envelopeOf(row, stream) };
}
