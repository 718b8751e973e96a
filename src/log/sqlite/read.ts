import type { LogEntry } from '../../ports/event-log.ts';
import { type Envelope, GENESIS_HASH } from '../../primitives/envelope.ts';
import { streamDamaged } from '../log-error.ts';
import type { Connection } from './connection.ts';
import { entryOf, envelopeOf, faultOf, recordsByPosition, recordsOfStream } from './rows.ts';
import type { StreamHead } from './seal.ts';
import type { QuarantinedHead } from './verify.ts';

export type ReaderOptions = {
  readonly connection: Connection;
  readonly headOf: (stream: string) => StreamHead | undefined;
  /** Streams that must not be read, by name. Those that turn out to be damaged are added. */
  readonly quarantined: Map<string, QuarantinedHead>;
  readonly end: () => number;
};

/** The reading side of the log. Whatever is read is checked against its hash, since a disk may decay under an open log. */
export function createReader({ connection, headOf, quarantined, end }: ReaderOptions) {
  const ofStream = recordsOfStream(connection);
  const ofAll = recordsByPosition(connection, false);
  const ofOne = recordsByPosition(connection, true);

  const setApart = (found: QuarantinedHead): void => {
    quarantined.set(found.stream, found);
  };

  const check = (stream: string): void => {
    const apart = quarantined.get(stream);
    if (apart !== undefined) throw streamDamaged(apart);
  };

  return {
    /** Records of a stream from a place on. @throws LogDamagedError */
    stream(stream: string, from: number): readonly Envelope[] {
      check(stream);
      const head = headOf(stream);
      if (head === undefined || from >= head.length) return [];
      const envelopes: Envelope[] = [];
      const fail = (seq: number, why: string): never => {
        setApart({ id: head.id, stream, seq, why });
        throw streamDamaged({ stream, seq, why });
      };
      let before = from === 0 ? GENESIS_HASH : ofStream(head.id, from - 1)[0]?.hash;
      for (let seq = from; seq < head.length; ) {
        const rows = ofStream(head.id, seq);
        if (rows.length === 0 || before === undefined) fail(seq, 'A record is missing.');
        for (const row of rows) {
          const why = faultOf(row, { stream, seq, before: before as string });
          if (why !== undefined) fail(seq, why);
          envelopes.push(envelopeOf(row, stream));
          before = row.hash;
          seq++;
        }
      }
      if (before !== head.hash) fail(head.length - 1, 'Its last record is not the one that the log holds.');
      return envelopes;
    },

    /** The next page of entries, of all streams or of one, without those of damaged streams. */
    page(after: number, stream: string | undefined): { readonly entries: readonly LogEntry[]; readonly upTo: number } {
      const upTo = end();
      const head = stream === undefined ? undefined : headOf(stream);
      if (stream !== undefined && head === undefined) return { entries: [], upTo };
      const rows = head === undefined ? ofAll([after]) : ofOne([head.id, after]);
      const entries: LogEntry[] = [];
      for (const { row, before, stream: name } of rows) {
        if (name === null || quarantined.has(name)) continue;
        const why = faultOf(row, { stream: name, seq: row.seq, before: row.seq === 0 ? GENESIS_HASH : (before ?? '') });
        if (why === undefined) entries.push(entryOf(row, name));
        else setApart({ id: row.stream, stream: name, seq: row.seq, why });
      }
      return { entries, upTo: rows.at(-1)?.row.position ?? upTo };
    },
  };
}
