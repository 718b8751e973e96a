import Database from 'libsql';
import type { BareRow } from './commits.ts';
import { logTables, type Part, type TableRow } from './log-tables.ts';

/** What a log that is closed holds. */
export type Written = { readonly records: readonly TableRow[]; readonly streams: ReadonlyMap<unknown, TableRow> };

/** Reads all that a log has written of its records and their streams. */
export function writtenIn(path: string): Written {
  const log = new Database(path, { readonly: true });
  const table = (name: string): TableRow[] => {
    const rows = log.prepare(`SELECT * FROM ${name} ORDER BY 1`).all() as object[];
    // Bytes come as buffers that cannot be bound again.
    return rows.map((row) =>
      Object.values(row).map((value) => (value instanceof ArrayBuffer ? Buffer.from(value) : value)),
    );
  };
  const written = { records: table('records'), streams: new Map(table('streams').map((row) => [row[0], row])) };
  log.close();
  return written;
}

/**
 * Makes ready what of the log's work is SQLite's: the same rows with their seals in the same tables with the same indexes, and the same tips, in
 * transactions of so many records. What is returned writes them. What is left of an append is what the log makes and checks.
 */
export function sameCommits(
  paths: { readonly log: string; readonly path: string },
  { written, commits }: { readonly written: Written; readonly commits: readonly number[] },
): () => void {
  const parts = inTransactions(written.records, commits).map((records): Part => {
    const tips = new Map(
      records.map(([, stream, seq, at, , , , , , hash, sum]) => [stream, [stream, Number(seq) + 1, hash, at, sum]]),
    );
    const streams = records.flatMap(([, stream, seq]) => (seq === 0 ? [written.streams.get(stream) ?? []] : []));
    return { records, tips: [...tips.values()], streams };
  });
  const { write, close } = logTables(paths);
  return () => {
    for (const part of parts) write(part);
    close();
  };
}

/** The rows of the records with nothing but their data. */
export function bareRows({ records, streams }: Written, commits: readonly number[]): readonly BareRow[][] {
  const bare = records.map(
    ([, stream, , at, type, , data]): BareRow => [
      String(streams.get(stream)?.[1]),
      Number(at),
      String(type),
      String(data),
    ],
  );
  return inTransactions(bare, commits);
}

function inTransactions<Each>(all: readonly Each[], commits: readonly number[]): Each[][] {
  let from = 0;
  return commits.map((count) => {
    from += count;
    return all.slice(from - count, from);
  });
}
