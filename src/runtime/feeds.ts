import type { Clock } from '../ports/clock.ts';
import type { Seconds } from '../primitives/time.ts';
import type { Leg } from './command.ts';
import type { RuntimeChain } from './gate.ts';
import type { Scheduler } from './scheduler.ts';
import { LEG_BITS, type Slot } from './slot.ts';

/** What chains say of themselves, handed to the slots concerned: one subscription for each chain. */
export type Feeds = {
  readonly open: (coin: string, chain: RuntimeChain) => void;
  readonly close: (coin: string) => void;
  /** The slot hears of the chains of its drivable. */
  readonly add: (slot: Slot) => void;
  readonly remove: (slot: Slot) => void;
  /** Slots that have to do with a coin. */
  readonly of: (coin: string) => readonly Slot[];
  readonly closeAll: () => void;
};

export type FeedsOptions = {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  /** Gives an action an id under which the scheduler knows it. */
  readonly register: (run: () => void) => number;
  readonly unregister: (id: number) => void;
  /** Least time between two looks that one chain causes. */
  readonly pause: Seconds;
  readonly poke: (slot: Slot, leg: Leg) => void;
};

type Feed = { readonly close: () => void; readonly id: number; lastAt: number; due: boolean };

/**
 * A chain may tell of changes far more often than it is worth to look: the first is passed on at once, those soon after it
 * together.
 */
export function createFeeds({ clock, scheduler, register, unregister, pause, poke }: FeedsOptions): Feeds {
  const feeds = new Map<string, Feed>();
  const slots = new Map<string, Map<Slot, number>>();

  const pass = (coin: string): void => {
    for (const [slot, legs] of [...(slots.get(coin) ?? [])]) {
      if ((legs & LEG_BITS.maker) !== 0) poke(slot, 'maker');
      if ((legs & LEG_BITS.taker) !== 0) poke(slot, 'taker');
    }
  };

  const onChange = (feed: Feed): void => {
    if (feed.due) return;
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

  const join = (coin: string | null, slot: Slot, bit: number): void => {
    if (coin === null) return;
    const known = slots.get(coin) ?? new Map<Slot, number>();
    known.set(slot, (known.get(slot) ?? 0) | bit);
    slots.set(coin, known);
  };

  const leave = (coin: string | null | undefined, slot: Slot): void => {
    if (coin === null || coin === undefined) return;
    const known = slots.get(coin);
    known?.delete(slot);
    if (known?.size === 0) slots.delete(coin);
  };

  return {
    open(coin, chain) {
      close(coin);
      const id = register(() => {
        feed.due = false;
        feed.lastAt = clock.now();
        pass(coin);
      });
      const feed: Feed = { close: () => subscription.close(), id, lastAt: Number.NEGATIVE_INFINITY, due: false };
      feeds.set(coin, feed);
      const subscription = chain.subscribe(() => onChange(feed));
    },
    close,
    add(slot) {
      const { maker, taker } = slot.driven?.coins ?? { maker: null, taker: null };
      join(maker, slot, LEG_BITS.maker);
      join(taker, slot, LEG_BITS.taker);
    },
    remove(slot) {
      leave(slot.driven?.coins.maker, slot);
      leave(slot.driven?.coins.taker, slot);
    },
    of: (coin) => [...(slots.get(coin)?.keys() ?? [])],
    closeAll() {
      for (const coin of [...feeds.keys()]) close(coin);
    },
  };
}
