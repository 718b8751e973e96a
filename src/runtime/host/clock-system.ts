import type { Clock } from '../../ports/clock.ts';
import { type Millis, millisOf } from '../../primitives/time.ts';

/** The longest wait of a platform timer, in milliseconds; with more, it fires immediately. */
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * The host's clock and timers. Waits longer than a timer allows are split into steps. For a time that is now or past,
 * the callback runs as soon as the process has done other due work, never inside the call. A clock that is set back
 * delays no callback: what was a minute away fires after a minute.
 *
 * @param keepAlive whether a waiting timer keeps an otherwise idle process running. @defaultValue true
 *
 * @example
 * ```ts
 * import { systemClock } from 'swapfold/runtime';
 *
 * const clock = systemClock();
 * const called = new Promise((resolve) => clock.wakeAt(clock.now(), () => resolve('called')));
 * called; // → 'called'
 * ```
 */
export function systemClock({ keepAlive = true }: { readonly keepAlive?: boolean } = {}): Clock {
  return {
    now: () => millisOf(Date.now()),
    elapsed: () => performance.now(),
    wakeAt: (at, wake) => wakeAt(at, { wake, keepAlive }),
  };
}

type Waking = { readonly wake: () => void; readonly keepAlive: boolean };

function wakeAt(at: Millis, { wake, keepAlive }: Waking): () => void {
  let cancelTimer = (): void => {};
  const due = performance.now() + (at - Date.now());
  const leftOf = () => Math.min(at - Date.now(), Math.ceil(due - performance.now()));
  const wait = (): void => {
    const left = leftOf();
    if (left <= 0) {
      const immediate = setImmediate(wake);
      cancelTimer = () => clearImmediate(immediate);
      return;
    }
    const timer = setTimeout(left > LONGEST_TIMER ? wait : fire, Math.min(left, LONGEST_TIMER));
    if (!keepAlive) timer.unref();
    cancelTimer = () => clearTimeout(timer);
  };
  // A timer may fire slightly before the clock shows its time.
  const fire = (): void => {
    if (leftOf() > 0) wait();
    else wake();
  };
  wait();
  return () => cancelTimer();
}
