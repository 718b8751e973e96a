import type { Turn } from '../turn.ts';

/**
 * Whether a spend or a refund in a taker's name that it did not make is a watcher's. A log from elsewhere says so only if it mentions watchers
 * (`taker_restart.rs`); otherwise the node that wrote the log made the spend.
 */
export function isWatched({ swap, journal }: Turn): boolean {
  return swap.role === 'taker' && (journal.request !== null || swap.watched);
}
