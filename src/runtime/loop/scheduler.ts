import type { Clock } from '../../ports/clock.ts';
import type { Millis } from '../../primitives/time.ts';
import { createReadyRing } from './ready-ring.ts';
import { createWakeHeap } from './wake-heap.ts';

/** Gives many tasks their turns, on one timer for the whole process. */
export type Scheduler = {
  /** A turn soon, after those who asked before. It cancels the moment that was set. */
  readonly soon: (id: number) => void;
  /** A turn at this moment, rounded up to a whole millisecond; replaces the one that was set. */
  readonly at: (id: number, at: number) => void;
  /** No turn until asked again. One that was already promised may still come. */
  readonly never: (id: number) => void;
  /** No task gets another turn. */
  readonly stop: () => void;
  readonly sizes: () => { readonly ready: number; readonly waiting: number };
};

export type SchedulerOptions = {
  readonly clock: Clock;
  /** One turn. It must not throw. */
  readonly run: (id: number, now: Millis) => void;
  /** Turns in one batch, before the process does other work. @defaultValue 256 */
  readonly batch?: number;
};

/** The clock may be set while the timer runs, so it is checked at least this often, in milliseconds. */
const LONGEST_SLEEP = 60_000;

/**
 * - S1: there is one timer at a time, set for the earliest moment or for now while somebody is ready.
 * - S2: turns come in the order of the requests; no task has a second one before all other ready tasks had theirs.
 * - S3: a turn never happens inside a call to the scheduler, so it never interrupts the caller.
 */
export function createScheduler({ clock, run: turn, batch = 256 }: SchedulerOptions): Scheduler {
  const heap = createWakeHeap();
  const ring = createReadyRing();
  let armedAt = Number.POSITIVE_INFINITY;
  let disarm: (() => void) | null = null;
  let working = false;
  let stopped = false;

  const arm = (): void => {
    if (working || stopped) return;
    const earliest = heap.earliest();
    const ready = ring.size() > 0;
    if (!ready && earliest === Number.POSITIVE_INFINITY) return;
    const now = clock.now();
    const target = ready ? now : Math.min(earliest, now + LONGEST_SLEEP);
    if (disarm !== null && armedAt <= target) return;
    disarm?.();
    armedAt = target;
    disarm = clock.wakeAt(target as Millis, wake);
  };

  const wake = (): void => {
    // An expired timer is over, even if the clock stands still or was set back meanwhile.
    const reached = Math.max(clock.now(), armedAt);
    disarm = null;
    armedAt = Number.POSITIVE_INFINITY;
    if (stopped) return;
    working = true;
    for (let due = heap.takeDue(reached); due >= 0; due = heap.takeDue(reached)) ring.push(due);
    for (let count = Math.min(batch, ring.size()); count > 0 && !stopped; count--) turn(ring.take(), clock.now());
    working = false;
    arm();
  };

  return {
    soon(id) {
      heap.remove(id);
      if (ring.push(id)) arm();
    },
    at(id, at) {
      heap.set(id, Math.ceil(at));
      arm();
    },
    never: (id) => heap.remove(id),
    stop() {
      stopped = true;
      disarm?.();
      disarm = null;
    },
    sizes: () => ({ ready: ring.size(), waiting: heap.size() }),
  };
}
