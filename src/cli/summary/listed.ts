import { logFile, restingLog } from '../../log/sqlite/at-rest.ts';
import type { SqliteLog } from '../../log/sqlite/index.ts';
import type { StreamQuery, StreamSummary } from '../../ports/event-log.ts';
import type { NamedThing } from '../../replay/audit/sharing.ts';
import type { SwapStatus } from '../../runtime/operate/status.ts';
import type { CliIo } from '../io.ts';
import { detail } from '../voice.ts';
import { type SummaryFile, summaryFile } from './summary-file.ts';
import type { Standing, SummaryRow } from './summary-row.ts';

/** A stream as `status` tells it; the error where it cannot be read. */
export type Told = Standing & Pick<SwapStatus, 'error'>;

/** How the swaps of a log stand, from what was kept of it. */
export type KeptLog = {
  /** What `Runtime.list` gives for this query, of one that names no event. */
  readonly list: (query: StreamQuery) => readonly Told[];
  readonly find: (query: StreamQuery) => readonly StreamSummary[];
  readonly things: ReadonlyMap<string, readonly NamedThing[]>;
};

/** Rows by their stream. */
export type Rows = ReadonlyMap<string, SummaryRow>;

/** All that was read of a log. */
export type ReadLog = {
  readonly log: SqliteLog;
  readonly statuses: readonly Told[];
  readonly things: ReadonlyMap<string, readonly NamedThing[]>;
};

export type Kept = {
  /** What was kept of all of the log, which is as it was then; undefined where nothing was. */
  readonly log: KeptLog | undefined;
  /** What was kept of streams of the opened log that are as they were then. */
  readonly rows: (log: SqliteLog) => Promise<Rows>;
  /** Keeps what was read of all of the log. */
  readonly keep: (read: ReadLog) => Promise<void>;
};

export type KeptOptions = {
  readonly io: CliIo;
  /** A log of fewer bytes is read each time, which takes no longer. @defaultValue 4 MiB, some 400 swaps */
  readonly least?: number | undefined;
};

/** Size in bytes of a log from which on something is kept of it: some 400 swaps. */
export const LEAST_BYTES = 4 * 1024 * 1024;

const NO_ROWS: Rows = new Map();
const NONE: Kept = { log: undefined, rows: async () => NO_ROWS, keep: async () => {} };

/** Looks for what was kept of a log. */
export function keptOf(path: string, { io, least = LEAST_BYTES }: KeptOptions): Kept {
  const name = logFile(path, { least });
  const file = name === undefined ? undefined : summaryFile(name, io.env);
  if (file === undefined) return NONE;
  const digest = restingLog(path, { least })?.digest;
  const summary = file.read();
  const rows = new Map(summary?.rows.map((row) => [row.standing.stream, row]));
  if (summary !== undefined && digest !== undefined && summary.whole === digest) {
    detail(io, `the log ${path} is as it was when it was read last; how its swaps stand was kept in ${file.path}`);
    return { ...NONE, log: keptLog([...rows.values()]) };
  }
  return {
    log: undefined,
    rows: async (log) => {
      const fitting = await fittingRows(rows, log);
      if (fitting.size > 0) detail(io, `${fitting.size} of its swaps are as they were kept in ${file.path}`);
      return fitting;
    },
    keep: (read) => keep(read, { path, file, digest }),
  };
}

async function fittingRows(rows: Rows, log: SqliteLog): Promise<Rows> {
  if (rows.size === 0 || hasMoreToTell(log)) return NO_ROWS;
  const tips = await log.tips();
  return new Map([...rows].filter(([stream, row]) => row.hash === tips.get(stream)));
}

/** Whether there is anything to tell of a log beside how its swaps stand. */
export function hasMoreToTell(log: SqliteLog): boolean {
  return log.opening.tail !== 'whole' || log.quarantined().length > 0;
}

type Place = { readonly path: string; readonly file: SummaryFile; readonly digest: string | undefined };

async function keep(read: ReadLog, { path, file, digest }: Place): Promise<void> {
  const rows = await rowsOf(read);
  if (rows === undefined) return;
  const writer = file.write();
  for (const row of rows) writer.add(row);
  const isWhole = rows.length === read.statuses.length && digest !== undefined;
  // What was read lies between two looks at the file: it is what the file holds where both are the same.
  writer.end(isWhole && restingLog(path)?.digest === digest ? digest : null);
}

async function rowsOf({ log, statuses, things }: ReadLog): Promise<readonly SummaryRow[] | undefined> {
  if (hasMoreToTell(log)) return undefined;
  const index = new Map((await log.find({})).map((summary) => [summary.stream, summary]));
  const tips = await log.tips();
  const rows: SummaryRow[] = [];
  for (const status of statuses) {
    const { stream, error } = status;
    const [indexed, hash] = [index.get(stream), tips.get(stream)];
    // What cannot be read is read again each time.
    if (error !== null || indexed === undefined || hash === undefined) continue;
    rows.push({ standing: standingOf(status), indexed, hash, things: things.get(stream) ?? [] });
  }
  return rows;
}

/** What is kept of a status. */
export function standingOf({
  stream,
  uuid,
  role,
  coins,
  state,
  outcome,
  funds,
  next,
  recoverSince,
  looked,
}: Standing): Standing {
  return { stream, uuid, role, coins, state, outcome, funds, next, recoverSince, looked };
}

function keptLog(rows: readonly SummaryRow[]): KeptLog {
  const chosen = (query: StreamQuery) => rows.filter(({ indexed }) => fits(indexed, query)).slice(0, query.limit);
  return {
    list: (query) => chosen(query).map(({ standing }) => ({ ...standing, error: null })),
    find: (query) => chosen(query).map(({ indexed }) => indexed),
    things: new Map(rows.map(({ standing, things }) => [standing.stream, things])),
  };
}

/** As the log's own index answers. */
function fits(
  { stream, firstAt, labels }: StreamSummary,
  { machine, coin, outcome, finished, from, to }: StreamQuery,
): boolean {
  if (machine !== undefined && !stream.startsWith(`${machine}/`)) return false;
  if (coin !== undefined && labels.makerCoin !== coin && labels.takerCoin !== coin) return false;
  if (outcome !== undefined && labels.outcome !== outcome) return false;
  if (finished !== undefined && (labels.finished ?? false) !== finished) return false;
  return (from === undefined || firstAt >= from) && (to === undefined || firstAt < to);
}
