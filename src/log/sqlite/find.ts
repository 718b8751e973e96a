import type { StreamQuery, StreamSummary } from '../../ports/event-log.ts';
import type { Millis } from '../../primitives/time.ts';
import type { Connection, Parameter } from './connection.ts';
import { headsWhere } from './rows.ts';

const CONDITIONS = {
  machine: 'machine = ?',
  // SQLite joins the answers of both indexes.
  coin: '(maker_coin = ? OR taker_coin = ?)',
  outcome: 'outcome = ?',
  finished: 'ifnull(finished, 0) = ?',
  eventType: 'id IN (SELECT stream FROM records WHERE type = ?)',
  from: 'first_at >= ?',
  to: 'first_at < ?',
} as const;

/** Answers a query through the indexes, without the named streams. */
export function findStreams(
  connection: Connection,
  query: StreamQuery,
  hidden: ReadonlyMap<string, unknown>,
): readonly StreamSummary[] {
  const { limit, ...wanted } = query;
  const conditions = ['TRUE'];
  // Fetches more than requested, because some may be hidden.
  const parameters: Parameter[] = [limit === undefined ? -1 : limit + hidden.size];
  for (const [name, condition] of Object.entries(CONDITIONS)) {
    const value = wanted[name as keyof typeof CONDITIONS];
    if (value === undefined) continue;
    parameters.push(typeof value === 'boolean' ? Number(value) : value);
    conditions.push(condition.replaceAll('?', `?${parameters.length}`));
  }
  const found = headsWhere(
    connection,
    conditions.join(' AND '),
  )(parameters).filter(({ head }) => !hidden.has(head.name));
  return found.slice(0, limit).map(({ head: { name, length, firstAt, lastAt, labels } }) => ({
    stream: name,
    length,
    firstAt: firstAt as Millis,
    lastAt: lastAt as Millis,
    labels,
  }));
}
