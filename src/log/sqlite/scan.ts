import { setImmediate as pause } from 'node:timers/promises';
import type { ScannedRecord } from '../../ports/event-log.ts';
import { parseJson } from '../../primitives/json.ts';
import type { Millis } from '../../primitives/time.ts';
import type { Connection } from './connection.ts';
import { reading } from './reading.ts';

export type ScanOptions = {
  readonly file: string;
  readonly connection: Connection;
  readonly isOpen: () => boolean;
  /** Streams that must not be read. */
  readonly isApart: (stream: string) => boolean;
};

/** Records that are read at once: some milliseconds. */
const RECORDS_AT_ONCE = 256;

type Row = readonly [stream: number, position: number, name: string, at: number, data: string];

const PAGE = `SELECT r.stream, r.position, s.name, r.at, r.data FROM records r JOIN streams s ON s.id = r.stream
  WHERE r.type = ?1 AND (r.stream, r.position) > (?2, ?3) ORDER BY r.stream, r.position LIMIT ${RECORDS_AT_ONCE}`;

/** Returns the records of one type, one after the other, through their index. All were checked when the file was opened. */
export async function scanRecords(
  { file, connection, isOpen, isApart }: ScanOptions,
  types: readonly string[],
  onRecord: (record: ScannedRecord) => void,
): Promise<void> {
  const page = connection.prepare(PAGE);
  for (const type of types) {
    for (let [stream, position] = [-1, -1]; isOpen(); ) {
      const rows = reading(file, () => page.all([type, stream, position])) as readonly Row[];
      for (const [, , name, at, data] of rows) {
        if (!isApart(name)) onRecord({ stream: name, at: at as Millis, type, data: parseJson(data) });
      }
      const last = rows.at(-1);
      if (last === undefined) break;
      [stream, position] = last;
      await pause();
    }
  }
}
