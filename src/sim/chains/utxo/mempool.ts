import { GONE, IN_MEMPOOL, type UtxoEntry, type UtxoState } from './state.ts';
import type { UtxoInput } from './transaction.ts';

/** Most unconfirmed transactions in a chain of dependence, itself included, that nodes accept. */
export const MAX_ANCESTORS = 25;

/** A transaction that depends on a single unconfirmed one may exceed this by one (Bitcoin Core's carve-out). */
const SINGLE_PARENT = 1;

/** Marks the outputs that an entry takes as taken by it. */
export function takeSources({ tx, sources }: UtxoEntry, taker: UtxoEntry): void {
  for (let index = 0; index < sources.length; index++) {
    (sources[index] as UtxoEntry).takers[(tx.inputs[index] as UtxoInput).vout] = taker;
  }
}

/** Puts an entry at the end of the mempool. */
export function enterMempool(state: UtxoState, entry: UtxoEntry): void {
  entry.height = IN_MEMPOOL;
  entry.since = state.settings.now();
  takeSources(entry, entry);
  state.mempool.push(entry);
}

/** Removes entries and all that depends on them from the mempool; returns those that left, in mempool order. */
export function evict(state: UtxoState, entries: Iterable<UtxoEntry>): readonly UtxoEntry[] {
  const leaving = withDescendants(entries);
  if (leaving.size === 0) return [];
  const left = state.mempool.filter((entry) => leaving.has(entry));
  state.mempool = state.mempool.filter((entry) => !leaving.has(entry));
  for (const entry of left) {
    entry.height = GONE;
    for (let index = 0; index < entry.sources.length; index++) {
      const { takers } = entry.sources[index] as UtxoEntry;
      const { vout } = entry.tx.inputs[index] as UtxoInput;
      if (takers[vout] === entry) takers[vout] = null;
    }
  }
  return left;
}

/** The entries and all of the mempool that depend on them. */
export function withDescendants(entries: Iterable<UtxoEntry>): Set<UtxoEntry> {
  const found = new Set(entries);
  for (const entry of found) {
    for (const taker of entry.takers) if (taker !== null && taker.height === IN_MEMPOOL) found.add(taker);
  }
  return found;
}

/** Entries of the mempool on which an entry with these sources would depend. */
export function ancestorsOf(sources: readonly UtxoEntry[]): Set<UtxoEntry> {
  const found = new Set<UtxoEntry>();
  for (const source of sources) if (source.height === IN_MEMPOOL) found.add(source);
  for (const entry of found) {
    for (const source of entry.sources) if (source.height === IN_MEMPOOL) found.add(source);
  }
  return found;
}

/**
 * Whether one more entry with these sources would make a chain of unconfirmed entries too long, upwards or downwards. Entries about to leave do not
 * count.
 */
export function hasTooManyAncestors(sources: readonly UtxoEntry[], leaving: ReadonlySet<UtxoEntry>): boolean {
  if (sources.every(({ height }) => height !== IN_MEMPOOL)) return false;
  const ancestors = ancestorsOf(sources);
  if (ancestors.size >= MAX_ANCESTORS) return true;
  const most = ancestors.size === SINGLE_PARENT ? MAX_ANCESTORS + 1 : MAX_ANCESTORS;
  for (const ancestor of ancestors) {
    let count = 0;
    for (const entry of withDescendants([ancestor])) if (!leaving.has(entry)) count++;
    if (count >= most) return true;
  }
  return false;
}
