import type { EventLog, StreamSummary } from '../../ports/event-log.ts';
import { isJsonObject } from '../../primitives/json.ts';
import { toUnixSeconds, type UnixSeconds } from '../../primitives/time.ts';
import { ROLES, roleOfStream, uuidOfStream } from './read-swap.ts';

/** A swap as lists find it. */
export type SwapRow = {
  readonly stream: string;
  readonly uuid: string;
  readonly myCoin: string;
  readonly otherCoin: string;
  /** As `Started` tells it; before that, when it was asked for. */
  readonly startedAt: UnixSeconds;
};

/** Each member that is not null has to be met (as in the real node). */
export type SwapFilter = {
  readonly my_coin: string | null;
  readonly other_coin: string | null;
  /** Seconds since 1970, this one included. */
  readonly from_timestamp: number | null;
  /** Seconds since 1970, this one not included. */
  readonly to_timestamp: number | null;
};

export type Paging = {
  readonly limit: number;
  /** From 1 on; of no effect beside `from_uuid`. */
  readonly page_number: number;
  /** The page begins behind this swap. */
  readonly from_uuid: string | null;
};

export type SwapPage = {
  readonly rows: readonly SwapRow[];
  readonly skipped: number;
  readonly total: number;
  readonly total_pages: number;
};

/** Swaps of a log that a filter lets through, the latest first. */
export async function listSwaps(log: EventLog, filter: SwapFilter): Promise<readonly SwapRow[]> {
  const summaries = await log.find({});
  const starts = await startsOf(log, summaries);
  const rows = summaries.flatMap((summary) => rowOf(summary, starts) ?? []);
  return latestFirst(rows.filter((row) => passes(row, filter)));
}

/** Of two that started in the same second the order is that of their names, so that pages never overlap. */
export function latestFirst(rows: readonly SwapRow[]): readonly SwapRow[] {
  return [...rows].sort((left, right) => right.startedAt - left.startedAt || (left.stream < right.stream ? -1 : 1));
}

export function passes(row: SwapRow, filter: SwapFilter): boolean {
  const { my_coin, other_coin, from_timestamp, to_timestamp } = filter;
  return (
    (my_coin === null || row.myCoin === my_coin) &&
    (other_coin === null || row.otherCoin === other_coin) &&
    (from_timestamp === null || row.startedAt >= from_timestamp) &&
    (to_timestamp === null || row.startedAt < to_timestamp)
  );
}

/** One page of a list. Null where `from_uuid` is not in it; in an empty list it is not looked for. */
export function pageOf(rows: readonly SwapRow[], { limit, page_number, from_uuid }: Paging): SwapPage | null {
  const total = rows.length;
  const total_pages = limit === 0 ? 0 : Math.ceil(total / limit);
  if (total === 0) return { rows: [], skipped: 0, total, total_pages };
  const at = from_uuid === null ? (page_number - 1) * limit - 1 : rows.findIndex(({ uuid }) => uuid === from_uuid);
  if (from_uuid !== null && at < 0) return null;
  const skipped = at + 1;
  return { rows: rows.slice(skipped, skipped + limit), skipped, total, total_pages };
}

async function startsOf(log: EventLog, summaries: readonly StreamSummary[]): Promise<ReadonlyMap<string, number>> {
  const starts = new Map<string, number>();
  const note = ({ stream, data }: { readonly stream: string; readonly data: unknown }): void => {
    const at = isJsonObject(data) ? data['started_at'] : undefined;
    if (typeof at === 'number' && !starts.has(stream)) starts.set(stream, at);
  };
  if (log.scan !== undefined) await log.scan(['Started'], note);
  else for (const { stream } of summaries) for (const record of await log.read(stream)) note(record);
  return starts;
}

function rowOf({ stream, firstAt, labels }: StreamSummary, starts: ReadonlyMap<string, number>): SwapRow | null {
  const role = roleOfStream(stream);
  const { makerCoin, takerCoin } = labels;
  if (role === undefined || makerCoin === undefined || takerCoin === undefined) return null;
  const [myCoin, otherCoin] = role === ROLES[0] ? [takerCoin, makerCoin] : [makerCoin, takerCoin];
  const startedAt = (starts.get(stream) ?? toUnixSeconds(firstAt)) as UnixSeconds;
  return { stream, uuid: uuidOfStream(stream), myCoin, otherCoin, startedAt };
}
