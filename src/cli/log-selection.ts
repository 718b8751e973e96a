import type { Awaitable, StreamQuery, StreamSummary } from '../ports/event-log.ts';
import { toMillis } from '../primitives/time.ts';
import type { SwapStatus } from '../runtime/operate/status.ts';
import type { SelectionOptions } from './selection.ts';
import type { SortKey } from './sort-keys.ts';

/** Which of the swaps of a durable log a command is about: what its index answers. */
export function queryOf({ outcome, role, since, until }: LogSelection): StreamQuery {
  return {
    ...(outcome === undefined ? {} : { outcome }),
    ...(role === undefined ? {} : { machine: `${role}-swap` }),
    ...(since === undefined ? {} : { from: toMillis(since) }),
    ...(until === undefined ? {} : { to: toMillis(until) }),
  };
}

/** The same options as for stored swaps; an outcome may be that of a watch as well. */
export type LogSelection = Omit<SelectionOptions, 'outcome'> & { readonly outcome?: string };

/** The log, by its name and by what its index answers. */
export type SelectedFrom = { readonly path: string; readonly log: Indexed };

type Indexed = { readonly find: (query: StreamQuery) => Awaitable<readonly StreamSummary[]> };
type Standing = Pick<SwapStatus, 'stream' | 'uuid' | 'coins' | 'state' | 'outcome' | 'error'>;

/**
 * What is asked for of the statuses of a log, in the order that is asked for. A swap that cannot be read is kept, since nobody knows what it would have
 * said.
 */
export async function selectedStatuses<Status extends Standing>(
  statuses: readonly Status[],
  { coin, state, anomaly, sort, limit }: LogSelection,
  { path, log }: SelectedFrom,
): Promise<readonly Status[]> {
  const odd = anomaly === undefined ? null : await streamsWith(anomaly, path);
  const kept = statuses.filter(({ stream, coins, state: found, error }) => {
    if (error !== null) return true;
    if (coin !== undefined && !sameText(coins.maker, coin) && !sameText(coins.taker, coin)) return false;
    if (state !== undefined && !sameText(found, state)) return false;
    return odd === null || odd.has(stream);
  });
  return (await inOrder(kept, sort, log)).slice(0, limit);
}

function sameText(found: string | null, asked: string): boolean {
  return found?.toLowerCase() === asked.toLowerCase();
}

async function streamsWith(anomaly: string, path: string): Promise<ReadonlySet<string>> {
  const { readSwaps } = await import('../log/files/read-swaps.ts');
  const { hasAnomaly } = await import('./selection.ts');
  const { replaySwap } = await import('../replay/swaps.ts');
  const streams = new Set<string>();
  for await (const read of readSwaps(path)) {
    if (read.ok && hasAnomaly(replaySwap(read.log), anomaly)) streams.add(`${read.log.role}-swap/${read.log.uuid}`);
  }
  return streams;
}

async function inOrder<Status extends Standing>(
  statuses: readonly Status[],
  sort: SortKey | undefined,
  log: Indexed,
): Promise<readonly Status[]> {
  if (sort === undefined) return statuses;
  const begun = new Map<string, StreamSummary>();
  if (sort === 'time') for (const summary of await log.find({})) begun.set(summary.stream, summary);
  const keyOf = ({ stream, uuid, outcome, coins }: Standing): string | number => {
    if (sort === 'time') return begun.get(stream)?.firstAt ?? 0;
    if (sort === 'uuid') return uuid;
    return sort === 'outcome' ? (outcome ?? '') : `${coins.maker ?? ''}/${coins.taker ?? ''}`.toUpperCase();
  };
  const keyed = statuses.map((status) => ({ status, key: keyOf(status) }));
  return keyed
    .toSorted((left, right) => (left.key < right.key ? -1 : left.key > right.key ? 1 : 0))
    .map(({ status }) => status);
}
