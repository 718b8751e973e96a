import type { StreamLabels } from '../../../ports/event-log.ts';
import { GENESIS_HASH } from '../../../primitives/envelope.ts';
import type { Connection } from '../connection.ts';
import { faultOf, PAGE_ROWS, pageQuery, RECORD_COLUMNS, type RecordRow, recordOf } from '../rows.ts';
import type { StreamName, StreamTip } from '../seal.ts';
import type { LogWriter } from './writer.ts';

/** The evidence about one stream. */
export type Chain = {
  /** Position of its first record. */
  readonly id: number;
  readonly name: string;
  /** Undefined if they are lost. */
  readonly labels: StreamLabels | undefined;
  /** Where the stream ended when it was last written; undefined if that is lost or damaged. */
  readonly tip: StreamTip | undefined;
  /** Count of verified records, from the first on. */
  readonly length: number;
  /** Hash of the last of them. */
  readonly hash: string;
  readonly firstAt: number;
  readonly lastAt: number;
};

/**
 * Follows the chain of a stream through the found pages, writes its records, and notes the positions of verified ones. Also
 * writes records after the first missing one, unverified. Undefined if nothing proves that the stream existed.
 */
export function createChains(evidence: Connection, write: LogWriter): (id: number) => Chain | undefined {
  const sound = <T>(table: string) => {
    const row = evidence.prepare(`SELECT CAST(found AS BLOB) FROM ${table} WHERE id = ? AND sound = 1`);
    return (id: number): T | undefined => {
      const [text] = row.get([id]) ?? [];
      return text === undefined ? undefined : (JSON.parse(String(text)) as T);
    };
  };
  const nameAt = sound<StreamName>('names');
  const tipAt = sound<StreamTip>('tips');
  const firstName = evidence.prepare(
    'SELECT CAST(name AS BLOB) FROM found WHERE stream = ?1 AND seq = 0 AND position = ?1 AND placed = 1',
  );
  const claim = evidence.prepare('SELECT 1 FROM claims WHERE position = ? AND stream = ? AND seq = ?');
  const verified = evidence.prepare('INSERT OR IGNORE INTO verified VALUES (?)');
  const page = pageQuery(
    evidence,
    `${RECORD_COLUMNS}, placed, variant`,
    `found WHERE stream = ? AND (seq, variant) > (?, ?) ORDER BY seq, variant LIMIT ${PAGE_ROWS}`,
  );

  function* variants(id: number) {
    let after: readonly [number, number] = [-1, -1];
    for (;;) {
      const rows = page([id, ...after]);
      for (const row of rows) yield { row: recordOf(row), placed: row[11] === 1 };
      const last = rows.at(-1);
      if (last === undefined) return;
      after = [last[2] as number, last[12] as number];
    }
  }

  const isAt = ({ position, stream, seq }: RecordRow, placed: boolean): boolean =>
    placed || claim.get([position, stream, seq]) !== undefined;

  return (id) => {
    const noted = nameAt(id);
    const tip = tipAt(id);
    const name = noted?.name ?? String(firstName.get([id])?.[0] ?? namelessName(id));
    let length = 0;
    let [hash, firstAt, lastAt] = [GENESIS_HASH, 0, 0];
    let broken = false;
    for (const { row, placed } of variants(id)) {
      if (row.seq < length) continue;
      broken ||= row.seq > length;
      const fits = !broken && faultOf(row, { stream: name, seq: length, before: hash }) === undefined;
      if (!fits || !isAt(row, placed)) {
        write.leftover(row);
        continue;
      }
      write.record(row, name);
      verified.run([row.position]);
      [hash, lastAt] = [row.hash, row.at];
      if (length === 0) firstAt = row.at;
      length++;
    }
    if (noted === undefined && tip === undefined && length === 0) return undefined;
    return { id, name, labels: noted?.labels, tip, length, hash, firstAt, lastAt };
  };
}

/** Name of a stream if only the position of its first record is known. */
export function namelessName(id: number): string {
  return `unknown/${id}`;
}
