import type { Clock } from '../ports/clock.ts';
import type { Seconds } from '../primitives/time.ts';
import type { RuntimeChain } from './gate.ts';
import type { Scheduler } from './scheduler.ts';

/** What chains say of themselves: one subscription for each chain, whatever number of slots is concerned. */
export type Feeds = {
  readonly open: (coin: string, chain: RuntimeChain) => void;
  readonly close: (coin: string) => void;
  readonly closeAll: () => void;
};

export type FeedsOptions = {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  /** Gives an action an id under which the scheduler knows it. */
  readonly register: (run: () => void) => number;
  readonly unregister: (id: number) => void;
  /** Least time between two notices of one chain. */
  readonly pause: Seconds;
  /** Something on the chain of this coin may have changed. */
  readonly onChange: (coin: string) => void;
};

type Feed = { readonly close: () => void; readonly id: number; lastAt: number; due: boolean };

/**
 * A chain may tell of changes far more often than it is worth to look: the first is passed on at once, those soon after it
 * together.
 */
export function createFeeds({ clock, scheduler, register, unregister, pause, onChange }: FeedsOptions): Feeds {
  const feeds = new Map<string, Feed>();

  const note = (feed: Feed): void => {
    // A moment that is due may have moved far away by a clock that was set back.
    if (feed.due && clock.now() >= feed.lastAt) return;
    feed.due = true;
    const since = clock.now() - feed.lastAt;
    // A clock that was set back must not silence the chain.
    if (since >= 0 && since < pause * 1000) scheduler.at(feed.id, feed.lastAt + pause * 1000);
    else scheduler.soon(feed.id);
  };

  const close = (coin: string): void => {
    const feed = feeds.get(coin);
    if (feed === undefined) return;
    feeds.delete(coin);
    scheduler.never(feed.id);
    unregister(feed.id);
    feed.close();
  };

  return {
    open(coin, chain) {
      close(coin);
      const id = register(() => {
        feed.due = false;
        feed.lastAt = clock.now();
        onChange(coin);
      });
      let subscription: { readonly close: () => void } | undefined;
      const feed: Feed = { close: () => subscription?.close(), id, lastAt: Number.NEGATIVE_INFINITY, due: false };
      feeds.set(coin, feed);
      try {
        subscription = chain.subscribe(() => note(feed));
      } catch (error) {
        close(coin);
        throw error;
      }
    },
    close,
    closeAll() {
      const failed: unknown[] = [];
      for (const coin of [...feeds.keys()]) {
        try {
          close(coin);
        } catch (error) {
          failed.push(error);
        }
      }
      if (failed.length > 0) throw failed[0];
    },
  };
}
