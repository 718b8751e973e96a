import type { LogEntry, SubscribeOptions, Subscription } from '../ports/event-log.ts';
import { checkCursor } from './check-batch.ts';
import { createSubscriber, type EntrySource, type Subscriber } from './subscriber.ts';

export type Subscriptions = {
  readonly subscribe: (options: SubscribeOptions, onEntry: (entry: LogEntry) => unknown) => Subscription;
  /** Hands entries that have just become durable, in order, to subscribers that have seen all earlier ones. */
  readonly publish: (entries: readonly LogEntry[]) => void;
  /** False saves making entries that nobody takes. */
  readonly any: () => boolean;
  readonly close: () => void;
};

/** A subscriber's error is an uncaught one, unless the embedder handles it. */
export function throwUncaught(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

/** The subscribers of one log. */
export function createSubscriptions(source: EntrySource): Subscriptions {
  const subscribers = new Set<Subscriber>();
  const toPublish: (readonly LogEntry[])[] = [];
  let publishing = false;
  return {
    subscribe({ after, stream }, onEntry) {
      const cursor = checkCursor(after, source.end());
      const onClose = () => subscribers.delete(subscriber);
      const subscriber = createSubscriber(source, { onEntry, stream, after: cursor, onClose });
      subscribers.add(subscriber);
      return { close: subscriber.close };
    },
    any: () => subscribers.size > 0,
    publish(entries) {
      // A subscriber may append while it is called: what that makes durable is for the others only after this.
      toPublish.push(entries);
      if (publishing) return;
      publishing = true;
      try {
        for (let next = toPublish.shift(); next !== undefined; next = toPublish.shift()) {
          for (const subscriber of [...subscribers]) subscriber.offer(next);
        }
      } finally {
        publishing = false;
      }
    },
    close() {
      for (const subscriber of [...subscribers]) subscriber.close();
    },
  };
}
