import Database from 'libsql';

export type TableRow = readonly unknown[];

/** A transaction: records, where their streams end then, and the streams that are new. */
export type Part = {
  readonly records: readonly TableRow[];
  readonly tips: readonly TableRow[];
  readonly streams: readonly TableRow[];
};

/** As the log sets its own connection. */
const PRAGMAS = [
  'journal_mode = WAL',
  'synchronous = FULL',
  'fullfsync = ON',
  'wal_autocheckpoint = 4000',
  'cache_size = -16384',
  'secure_delete = ON',
  'trusted_schema = OFF',
];

export type LogTables = {
  /** Writes rows as they are given, in one transaction, and the mark that goes with each. */
  readonly write: (part: Part) => void;
  readonly close: () => void;
};

/** A new file with the tables and indexes of a log, which is closed, under the log's own settings. */
export function logTables({ log, path }: { readonly log: string; readonly path: string }): LogTables {
  const original = new Database(log, { readonly: true });
  const definitions = original.prepare('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid').all();
  original.close();
  const database = new Database(path);
  for (const pragma of PRAGMAS) database.exec(`PRAGMA ${pragma}`);
  for (const { sql } of definitions as { sql: string }[]) database.exec(sql);
  database.exec("INSERT INTO meta VALUES ('mark', '')");
  const insert = {
    records: bulk(database, 'INSERT INTO records'),
    tips: bulk(database, 'INSERT OR REPLACE INTO tips'),
    streams: bulk(database, 'INSERT INTO streams'),
  };
  const mark = database.prepare("UPDATE meta SET value = ? WHERE name = 'mark'");
  return {
    write({ records, tips, streams }) {
      database.exec('BEGIN IMMEDIATE');
      insert.records(records);
      insert.tips(tips);
      insert.streams(streams);
      mark.run(`${records.length} ${'0'.repeat(116)}`);
      database.exec('COMMIT');
    },
    close: () => database.close(),
  };
}

/** Rows that one statement writes, as the log does. */
const ROWS_AT_ONCE = 32;

function bulk(database: Database.Database, into: string): (rows: readonly TableRow[]) => void {
  const statements = new Map<number, Database.Statement>();
  const statement = (count: number, columns: number) => {
    const row = `(${Array(columns).fill('?').join(', ')})`;
    const made = statements.get(count) ?? database.prepare(`${into} VALUES ${Array(count).fill(row).join(', ')}`);
    statements.set(count, made);
    return made;
  };
  return (rows) => {
    for (let at = 0; at < rows.length; ) {
      const count = at + ROWS_AT_ONCE <= rows.length ? ROWS_AT_ONCE : 1;
      statement(count, rows[at]?.length ?? 0).run(rows.slice(at, at + count).flat());
      at += count;
    }
  };
}
