import type { Connection } from '../connection.ts';
import type { RecordRow } from '../rows.ts';
import { nameColumns, recordSum, type StreamHead, tipColumns } from '../seal.ts';
import type { QuarantinedHead } from '../verify.ts';

export type LogWriter = ReturnType<typeof createWriter>;

/** Writes the rows of a rebuilt log. */
export function createWriter(target: Connection) {
  const values = 'INTO records VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)';
  // A verified row replaces a leftover that was written to its position before.
  const record = target.prepare(`INSERT OR REPLACE ${values}`);
  const leftover = target.prepare(`INSERT OR IGNORE ${values}`);
  const name = target.prepare('INSERT INTO streams VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const tip = target.prepare('INSERT INTO tips VALUES (?, ?, ?, ?, ?)');
  const apart = target.prepare('INSERT INTO quarantine VALUES (?, ?, ?, ?)');
  const end = target.prepare("UPDATE meta SET value = ? WHERE name = 'end'");
  const columns = (row: RecordRow) => {
    const { position, stream, seq, at, type, version, data, extra, name, hash, sum } = row;
    return [position, stream, seq, at, type, version, data, extra, name, Buffer.from(hash, 'hex'), sum];
  };
  return {
    record: (row: RecordRow, stream: string): void => {
      const name = row.seq === 0 ? stream : null;
      record.run(columns({ ...row, name, sum: recordSum(row.position, row.hash, name) }));
    },
    /** A record that does not verify, if there is room for it. */
    leftover: (row: RecordRow): void => leftover.run(columns(row)),
    head: (stream: StreamHead): void => {
      name.run(nameColumns(stream));
      tip.run(tipColumns(stream));
    },
    apart: ({ id, stream, seq, why }: QuarantinedHead): void => apart.run([id, stream, seq, why]),
    end: (position: number): void => end.run([String(position)]),
  };
}
