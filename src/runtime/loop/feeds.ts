import type { FeedNews } from '../../ports/chain.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Seconds } from '../../primitives/time.ts';
import type { RuntimeChain } from './gate.ts';
import type { Scheduler } from './scheduler.ts';

/** What chains announce: one subscription per chain, however many slots are concerned. */
export type Feeds = {
  readonly open: (coin: string, chain: RuntimeChain) => void;
  readonly close: (coin: string) => void;
  readonly closeAll: () => void;
  /**
   * Whether the chain would announce a change: its feed is complete, has spoken, and has not been silent for too long
   * since.
   */
  readonly isWhole: (coin: string) => boolean;
};

export type FeedsOptions = {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  /** Registers an action with the scheduler and returns its id. */
  readonly register: (run: () => void) => number;
  readonly unregister: (id: number) => void;
  /** Least time between two notices of one chain. */
  readonly pause: Seconds;
  /** Something on the chain of this coin may have changed. */
  readonly onChange: (coin: string) => void;
  /** Whether the chain's feed is unbroken from now on. @defaultValue feeds are not relied on */
  readonly onTrust?: (coin: string, whole: boolean) => void;
};

type Feed = {
  readonly coin: string;
  readonly close: () => void;
  readonly id: number;
  /** Whether the heartbeat has expired; null for a feed that promises none. */
  readonly silence: { readonly id: number; readonly heartbeat: number } | null;
  lastAt: number;
  due: boolean;
  whole: boolean;
};

/** In milliseconds; null for no promise, or an invalid one. */
function heartbeatOf({ traits }: RuntimeChain): number | null {
  const heartbeat = traits?.feed?.heartbeat;
  return heartbeat !== undefined && heartbeat > 0 && Number.isFinite(heartbeat) ? heartbeat * 1000 : null;
}

type Feeding = FeedsOptions & { readonly feeds: Map<string, Feed> };

function note({ clock, scheduler, pause }: Feeding, feed: Feed): void {
  // A clock that was set back may have moved a due time far away.
  if (feed.due && clock.now() >= feed.lastAt) return;
  feed.due = true;
  const since = clock.now() - feed.lastAt;
  // A clock that was set back must not silence the chain.
  if (since >= 0 && since < pause * 1000) scheduler.at(feed.id, feed.lastAt + pause * 1000);
  else scheduler.soon(feed.id);
}

function trust({ onTrust }: Feeding, feed: Feed, whole: boolean): void {
  if (feed.whole === whole) return;
  feed.whole = whole;
  onTrust?.(feed.coin, whole);
}

function hear(feeding: Feeding, feed: Feed, news: FeedNews): void {
  const { scheduler, clock } = feeding;
  const { silence } = feed;
  if (silence === null) {
    if (news === 'changed') note(feeding, feed);
    return;
  }
  if (news === 'broken') {
    scheduler.never(silence.id);
    trust(feeding, feed, false);
    return;
  }
  scheduler.at(silence.id, clock.now() + silence.heartbeat);
  if (news === 'changed' || !feed.whole) note(feeding, feed);
  trust(feeding, feed, true);
}

function closeFeed(feeding: Feeding, coin: string): void {
  const { feeds, scheduler, unregister } = feeding;
  const feed = feeds.get(coin);
  if (feed === undefined) return;
  feeds.delete(coin);
  for (const id of feed.silence === null ? [feed.id] : [feed.id, feed.silence.id]) {
    scheduler.never(id);
    unregister(id);
  }
  trust(feeding, feed, false);
  feed.close();
}

function openFeed(feeding: Feeding, coin: string, chain: RuntimeChain): void {
  const { feeds, clock, register, onChange } = feeding;
  closeFeed(feeding, coin);
  const id = register(() => {
    feed.due = false;
    feed.lastAt = clock.now();
    onChange(coin);
  });
  const heartbeat = heartbeatOf(chain);
  const silence = heartbeat === null ? null : { id: register(() => trust(feeding, feed, false)), heartbeat };
  let subscription: { readonly close: () => void } | undefined;
  const close = () => subscription?.close();
  const feed: Feed = { coin, close, id, silence, lastAt: Number.NEGATIVE_INFINITY, due: false, whole: false };
  feeds.set(coin, feed);
  try {
    subscription = chain.subscribe((news = 'changed') => {
      // Messages of a closed subscription are ignored.
      if (feeds.get(coin) === feed) hear(feeding, feed, news);
    });
  } catch (error) {
    closeFeed(feeding, coin);
    throw error;
  }
}

/**
 * A chain may announce changes far more often than is worth a look: the first is passed on immediately, those soon
 * after it together. The engine relies on a complete feed from its first message until it breaks or is silent for
 * longer than promised; its next message counts as a change, whatever it says.
 */
export function createFeeds(options: FeedsOptions): Feeds {
  const feeding: Feeding = { ...options, feeds: new Map() };
  const { feeds } = feeding;
  return {
    open: (coin, chain) => openFeed(feeding, coin, chain),
    close: (coin) => closeFeed(feeding, coin),
    closeAll() {
      const failed: unknown[] = [];
      for (const coin of [...feeds.keys()]) {
        try {
          closeFeed(feeding, coin);
        } catch (error) {
          failed.push(error);
        }
      }
      if (failed.length > 0) throw failed[0];
    },
    isWhole: (coin) => feeds.get(coin)?.whole === true,
  };
}
