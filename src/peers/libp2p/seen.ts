import type { Millis } from '../../primitives/time.ts';

/** Remembers for a while what has been seen, up to a limit. */
export type Seen = {
  /** Whether this is new; from then on it is not, until its time is over or too much else has come. */
  readonly isNew: (id: string, now: Millis) => boolean;
  readonly size: () => number;
};

export function createSeen({ keep, most }: { readonly keep: number; readonly most: number }): Seen {
  // In order of arrival, as a map keeps it.
  const since = new Map<string, number>();
  const forget = (now: number): void => {
    for (const [id, at] of since) {
      // A clock that was set back would keep everything for as long.
      if (since.size <= most && at <= now && now - at < keep) return;
      since.delete(id);
    }
  };
  return {
    isNew(id, now) {
      forget(now);
      if (since.has(id)) return false;
      since.set(id, now);
      if (since.size > most) forget(now);
      return true;
    },
    size: () => since.size,
  };
}
