import type { Clock } from '../ports/clock.ts';
import type { Millis } from '../primitives/time.ts';

/** A clock that goes on only when it is told to, so that hours of a swap take a moment. */
export type VirtualClock = Clock & {
  /** The earliest moment at which someone wants to be woken; null when nobody does. */
  readonly next: () => Millis | null;
  /** Goes on to a moment and wakes whoever is due, in order. */
  readonly advanceTo: (at: Millis) => void;
};

type Waiting = { readonly at: Millis; readonly wake: () => void };

/**
 * A clock that stands at `start` until it is told to go on.
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
