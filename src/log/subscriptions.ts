import type { LogEntry, SubscribeOptions, Subscription } from '../ports/event-log.ts';
import { checkCursor } from './check-batch.ts';

/** What the log behind the subscriptions can answer. */
export type EntrySource = {
  /** Position of the last durable entry. */
  readonly end: () => number;
  /**
   * The next entries after a position, in order, of one stream or of all. `upTo` lies behind `after`; up to it there are no
   * others.
   */
  readonly page: (
    after: number,
    stream: string | undefined,
  ) => { readonly entries: readonly LogEntry[]; readonly upTo: number };
  /** Calls back soon, when the process has done what else is due. */
  readonly later: (action: () => void) => void;
  /** Told what a subscriber threw. */
  readonly onError: (error: unknown) => void;
};

/** What becomes of a subscriber's error unless the embedder wants to know: it is an uncaught one. */
export function throwUncaught(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

export type Subscriptions = {
  readonly subscribe: (options: SubscribeOptions, onEntry: (entry: LogEntry) => unknown) => Subscription;
  /** Hands entries that have just become durable, in order, to those who have seen all before them. */
  readonly publish: (entries: readonly LogEntry[]) => void;
  /** False spares the work of making entries that nobody is there to take. */
  readonly any: () => boolean;
  readonly close: () => void;
};

type Subscriber = {
  readonly onEntry: (entry: LogEntry) => unknown;
  readonly stream: string | undefined;
  /** Position up to which everything that is to be delivered has been. */
  cursor: number;
  /** A promise of the subscriber is pending: the next entry waits for it. */
  waiting: boolean;
  /** A page is due to be read. */
  reading: boolean;
  /** It is being called. */
  called: boolean;
  open: boolean;
};

/**
 * Subscribers of one log.
 *
 * - B1: nothing is kept for a subscriber but its cursor: one that is late or slow reads from the log, page by page.
 * - B2: one that has seen all is handed new entries as they become durable, without a read.
 * - B3: an entry is delivered while no other is being delivered to the same subscriber; where it answers with a promise,
 *   the next entry waits for that.
 * - B4: a subscriber that throws is closed, so that it cannot lose sight of the entry it failed on. The error is none of the
 *   appender's.
 */
export function createSubscriptions(source: EntrySource): Subscriptions {
  const subscribers = new Set<Subscriber>();
  const toPublish: (readonly LogEntry[])[] = [];
  let publishing = false;

  const close = (subscriber: Subscriber): void => {
    subscriber.open = false;
    subscribers.delete(subscriber);
  };

  const fail = (subscriber: Subscriber, error: unknown): void => {
    close(subscriber);
    source.onError(error);
  };

  const readSoon = (subscriber: Subscriber): void => {
    if (subscriber.reading || subscriber.waiting || !subscriber.open) return;
    subscriber.reading = true;
    source.later(() => {
      subscriber.reading = false;
      readPage(subscriber);
    });
  };

  /** Delivers in order until the subscriber closes or makes the next entry wait; true when all were delivered. */
  const deliver = (subscriber: Subscriber, entries: readonly LogEntry[]): boolean => {
    for (const entry of entries) {
      if (!subscriber.open) return false;
      if (entry.position <= subscriber.cursor) continue;
      subscriber.cursor = entry.position;
      if (!callOne(subscriber, entry)) return false;
    }
    return subscriber.open;
  };

  const callOne = (subscriber: Subscriber, entry: LogEntry): boolean => {
    try {
      subscriber.called = true;
      const answer = subscriber.onEntry(entry);
      subscriber.called = false;
      if (!isPromise(answer)) return true;
      subscriber.waiting = true;
      answer.then(
        () => {
          subscriber.waiting = false;
          readSoon(subscriber);
        },
        (error: unknown) => fail(subscriber, error),
      );
    } catch (error) {
      fail(subscriber, error);
    }
    return false;
  };

  const readPage = (subscriber: Subscriber): void => {
    if (!subscriber.open || subscriber.waiting || subscriber.cursor >= source.end()) return;
    try {
      const { entries, upTo } = source.page(subscriber.cursor, subscriber.stream);
      if (!deliver(subscriber, entries)) return;
      subscriber.cursor = Math.max(subscriber.cursor, upTo);
    } catch (error) {
      fail(subscriber, error);
      return;
    }
    if (subscriber.cursor < source.end()) readSoon(subscriber);
  };

  const publishOne = (entries: readonly LogEntry[]): void => {
    const first = entries[0];
    const last = entries.at(-1);
    if (first === undefined || last === undefined) return;
    for (const subscriber of [...subscribers]) {
      if (!subscriber.open || subscriber.waiting || subscriber.reading || subscriber.called) continue;
      if (subscriber.cursor < first.position - 1) {
        readSoon(subscriber);
        continue;
      }
      const { stream } = subscriber;
      const wanted = stream === undefined ? entries : entries.filter(({ envelope }) => envelope.stream === stream);
      if (deliver(subscriber, wanted)) subscriber.cursor = Math.max(subscriber.cursor, last.position);
    }
  };

  return {
    subscribe({ after, stream }, onEntry) {
      const cursor = checkCursor(after, source.end());
      const subscriber = { onEntry, stream, cursor, waiting: false, reading: false, called: false, open: true };
      subscribers.add(subscriber);
      if (cursor < source.end()) readSoon(subscriber);
      return { close: () => close(subscriber) };
    },
    any: () => subscribers.size > 0,
    publish(entries) {
      toPublish.push(entries);
      if (publishing) return;
      publishing = true;
      try {
        for (let next = toPublish.shift(); next !== undefined; next = toPublish.shift()) publishOne(next);
      } finally {
        publishing = false;
      }
    },
    close() {
      for (const subscriber of [...subscribers]) close(subscriber);
    },
  };
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}
