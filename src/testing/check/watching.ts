import type { Runner } from '../../runtime/runner.ts';
import { decideWatcher } from '../../runtime/watcher/decide.ts';
import { type WatcherRunner, watcherViewOf } from '../../runtime/watcher/runner.ts';
import { type Behaviour, SOUND } from '../world/node.ts';
import type { Bodies } from './bodies.ts';

/**
 * A watcher's engine in the pieces of which a swap's is made. What it reads from the redeem script of the claim that the taker
 * has signed, the lock and the keys of the maker payment, is read from the abstract transaction.
 */
export function watching(bodies: Bodies): Behaviour {
  return {
    ...SOUND,
    decide: (runner, now) => {
      const watcher = asWatcher(runner);
      const view = watcherViewOf(watcher);
      const terms = view === null ? undefined : bodies.get(view.watch.maker_payment_hash)?.terms;
      if (view !== null && terms != null) watcher.view = { ...view, otherTerms: terms };
      return decideWatcher(watcher, now);
    },
  };
}

function asWatcher(runner: Runner): WatcherRunner {
  return runner as unknown as WatcherRunner;
}
