import type { LogEntry } from '../../ports/event-log.ts';
import { type Envelope, GENESIS_HASH } from '../../primitives/envelope.ts';
import { streamDamaged } from '../log-error.ts';
import type { Connection } from './connection.ts';
import { entryOf, envelopeOf, faultOf, looseRecords, recordsOfStream } from './rows.ts';
import type { StreamHead } from './seal.ts';
import type { QuarantinedHead } from './verify.ts';

export type ReaderOptions = {
  readonly connection: Connection;
  readonly headOf: (stream: string) => StreamHead | undefined;
  /** Streams that must not be read, by name. Damaged ones are added when they are found. */
  readonly quarantined: Map<string, QuarantinedHead>;
  readonly end: () => number;
};

/** Quarantines a stream that does not verify. */
function setApart({ quarantined }: ReaderOptions, found: QuarantinedHead): void {
  quarantined.set(found.stream, found);
}

/**
 * Returns the records of a stream from a place on. Checks each against its hash, since a disk may decay under an open log.
 *
 * @throws LogDamagedError
 */
export function createStreamReader(options: ReaderOptions) {
  const { connection, headOf, quarantined } = options;
  const page = recordsOfStream(connection);
  return (stream: string, from: number): readonly Envelope[] => {
    const apart = quarantined.get(stream);
    if (apart !== undefined) throw streamDamaged(apart);
    const head = headOf(stream);
    if (head === undefined || from >= head.length) return [];
    const fail = (seq: number, why: string): never => {
      setApart(options, { id: head.id, stream, seq, why });
      throw streamDamaged({ stream, seq, why });
    };
    const envelopes: Envelope[] = [];
    let before = from === 0 ? GENESIS_HASH : page(head.id, from - 1)[0]?.hash;
    for (let seq = from; seq < head.length; ) {
      const rows = page(head.id, seq);
      if (rows.length === 0 || before === undefined) fail(seq, 'A record is missing.');
      for (const row of rows) {
        const why = faultOf(row, { stream, seq, before: before as string });
        if (why !== undefined) fail(seq, why);
        envelopes.push(envelopeOf(row, stream));
        before = row.hash;
        seq++;
      }
    }
    if (before !== head.hash) fail(head.length - 1, 'Its last record is not the one recorded as its last.');
    return envelopes;
  };
}

/** Returns pages of entries for subscribers, without damaged streams. Checks each record by itself. */
export function createPageReader(options: ReaderOptions) {
  const { connection, headOf, quarantined, end } = options;
  const ofAll = looseRecords(connection, 'position > ?', 'position');
  const ofOne = looseRecords(connection, 'stream = ? AND seq >= ?', 'seq');
  const firstBehind = createPlaceFinder(connection);
  return (
    after: number,
    stream: string | undefined,
  ): { readonly entries: readonly LogEntry[]; readonly upTo: number } => {
    const upTo = end();
    const head = stream === undefined ? undefined : headOf(stream);
    if (stream !== undefined && head === undefined) return { entries: [], upTo };
    const rows = head === undefined ? ofAll([after]) : ofOne([head.id, firstBehind(head, after)]);
    const entries: LogEntry[] = [];
    for (const { row, before, stream: name } of rows) {
      if (name === null || quarantined.has(name)) continue;
      const why = faultOf(row, { stream: name, seq: row.seq, before: row.seq === 0 ? GENESIS_HASH : (before ?? '') });
      if (why === undefined) entries.push(entryOf(row, name));
      else setApart(options, { id: row.stream, stream: name, seq: row.seq, why });
    }
    return { entries, upTo: rows.at(-1)?.row.position ?? upTo };
  };
}

/** Finds the first record of a stream after a position. There is no index for that, but both grow together. */
function createPlaceFinder(connection: Connection) {
  const positionAt = connection.prepare('SELECT position FROM records WHERE stream = ? AND seq = ?');
  return ({ id, length }: StreamHead, after: number): number => {
    let [low, high] = [0, length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (Number(positionAt.get([id, middle])?.[0]) <= after) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}
