import Database from 'libsql';
import type { AppendBatch, EventLog } from '../../src/ports/event-log.ts';

/** What was written by one group commit. */
export type Commit = { readonly batches: AppendBatch[] };

/** Notes which appends became durable together: their promises are settled in one go. */
export function noted(log: EventLog, commits: Commit[]): EventLog {
  let current: Commit | null = null;
  return {
    ...log,
    append: async (batch) => {
      const stored = await log.append(batch);
      if (current === null) {
        current = { batches: [] };
        commits.push(current);
        setImmediate(() => {
          current = null;
        });
      }
      current.batches.push(batch);
      return stored;
    },
    read: (stream, from) => log.read(stream, from),
    find: (query) => log.find(query),
    subscribe: (options, onEntry) => log.subscribe(options, onEntry),
    quarantined: () => log.quarantined(),
    close: () => log.close(),
  };
}

/** Seconds that the same rows in the same transactions take without anything around them. */
export function rawCommits(path: string, commits: readonly Commit[]): number {
  const database = new Database(path);
  database.exec('PRAGMA journal_mode = WAL');
  database.exec('PRAGMA synchronous = FULL');
  database.exec('CREATE TABLE records(position INTEGER PRIMARY KEY, stream TEXT, at INTEGER, type TEXT, data TEXT)');
  const insert = database.prepare('INSERT INTO records(stream, at, type, data) VALUES (?, ?, ?, ?)');
  const texts = commits.map(({ batches }) =>
    batches.flatMap(({ stream, records }) =>
      records.map(({ at, type, data }) => [stream, at, type, JSON.stringify(data)] as const),
    ),
  );
  const started = performance.now();
  for (const rows of texts) {
    database.exec('BEGIN');
    for (const row of rows) insert.run(...row);
    database.exec('COMMIT');
  }
  const seconds = (performance.now() - started) / 1000;
  database.close();
  return seconds;
}

type Row = readonly unknown[];

/** Rows of the tables that an append writes, as the log holds them. */
type Written = { readonly records: readonly Row[]; readonly names: ReadonlyMap<unknown, Row> };

/**
 * Seconds that all of what the log holds takes in the same transactions: the same rows with their seals in the same tables with the same
 * indexes, and the same tips, all of it made before. What is left of an append is what the log works out and checks.
 */
export function sameCommits(
  paths: { readonly log: string; readonly copy: string },
  commits: readonly Commit[],
): number {
  const log = new Database(paths.log, { readonly: true });
  const table = (name: string): Row[] => {
    const rows = log.prepare(`SELECT * FROM ${name} ORDER BY 1`).all() as object[];
    // Bytes come as buffers that cannot be bound again.
    return rows.map((row) =>
      Object.values(row).map((value) => (value instanceof ArrayBuffer ? Buffer.from(value) : value)),
    );
  };
  const definitions = log.prepare('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid').all();
  const written = { records: table('records'), names: new Map(table('streams').map((row) => [row[0], row])) };
  log.close();
  const copy = new Database(paths.copy);
  copy.exec('PRAGMA journal_mode = WAL');
  copy.exec('PRAGMA synchronous = FULL');
  for (const { sql } of definitions as { sql: string }[]) copy.exec(sql);
  copy.exec("INSERT INTO meta VALUES ('mark', '')");
  const parts = partsOf(written, commits);
  const insert = {
    records: bulk(copy, 'INSERT INTO records'),
    tips: bulk(copy, 'INSERT OR REPLACE INTO tips'),
    streams: bulk(copy, 'INSERT INTO streams'),
  };
  const mark = copy.prepare("UPDATE meta SET value = ? WHERE name = 'mark'");
  const started = performance.now();
  for (const { records, tips, streams } of parts) {
    copy.exec('BEGIN IMMEDIATE');
    insert.records(records);
    insert.tips(tips);
    insert.streams(streams);
    mark.run(`${records.length} ${'0'.repeat(64)}`);
    copy.exec('COMMIT');
  }
  const seconds = (performance.now() - started) / 1000;
  copy.close();
  return seconds;
}

/** What each transaction writes: its records, where their streams end then, and the streams that are new. */
function partsOf({ records, names }: Written, commits: readonly Commit[]) {
  let from = 0;
  return commits.map(({ batches }) => {
    const count = batches.reduce((sum, batch) => sum + batch.records.length, 0);
    const own = records.slice(from, from + count);
    from += count;
    const tips = new Map(
      own.map(([, stream, seq, at, , , , , , hash, sum]) => [stream, [stream, Number(seq) + 1, hash, at, sum]]),
    );
    const streams = own.flatMap(([, stream, seq]) => (seq === 0 ? [names.get(stream) ?? []] : []));
    return { records: own, tips: [...tips.values()], streams };
  });
}

/** Rows that one statement writes, as the log does. */
const ROWS_AT_ONCE = 32;

function bulk(database: Database.Database, into: string): (rows: readonly Row[]) => void {
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
