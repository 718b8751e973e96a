import { type Millis, type Seconds, toUnixSeconds } from '../../../primitives/time.ts';
import { latestClock, type Turn, wakeAt } from '../turn.ts';

/** A wait for a message. The limit is in whole seconds, grace included. */
export type MessageWait = { readonly since: Millis; readonly limit: Seconds };

/**
 * How many seconds a message has been waited for, once they are more than the limit; null before, and then the turn wakes at
 * that moment. Counted in whole seconds, as the real node counts and as its texts show.
 */
export function waitedTooLong(
  turn: Pick<Turn, 'now' | 'facts' | 'wakeAt'>,
  { since, limit }: MessageWait,
): Seconds | null {
  const start = toUnixSeconds(since);
  const elapsed = toUnixSeconds(latestClock(turn)) - start;
  if (elapsed > limit) return elapsed;
  return wakeAt(turn, (start + limit + 1) * 1000);
}

/** The last moment of a wait. */
export function endOf({ since, limit }: MessageWait): Millis {
  return (since + limit * 1000) as Millis;
}
