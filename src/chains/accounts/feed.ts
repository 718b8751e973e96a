import type { ChainFeed } from '../../ports/chain.ts';
import type { Clock } from '../../ports/clock.ts';
import { millisOf, type Seconds } from '../../primitives/time.ts';
import type { Closable } from './node.ts';

export type FeedOptions = {
  /** What can be seen now; null if nobody answers. */
  readonly seen: () => Promise<string | null>;
  readonly clock: Clock;
  /** Between two looks for news. */
  readonly poll: Seconds;
  /** Calls for an earlier look if nodes push news. They may call in vain, or not at all. @defaultValue none do */
  readonly news?: News | undefined;
};

/** Lets nodes call when they have news. */
export type News = (onNews: () => void) => Closable;

/** Looks for news repeatedly, sooner if nodes call, and reports what has changed. One look at a time: calls meanwhile cause one look after it. */
export function watchForNews(
  { seen, clock, poll, news }: FeedOptions,
  onChange: Parameters<ChainFeed['subscribe']>[0],
): { readonly close: () => void } {
  let closed = false;
  let known: string | null = null;
  let isLooking = false;
  let isCalled = false;
  let cancel = (): void => {};
  const look = async (): Promise<void> => {
    isCalled = isLooking;
    if (isLooking || closed) return;
    isLooking = true;
    cancel();
    const found = await seen();
    isLooking = false;
    if (closed) return;
    if (found === null) onChange('broken');
    else if (found !== known) onChange('changed');
    known = found;
    if (isCalled) void look();
    else cancel = clock.wakeAt(millisOf(clock.now() + poll * 1000), () => void look());
  };
  const called = news?.(() => void look());
  void look();
  return {
    close() {
      closed = true;
      cancel();
      called?.close();
    },
  };
}

/** The news of several sources, each of which may have none. */
export function newsOfAll(all: readonly (News | undefined)[]): News | undefined {
  const given = all.filter((one) => one !== undefined);
  if (given.length === 0) return undefined;
  return (onNews) => {
    const open = given.map((one) => one(onNews));
    return {
      close() {
        for (const one of open) one.close();
      },
    };
  };
}
