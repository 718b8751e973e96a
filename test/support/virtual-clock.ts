import type { Clock } from '../../src/ports/clock.ts';
import { type Millis, millisOf } from '../../src/primitives/time.ts';

/** A clock that stands still until a test moves it. */
export type VirtualClock = Clock & {
  /** Moves on by this many milliseconds; whatever is due in between is called in order, and promises settle after each. */
  readonly advance: (milliseconds: number) => Promise<void>;
  /** Sets the clock as a host's is set: timers that run go on for as long as they would have. */
  readonly jump: (milliseconds: number) => void;
  /** When the next timer rings; null where none is set. */
  readonly due: () => number | null;
  /** Timers that are set. */
  readonly armed: () => number;
  /** The most timers that were ever set at the same time. */
  readonly mostArmed: () => number;
};

/** Timers that may ring at the same moment. */
const MOST_AT_ONCE = 20_000;

type Waking = { at: number; readonly order: number; readonly wake: () => void };

/** `settle` lets all settle that waits for no timer. @defaultValue what waits for promises alone */
export function virtualClock(start = 1_700_000_000_000, settle: () => Promise<void> = settled): VirtualClock {
  let now = start;
  let order = 0;
  let most = 0;
  const wakings = new Set<Waking>();

  const earliest = (): Waking | undefined => {
    let first: Waking | undefined;
    for (const waking of wakings) {
      if (first === undefined || waking.at < first.at || (waking.at === first.at && waking.order < first.order)) {
        first = waking;
      }
    }
    return first;
  };

  return {
    now: () => millisOf(now),
    wakeAt(at: Millis, wake) {
      const waking = { at, order, wake };
      order += 1;
      wakings.add(waking);
      most = Math.max(most, wakings.size);
      return () => wakings.delete(waking);
    },
    async advance(milliseconds) {
      const target = now + milliseconds;
      await settle();
      let atOnce = 0;
      for (let next = earliest(); next !== undefined && next.at <= target; next = earliest()) {
        wakings.delete(next);
        atOnce = next.at > now ? 0 : atOnce + 1;
        if (atOnce > MOST_AT_ONCE)
          throw new Error('the clock stands still: somebody sets a timer for now again and again');
        now = Math.max(now, next.at);
        next.wake();
        await settle();
      }
      now = target;
    },
    jump(milliseconds) {
      now += milliseconds;
      for (const waking of wakings) waking.at += milliseconds;
    },
    due: () => earliest()?.at ?? null,
    armed: () => wakings.size,
    mostArmed: () => most,
  };
}

/** Lets all promises settle that wait for nothing but other promises. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
