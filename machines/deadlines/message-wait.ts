import { type Millis, type Seconds, toUnixSeconds } from '../../src/primitives/time.ts';

/** A wait for a message of the other side. The limit is in whole seconds, grace included. */
export type MessageWait = { readonly since: Millis; readonly limit: Seconds };

/** How long the wait has lasted by now, in whole seconds, as the real node counts and its texts show. */
export function waitedFor({ since }: MessageWait, now: Millis): Seconds {
  return toUnixSeconds(now) - toUnixSeconds(since);
}

/** The first time at which the count of seconds exceeds the limit. */
export function overFrom({ since, limit }: MessageWait): Millis {
  return ((toUnixSeconds(since) + limit + 1) * 1000) as Millis;
}

/** The last moment of a wait. */
export function endOf({ since, limit }: MessageWait): Millis {
  return (since + limit * 1000) as Millis;
}
