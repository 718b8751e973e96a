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

/** The rows of what was committed, by transaction. */
export function rowsOf(commits: readonly Commit[]): readonly BareRow[][] {
  return commits.map(({ batches }) =>
    batches.flatMap(({ stream, records }) =>
      records.map(({ at, type, data }): BareRow => [stream, at, type, JSON.stringify(data)]),
    ),
  );
}

export type BareRow = readonly [stream: string, at: number, type: string, data: string];

/** Makes ready rows in transactions, in a table without anything around it. What is returned writes them. */
export function bareCommits(path: string, commits: readonly (readonly BareRow[])[]): () => void {
  const database = new Database(path);
  database.exec('PRAGMA journal_mode = WAL');
  database.exec('PRAGMA synchronous = FULL');
  database.exec('CREATE TABLE records(position INTEGER PRIMARY KEY, stream TEXT, at INTEGER, type TEXT, data TEXT)');
  const insert = database.prepare('INSERT INTO records(stream, at, type, data) VALUES (?, ?, ?, ?)');
  return () => {
    for (const rows of commits) {
      database.exec('BEGIN');
      for (const row of rows) insert.run(...row);
      database.exec('COMMIT');
    }
    database.close();
  };
}
