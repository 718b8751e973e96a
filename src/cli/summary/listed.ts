import { restingLog } from '../../log/sqlite/at-rest.ts';
import type { SqliteLog } from '../../log/sqlite/index.ts';
import type { StreamQuery, StreamSummary } from '../../ports/event-log.ts';
import type { NamedThing } from '../../replay/audit/sharing.ts';
import type { SwapStatus } from '../../runtime/operate/status.ts';
import type { CliIo } from '../io.ts';
import { detail } from '../voice.ts';
import { type Standing, type SummaryRow, summaryFile } from './summary-file.ts';

/** A stream as `status` tells it; the error where it cannot be read. */
export type Told = Standing & Pick<SwapStatus, 'error'>;

/** How the swaps of a log stand, from what was kept of it. */
export type KeptLog = {
  /** What `Runtime.list` gives for this query, of one that names no event. */
  readonly list: (query: StreamQuery) => readonly Told[];
  readonly find: (query: StreamQuery) => readonly StreamSummary[];
  readonly things: ReadonlyMap<string, readonly NamedThing[]>;
};

/** All that was read of a log. */
export type ReadLog = {
  readonly log: SqliteLog;
  readonly statuses: readonly (SwapStatus & Pick<Standing, 'looked'>)[];
  readonly things: ReadonlyMap<string, readonly NamedThing[]>;
};

export type Kept = {
  /** What was kept of the log; undefined where nothing was, or nothing that fits it. */
  readonly log: KeptLog | undefined;
  /** Keeps what was read of all of the log, for as long as it stays as it is. */
  readonly keep: (read: ReadLog) => Promise<void>;
};

export type KeptOptions = {
  readonly io: CliIo;
  /** A log of fewer bytes is read each time, which takes no longer. @defaultValue 4 MiB, some 400 swaps */
  readonly least?: number | undefined;
};

const LEAST_BYTES = 4 * 1024 * 1024;

const NONE: Kept = { log: undefined, keep: async () => {} };

/** Looks for what was kept of a log. Nothing is kept of one that somebody writes to. */
export function keptOf(path: string, { io, least = LEAST_BYTES }: KeptOptions): Kept {
  const resting = restingLog(path, { least });
  const file = resting === undefined ? undefined : summaryFile(resting.file, io.env);
  if (resting === undefined || file === undefined) return NONE;
  const rows = file.read(resting);
  if (rows !== undefined) {
    detail(io, `the log ${path} is as it was when it was read last; how its swaps stand was kept in ${file.path}`);
    return { log: keptLog(rows), keep: NONE.keep };
  }
  return {
    log: undefined,
    async keep(read) {
      const found = await rowsOf(read);
      // What was read lies between two looks at the file: it is what the file holds where both are the same.
      if (found !== undefined && restingLog(path)?.digest === resting.digest) file.write(resting, found);
    },
  };
}

/** Undefined for a log with anything to tell beside how its swaps stand. */
async function rowsOf({ log, statuses, things }: ReadLog): Promise<readonly SummaryRow[] | undefined> {
  if (log.opening.tail !== 'whole' || log.quarantined().length > 0) return undefined;
  const index = new Map((await log.find({})).map((summary) => [summary.stream, summary]));
  const shared = sharedAlone(statuses, things);
  const rows: SummaryRow[] = [];
  for (const status of statuses) {
    const indexed = index.get(status.stream);
    if (status.error !== null || indexed === undefined) return undefined;
    rows.push({ standing: standingOf(status), indexed, things: shared(status.stream) });
  }
  return rows;
}

function standingOf({
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

/** Of what swaps name, what two of them name: nothing else is ever told. */
function sharedAlone(statuses: readonly SwapStatus[], things: ReadLog['things']) {
  const holder = new Map<string, string>();
  const shared = new Set<string>();
  for (const { stream, uuid } of statuses) {
    for (const { key } of things.get(stream) ?? []) {
      const known = holder.get(key);
      if (known === undefined) holder.set(key, uuid);
      else if (known !== uuid) shared.add(key);
    }
  }
  return (stream: string) => (things.get(stream) ?? []).filter(({ key }) => shared.has(key));
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
