import { setImmediate as pause } from 'node:timers/promises';
import type { QuarantinedStream } from '../../ports/event-log.ts';
import { GENESIS_HASH } from '../../primitives/envelope.ts';
import { type Connection, textOf } from './connection.ts';
import { faultOf, type HeadRow, headsById, isPlaced, type RecordRow, recordsByStream } from './rows.ts';
import type { StreamHead } from './seal.ts';

/** A stream that must not be used, by its id. */
export type QuarantinedHead = QuarantinedStream & { readonly id: number };

export type Findings = {
  /** What is wrong with the file as a whole, in one sentence; undefined while only single streams are damaged. */
  readonly damage: string | undefined;
  readonly quarantined: readonly QuarantinedHead[];
};

/** After this many pages of records, the process does other due work. */
const PAGES_AT_ONCE = 16;

/** What is known about the stream whose records are being read. */
type Progress = {
  readonly head: StreamHead;
  readonly skipped: boolean;
  length: number;
  hash: string;
  firstAt: number;
  lastAt: number;
};

/**
 * Checks every record of a file against the hash before it, and what the file says about each stream against its records. Reads
 * one page at a time, so that the memory does not grow with the file.
 */
export async function verifyRecords(connection: Connection): Promise<Findings> {
  const paired = connection.value('SELECT (SELECT count(*) FROM streams) = (SELECT count(*) FROM tips)');
  if (paired !== 1) return { damage: 'notes about a stream are missing', quarantined: [] };
  const known = knownQuarantine(connection);
  const check = createCheck(headsInOrder(connection), new Set(known.map(({ id }) => id)));
  const records = recordsByStream(connection);
  let last: { readonly stream: number; readonly seq: number } = { stream: -1, seq: -1 };
  for (let pages = 1; ; pages++) {
    const page = records(last.stream, last.seq);
    for (const row of page) {
      const damage = check.record(row);
      if (damage !== undefined) return { damage, quarantined: [] };
    }
    const end = page.at(-1);
    if (end === undefined) break;
    last = end;
    if (pages % PAGES_AT_ONCE === 0) await pause();
  }
  const damage = check.end();
  const quarantined = [...known, ...check.quarantined].toSorted((left, right) => left.id - right.id);
  return { damage, quarantined: damage === undefined ? quarantined : [] };
}

/** Streams that an earlier salvage set apart, because its findings could not be proven complete. */
function knownQuarantine(connection: Connection): readonly QuarantinedHead[] {
  const rows = connection
    .prepare('SELECT stream, CAST(name AS BLOB), seq, CAST(why AS BLOB) FROM quarantine ORDER BY stream')
    .all();
  return rows.map(([id, name, seq, why]) => ({
    id: id as number,
    stream: textOf(name) ?? '',
    seq: seq as number,
    why: textOf(why) ?? '',
  }));
}

/** Returns one head after the other, page by page. */
function headsInOrder(connection: Connection): () => HeadRow | undefined {
  const heads = headsById(connection);
  let page: readonly HeadRow[] = [];
  let next = 0;
  let last = -1;
  return () => {
    if (next === page.length) {
      page = heads(last);
      next = 0;
    }
    const found = page[next++];
    if (found !== undefined) last = found.head.id;
    return found;
  };
}

function createCheck(nextHead: () => HeadRow | undefined, skipped: ReadonlySet<number>) {
  const quarantined: QuarantinedHead[] = [];
  let at: Progress | undefined;
  let failed = false;

  const finish = (): string | undefined => {
    if (at === undefined || failed || at.skipped) return undefined;
    const { head, length, hash, firstAt, lastAt } = at;
    const fits = head.length === length && head.hash === hash && head.firstAt === firstAt && head.lastAt === lastAt;
    return fits ? undefined : 'notes about a stream do not match its records';
  };

  const start = (id: number): string | undefined => {
    for (;;) {
      const found = nextHead();
      if (found === undefined || found.head.id > id) return 'records belong to an unknown stream';
      const { head, sound } = found;
      const apart = skipped.has(head.id);
      if (!sound) return 'notes about a stream are damaged';
      if (head.id < id && !apart) return 'a stream has lost its records';
      at = { head, skipped: apart, length: 0, hash: GENESIS_HASH, firstAt: 0, lastAt: 0 };
      failed = false;
      if (head.id === id) return undefined;
    }
  };

  const record = (row: RecordRow): string | undefined => {
    if (at === undefined || at.head.id !== row.stream) {
      const damage = finish() ?? start(row.stream);
      if (damage !== undefined) return damage;
    }
    const { head, ...progress } = at as Progress;
    if (failed || progress.skipped) return undefined;
    const why = faultOf(row, { stream: head.name, seq: progress.length, before: progress.hash });
    if (why !== undefined) {
      failed = true;
      quarantined.push({ id: head.id, stream: head.name, seq: progress.length, why });
      return undefined;
    }
    if (!isPlaced(row)) return 'the position of a record is damaged';
    if (row.seq === 0 && (row.position !== head.id || row.name !== head.name)) return 'the name of a stream is damaged';
    const firstAt = row.seq === 0 ? row.at : progress.firstAt;
    at = { head, skipped: false, length: row.seq + 1, hash: row.hash, firstAt, lastAt: row.at };
    return undefined;
  };

  const end = (): string | undefined => {
    const damage = finish();
    if (damage !== undefined) return damage;
    for (let found = nextHead(); found !== undefined; found = nextHead()) {
      if (!found.sound) return 'notes about a stream are damaged';
      if (!skipped.has(found.head.id)) return 'a stream has lost its records';
    }
    return undefined;
  };

  return { record, end, quarantined };
}
