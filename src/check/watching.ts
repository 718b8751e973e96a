import type { SwapRunner } from '../runtime/swap/runner.ts';
import { asWatcherRunner, watcherViewOf } from '../runtime/watcher/runner.ts';
import type { Bodies } from './bodies.ts';

/**
 * Gives a watcher's runner what its engine reads from the redeem script of the claim that the taker signed: the lock and the keys of the maker
 * payment. The abstract transaction has no script. It does nothing to a runner of a swap.
 */
export function readScripts(runner: SwapRunner, bodies: Bodies): void {
  const watcher = asWatcherRunner(runner);
  const view = watcher === null ? null : watcherViewOf(watcher);
  if (watcher === null || view === null) return;
  const terms = bodies.get(view.watch.maker_payment_hash)?.terms;
  if (terms != null) watcher.view = { ...view, otherTerms: terms };
}
