import { type Millis, type Seconds, toUnixSeconds } from '../../src/primitives/time.ts';

/** A wait for a message of the other side. The limit is in whole seconds, grace included. */
export type MessageWait = { readonly since: Millis; readonly limit: Seconds };

/** For how many seconds it has been waited at this moment. In whole seconds, as the real node counts and as its texts show. */
export function waitedFor({ since }: MessageWait, now: Millis): Seconds {
  return toUnixSeconds(now) - toUnixSeconds(since);
}

/** The first moment at which more seconds than the limit have been counted. */
export function overFrom({ since, limit }: MessageWait): Millis {
  return ((toUnixSeconds(since) + limit + 1) * 1000) as Millis;
}

/** The last moment of a wait. */
export function endOf({ since, limit }: MessageWait): Millis {
  return (since + limit * 1000) as Millis;
}
