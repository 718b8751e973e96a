import { GENESIS_HASH } from '../../primitives/envelope.ts';
import type { Connection } from './connection.ts';
import { headByName } from './rows.ts';
import type { StreamHead } from './seal.ts';

/** What the writer must know about a stream before it can append to it. */
export type Heads = {
  /** The head of a stream; undefined when the log does not hold it. */
  readonly get: (name: string) => StreamHead | undefined;
  readonly set: (head: StreamHead) => void;
  readonly forget: (names: Iterable<string>) => void;
};

/** Heads that are kept in memory, some hundreds of bytes each. */
const KEPT = 20_000;

/** Heads of streams; the most recent are in memory. */
export function createHeads(connection: Connection): Heads {
  const kept = new Map<string, StreamHead>();
  const known = connection.prepare('SELECT 1 FROM streams WHERE name = ?');
  const stored = headByName(connection);
  const keep = (head: StreamHead): void => {
    kept.set(head.name, head);
    if (kept.size > KEPT) kept.delete(kept.keys().next().value as string);
  };
  return {
    get: (name) => {
      const held = kept.get(name);
      if (held !== undefined) return held;
      // Most requests are for new streams.
      if (known.get([name]) === undefined) return undefined;
      const found = stored(name)?.head;
      if (found !== undefined) keep(found);
      return found;
    },
    set: keep,
    forget: (names) => {
      for (const name of names) kept.delete(name);
    },
  };
}

/** The head of a stream that is about to get its first record at a position. */
export function newHead(name: string, position: number, at: number): StreamHead {
  return { id: position, name, length: 0, hash: GENESIS_HASH, firstAt: at, lastAt: at, labels: {} };
}
