import type { Clock, Random } from '../../ports/clock.ts';
import type { Millis } from '../../primitives/time.ts';
import type { EventQueue } from '../world/queue.ts';
import { EPOCH } from '../world/scenario.ts';
import type { Rng } from '../xorshift.ts';
import type { MarketParty } from './scenario.ts';

/** The true time of a market and its coming events. */
export type Timeline = {
  /** In milliseconds. */
  now: number;
  readonly queue: EventQueue<() => void>;
  /** Something may have settled a promise: the process must run before time moves. */
  stirred: boolean;
};

/** One life of a process. Once it is over, nothing calls it back, and its calls have no effect. */
export type Life = { over: boolean };

/** Schedules something for a moment of true time, in milliseconds, unless the life has ended by then. */
export function happenAt(
  timeline: Timeline,
  { at, life }: { readonly at: number; readonly life?: Life },
  item: () => void,
): void {
  timeline.queue.push(Math.max(at, timeline.now), () => {
    if (life?.over !== true) item();
  });
}

/**
 * The clock of a party's host: ahead or behind, and set now and then. A host timer counts elapsed time, so setting the clock neither fires nor delays
 * it.
 */
export function hostClock(
  timeline: Timeline,
  { skew, jumps, tellsElapsed }: Pick<MarketParty, 'skew' | 'jumps' | 'tellsElapsed'>,
  life: Life,
): Clock {
  // Counted from the start of the host's life: it says nothing about an earlier life.
  const began = timeline.now;
  const now = (): Millis => {
    let seconds = skew;
    for (const { at, by } of jumps) if (timeline.now >= (EPOCH + at) * 1000) seconds += by;
    return (timeline.now + seconds * 1000) as Millis;
  };
  return {
    now,
    ...(tellsElapsed ? { elapsed: () => timeline.now - began } : {}),
    wakeAt(at, wake) {
      let open = true;
      const due = timeline.now + Math.max(0, at - now());
      // A step of a process never ends in the moment in which it began: otherwise one that asks to be woken at once
      // stops time.
      happenAt(timeline, { at: due, life }, () => {
        if (open) wake();
      });
      return () => {
        open = false;
      };
    },
  };
}

/** Bytes from the generator of the market, so that a run can be repeated. */
export function marketRandom(rng: Rng): Random {
  return {
    bytes(count) {
      const bytes = new Uint8Array(count);
      for (let index = 0; index < count; index += 1) bytes[index] = rng.below(256);
      return bytes;
    },
  };
}
