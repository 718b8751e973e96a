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

/** Between two looks that nodes call for, in milliseconds. One that calls all the time must not have the others asked all the time. */
const LEAST_MS = 1000;

/** Looks for news repeatedly, sooner if nodes call, and reports what has changed. One look at a time: calls meanwhile cause one look after it. */
export function watchForNews(
  { seen, clock, poll, news }: FeedOptions,
  onChange: Parameters<ChainFeed['subscribe']>[0],
): { readonly close: () => void } {
  let closed = false;
  let known: string | null = null;
  let isLooking = false;
  let isCalled = false;
  let lookedAt = 0;
  let cancel = (): void => {};
  const wait = (until: number): void => {
    cancel();
    cancel = clock.wakeAt(millisOf(until), () => void look());
  };
  const soon = (): void => {
    if (clock.now() - lookedAt >= LEAST_MS) void look();
    else wait(lookedAt + LEAST_MS);
  };
  const look = async (): Promise<void> => {
    cancel();
    isLooking = true;
    isCalled = false;
    lookedAt = clock.now();
    const found = await seen();
    isLooking = false;
    if (closed) return;
    if (found === null) onChange('broken');
    else if (found !== known) onChange('changed');
    known = found;
    if (isCalled) soon();
    else wait(clock.now() + poll * 1000);
  };
  const called = news?.(() => {
    if (closed || isCalled) return;
    isCalled = true;
    if (!isLooking) soon();
  });
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
