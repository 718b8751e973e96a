import { setImmediate as pause } from 'node:timers/promises';
import { GENESIS_HASH } from '../../../primitives/envelope.ts';
import { type Connection, textOf } from '../connection.ts';
import type { QuarantinedHead } from '../verify.ts';
import { type Chain, createChains, namelessName } from './chains.ts';
import { createWriter } from './writer.ts';

export type Rebuilt = {
  /** Count of verified records. */
  readonly records: number;
  /** Count of records that are known to have existed and do not verify. */
  readonly lost: number;
  /** Pages at the end are missing: more records and streams may be lost than any trace shows. */
  readonly cut: boolean;
  readonly streams: number;
  readonly quarantined: readonly QuarantinedHead[];
  /** Streams without labels, which must be rebuilt from the records. */
  readonly unlabelled: number;
};

/** Streams after which other work of the process gets its turn. */
const STREAMS_AT_ONCE = 64;

/**
 * Writes a new log from the findings.
 *
 * A stream is complete if it ends where its note says. If that note is lost, it is complete if no record of the log is
 * missing, or if the owners of all missing ones are known and it is none of them. Every other one is set apart, since
 * the records that follow may have kept a payment from being sent twice.
 */
export async function rebuild(evidence: Connection, target: Connection, cut: boolean): Promise<Rebuilt> {
  const write = createWriter(target);
  const chainOf = createChains(evidence, write);
  const counts = { records: 0, streams: 0, unlabelled: 0 };
  const apart = apartBefore(evidence);
  const quarantined: QuarantinedHead[] = [];
  const endless: Chain[] = [];
  const known = new Set<number>();

  const settle = (chain: Chain, why: string | undefined): void => {
    const { labels, tip, ...rest } = chain;
    counts.streams++;
    if (labels === undefined) counts.unlabelled++;
    write.head({ ...rest, labels: labels ?? {}, ...tip });
    if (why === undefined) return;
    const set = { id: chain.id, stream: chain.name, seq: chain.length, why };
    quarantined.push(set);
    write.apart(set);
  };

  let count = 0;
  for (const id of streamIds(evidence)) {
    if (++count % STREAMS_AT_ONCE === 0) await pause();
    const chain = chainOf(id);
    if (chain === undefined) continue;
    known.add(id);
    counts.records += chain.length;
    const { tip } = chain;
    const before = apart.get(id);
    if (before !== undefined) settle(chain, before);
    else if (tip === undefined) endless.push(chain);
    else {
      const whole = tip.hash === chain.hash && tip.length === chain.length;
      settle(chain, whole ? undefined : 'A record is missing or damaged.');
    }
  }

  const { lost, owners, allOwned, end } = missing(evidence);
  for (const chain of endless) {
    const proven = !cut && allOwned && !owners.has(chain.id);
    settle(chain, proven ? undefined : 'Its last records may be missing.');
  }
  for (const id of owners) {
    if (!known.has(id)) settle(nameless(id), 'Everything noted about it is lost.');
  }
  write.end(end);
  return { ...counts, lost, cut, quarantined: quarantined.toSorted((left, right) => left.id - right.id) };
}

/** Streams that may have existed: those with a note, and those with a first record. */
function* streamIds(evidence: Connection): Iterable<number> {
  evidence.exec(`CREATE TABLE ids AS SELECT id FROM names WHERE sound = 1 UNION SELECT id FROM tips WHERE sound = 1
    UNION SELECT stream FROM found WHERE seq = 0 AND position = stream AND name IS NOT NULL`);
  evidence.exec('CREATE UNIQUE INDEX ids_by_id ON ids(id)');
  const page = evidence.prepare('SELECT id FROM ids WHERE id > ? ORDER BY id LIMIT 512');
  for (let rows = page.all([-1]); rows.length > 0; rows = page.all([rows.at(-1)?.[0] as number])) {
    for (const [id] of rows) yield id as number;
  }
}

function apartBefore(evidence: Connection): ReadonlyMap<number, string> {
  const rows = evidence.prepare('SELECT stream, CAST(why AS BLOB) FROM apart').all();
  return new Map(rows.map(([id, why]) => [id as number, textOf(why) ?? '']));
}

/** Positions without a verified record, and their streams, as far as the index shows. */
function missing(evidence: Connection) {
  const number = (sql: string): number => Number(evidence.value(sql) ?? 0);
  const claimed = evidence.prepare('SELECT 1 FROM claims WHERE position = ?');
  let end = Math.max(
    number('SELECT max(position) FROM found WHERE placed = 1'),
    number('SELECT max(position) FROM verified'),
    number('SELECT max(id) FROM names WHERE sound = 1'),
    number("SELECT max(CAST(value AS INTEGER)) FROM notes WHERE name = 'end'"),
  );
  while (claimed.get([end + 1]) !== undefined) end++;
  const lost = end - number('SELECT count(*) FROM verified');
  const open = `FROM claims WHERE position <= ${end} AND position NOT IN (SELECT position FROM verified)`;
  const owned = number(`SELECT count(DISTINCT position) ${open}`);
  const owners = new Set(
    evidence
      .prepare(`SELECT DISTINCT stream ${open}`)
      .all()
      .map(([id]) => id as number),
  );
  return { end, lost, owners, allOwned: owned >= lost };
}

/** A stream known only by its number, which is the position of its first record. */
function nameless(id: number): Chain {
  const nothing = { labels: undefined, tip: undefined, length: 0, hash: GENESIS_HASH, firstAt: 0, lastAt: 0 };
  return { id, name: namelessName(id), ...nothing };
}
