import type { Clock } from '../ports/clock.ts';

/** A clock for one part of a node: what waits by it waits no more once the part has ended, and keeps no process running. */
export type EndingClock = Clock & { readonly end: () => void };

export function endingClock(clock: Clock): EndingClock {
  const waits = new Set<() => void>();
  let ended = false;
  return {
    ...clock,
    wakeAt(at, wake) {
      if (ended) return () => {};
      const stop = (): void => {
        waits.delete(stop);
        cancel();
      };
      const cancel = clock.wakeAt(at, () => {
        waits.delete(stop);
        wake();
      });
      waits.add(stop);
      return stop;
    },
    end() {
      ended = true;
      for (const stop of [...waits]) stop();
    },
  };
}
