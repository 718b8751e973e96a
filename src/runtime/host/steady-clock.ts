import type { Clock } from '../../ports/clock.ts';
import { type Millis, millisOf } from '../../primitives/time.ts';

/**
 * A clock that keeps running by the host's elapsed time when the host's clock is set back, and follows it when it is
 * set forward, as after a suspension: no wait on it takes longer than meant. The host's own clock if it does not report
 * elapsed time.
 */
export function steadyClock(clock: Clock): Clock {
  if (clock.elapsed === undefined) return clock;
  const elapsed = () => clock.elapsed?.() ?? 0;
  let last: number = clock.now();
  let at = elapsed();
  const now = (): Millis => {
    const passed = elapsed();
    last = Math.max(clock.now(), last + Math.max(0, passed - at));
    at = passed;
    return millisOf(Math.floor(last));
  };
  return { now, wakeAt: (moment, wake) => clock.wakeAt((clock.now() + (moment - now())) as Millis, wake) };
}

/** The last time that a reader was told, on its own clock, and when that was on the steady clock. */
export type Told = { readonly now: number; readonly steady: number };

/**
 * The host's clock as one of many readers sees it: it never goes back from what that reader was told before. A reader
 * from before the clock was set back continues by elapsed time; a later one sees the clock as it is set.
 */
export function nextMoment({ told, wall, steady }: { told: Told | null; wall: number; steady: number }): Told {
  const now = told === null ? wall : Math.max(wall, told.now + Math.max(0, steady - told.steady));
  return { now, steady };
}
