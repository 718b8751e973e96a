import type { Clock } from '../../ports/clock.ts';
import { type Millis, millisOf } from '../../primitives/time.ts';

/** What a timer of the platform can wait for at most, in milliseconds: above it, it fires at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * The host's clock and timers. Moments farther away than a timer reaches are waited for in steps; a moment that is now or
 * over is called back for as soon as the process has done what else is due, never inside of the call. A clock that is set back
 * keeps nobody waiting: what was a minute away is called back for after a minute.
 *
 * @param keepAlive whether what is waited for keeps a process running that has nothing else to do. @defaultValue true
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
  // A timer may fire a moment before the clock shows its time.
  const fire = (): void => {
    if (leftOf() > 0) wait();
    else wake();
  };
  wait();
  return () => cancelTimer();
}
