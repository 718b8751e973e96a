import { sameLabels } from '../labels.ts';
import type { Connection, Parameter } from './connection.ts';
import type { RecordRow } from './rows.ts';
import { nameColumns, type StreamHead, tipSum } from './seal.ts';

/** A record with its place and seal, ready to be written. */
export type NewRow = RecordRow;

/** The head of a stream before a transaction, undefined for a new stream, and after it. */
export type HeadChange = { readonly before: StreamHead | undefined; readonly after: StreamHead };

/** Rows that one statement writes. Binding many at once halves the time that a row takes. */
const ROWS_AT_ONCE = 32;
const RECORD_COLUMNS = 11;
const NAME_COLUMNS = 10;
const TIP_COLUMNS = 5;
const ON_KNOWN = `ON CONFLICT (id) DO UPDATE SET (maker_coin, taker_coin, outcome, state, finished, sum) =
  (excluded.maker_coin, excluded.taker_coin, excluded.outcome, excluded.state, excluded.finished, excluded.sum)`;

/** Writes rows, many with one statement. */
export function createInserts(connection: Connection) {
  const records = inBulk(connection, { into: 'INSERT INTO records', columns: RECORD_COLUMNS }, pushRecord);
  const tips = inBulk(connection, { into: 'INSERT OR REPLACE INTO tips', columns: TIP_COLUMNS }, pushTip);
  const names = inBulk(connection, { into: 'INSERT INTO streams', columns: NAME_COLUMNS, tail: ON_KNOWN }, pushName);
  return {
    records,
    heads: (changes: readonly HeadChange[]): void => {
      tips(changes);
      names(changes.filter(({ before, after }) => before === undefined || !sameLabels(before.labels, after.labels)));
    },
  };
}

type Bulk = { readonly into: string; readonly columns: number; readonly tail?: string };
type Push<T> = (parameters: Parameter[], row: T) => void;

function inBulk<T>(connection: Connection, { into, columns, tail = '' }: Bulk, push: Push<T>) {
  const row = `(${Array(columns).fill('?').join(', ')})`;
  const prepare = (count: number) => connection.prepare(`${into} VALUES ${Array(count).fill(row).join(', ')} ${tail}`);
  const one = prepare(1);
  const many = prepare(ROWS_AT_ONCE);
  return (rows: readonly T[]): void => {
    for (let at = 0; at < rows.length; ) {
      const count = at + ROWS_AT_ONCE <= rows.length ? ROWS_AT_ONCE : 1;
      const parameters: Parameter[] = [];
      for (const end = at + count; at < end; at++) push(parameters, rows[at] as T);
      (count === 1 ? one : many).run(parameters);
    }
  };
}

function pushRecord(parameters: Parameter[], row: NewRow): void {
  const { position, stream, seq, at, type, version, data, extra, name, hash, sum } = row;
  parameters.push(position, stream, seq, at, type, version, data, extra, name, Buffer.from(hash, 'hex'), sum);
}

function pushTip(parameters: Parameter[], { after }: HeadChange): void {
  const { id, length, hash, lastAt } = after;
  parameters.push(id, length, Buffer.from(hash, 'hex'), lastAt, tipSum(after));
}

function pushName(parameters: Parameter[], { after }: HeadChange): void {
  parameters.push(...nameColumns(after));
}
