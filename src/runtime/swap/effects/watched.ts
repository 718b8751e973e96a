import type { Turn } from '../turn.ts';

/**
 * Whether a spend or a refund in a taker's name that it did not make is a watcher's. Of a log that came from elsewhere only one
 * that tells of watchers says so (`taker_restart.rs`); else the spend is that of the node which wrote the log.
 */
export function isWatched({ swap, journal }: Turn): boolean {
  return swap.role === 'taker' && (journal.request !== null || swap.watched);
}
