import type { Clock } from '../../../src/ports/clock.ts';
import { millisOf } from '../../../src/primitives/time.ts';

/** A host's clock over the one of the world: it may stand still or be set, while what waits goes on. */
export type HostClock = Clock & {
  /** From now on it does not move. */
  readonly freeze: () => void;
  /** Sets it on by so many milliseconds, or back. */
  readonly set: (by: number) => void;
  readonly state: () => HostClockState;
};

/** By how much it is off, or at what moment it stands; in milliseconds. */
export type HostClockState = { readonly offset: number; readonly stands: number | null };

export function hostClock(clock: Clock, from: HostClockState = { offset: 0, stands: null }): HostClock {
  let { offset, stands } = from;
  const now = () => millisOf(stands ?? clock.now() + offset);
  return {
    now,
    elapsed: () => clock.now(),
    wakeAt: (at, wake) => clock.wakeAt(millisOf(clock.now() + Math.max(0, at - now())), wake),
    freeze() {
      stands = now();
    },
    set(by) {
      if (stands === null) offset += by;
      else stands += by;
    },
    state: () => ({ offset, stands }),
  };
}

/** A clock whose timers do not ring while it is held. */
export type HeldClock = Clock & { readonly hold: (isHeld: boolean) => void };

export function heldClock(clock: Clock): HeldClock {
  let held = false;
  const late: (() => void)[] = [];
  return {
    now: () => clock.now(),
    wakeAt(at, wake) {
      let cancelled = false;
      const cancel = clock.wakeAt(at, () => {
        const ring = (): void => {
          if (!cancelled) wake();
        };
        if (held) late.push(ring);
        else ring();
      });
      return () => {
        cancelled = true;
        cancel();
      };
    },
    hold(isHeld) {
      held = isHeld;
      if (!held) for (const ring of late.splice(0)) ring();
    },
  };
}
