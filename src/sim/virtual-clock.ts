import type { Clock } from '../ports/clock.ts';
import type { Millis } from '../primitives/time.ts';

/** A clock that moves only when told to, so that hours of a swap take a moment. */
export type VirtualClock = Clock & {
  /** The earliest moment for which someone has set a timer; null if nobody has. */
  readonly next: () => Millis | null;
  /** Moves to a moment and fires the timers that are due, in order. */
  readonly advanceTo: (at: Millis) => void;
};

type Waiting = { readonly at: Millis; readonly wake: () => void };

/**
 * A clock that stands at `start` until it is told to move.
 *
 * @example
 * ```ts
 * import { millisOf } from 'swapfold';
 * import { createVirtualClock } from 'swapfold/testing';
 *
 * const clock = createVirtualClock(millisOf(1000));
 * const rung: number[] = [];
 * for (const at of [5000, 3000, 9000]) clock.wakeAt(millisOf(at), () => rung.push(clock.now()));
 * clock.advanceTo(millisOf(6000));
 * rung; // → [3000, 5000]
 * [clock.now(), clock.next()]; // → [6000, 9000]
 * ```
 */
export function createVirtualClock(start: Millis): VirtualClock {
  let now = start;
  const waiting = new Set<Waiting>();
  const earliest = (): Waiting | null => {
    let first: Waiting | null = null;
    for (const entry of waiting) if (first === null || entry.at < first.at) first = entry;
    return first;
  };
  return {
    now: () => now,
    wakeAt(at, wake) {
      const entry = { at, wake };
      waiting.add(entry);
      return () => waiting.delete(entry);
    },
    next: () => earliest()?.at ?? null,
    advanceTo(at) {
      for (let due = earliest(); due !== null && due.at <= at; due = earliest()) {
        waiting.delete(due);
        if (due.at > now) now = due.at;
        due.wake();
      }
      if (at > now) now = at;
    },
  };
}
