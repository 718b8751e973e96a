import type { Clock } from '../../ports/clock.ts';
import { type Millis, millisOf } from '../../primitives/time.ts';

/**
 * A clock that goes on where the host's is set back, by what the host can tell of time that has passed, and follows it where it is set
 * forward, as after a suspension: what is waited for by it is never waited for longer than meant. The host's own clock where that tells
 * nothing of time that has passed.
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

/** The last moment that somebody was told, by a clock of its own, and when that was by the steady one. */
export type Told = { readonly now: number; readonly steady: number };

/**
 * The host's clock as one of many sees it: it does not go back from what that one was told before. What began before a clock was set
 * back goes on by the time that passes; what begins afterwards has the clock as it is set.
 */
export function nextMoment({ told, wall, steady }: { told: Told | null; wall: number; steady: number }): Told {
  const now = told === null ? wall : Math.max(wall, told.now + Math.max(0, steady - told.steady));
  return { now, steady };
}
