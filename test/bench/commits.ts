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
