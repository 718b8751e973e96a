/** What a connection has subscribed to, and how to notify it. */
export type Subscriber = {
  headers: boolean;
  /** Scripts by their hash, with the status that the client knows. */
  readonly statuses: Map<string, string | null>;
  /** Sends what nobody has asked for. */
  readonly tell: (method: string, params: readonly unknown[]) => void;
};

/** Who waits for which news. */
export type Subscribers = {
  readonly all: Set<Subscriber>;
  readonly byScript: Map<string, Set<Subscriber>>;
};

export function createSubscribers(): Subscribers {
  return { all: new Set(), byScript: new Map() };
}

/** Somebody who has left meanwhile is not subscribed. */
export function subscribe(
  { all, byScript }: Subscribers,
  subscriber: Subscriber,
  { scripthash, status }: { readonly scripthash: string; readonly status: string | null },
): void {
  if (!all.has(subscriber)) return;
  const others = byScript.get(scripthash) ?? new Set();
  others.add(subscriber);
  byScript.set(scripthash, others);
  subscriber.statuses.set(scripthash, status);
}

/** Whether it was subscribed. */
export function unsubscribe({ byScript }: Subscribers, subscriber: Subscriber, scripthash: string): boolean {
  const others = byScript.get(scripthash);
  others?.delete(subscriber);
  if (others?.size === 0) byScript.delete(scripthash);
  return subscriber.statuses.delete(scripthash);
}

export function leave(subscribers: Subscribers, subscriber: Subscriber): void {
  for (const scripthash of [...subscriber.statuses.keys()]) unsubscribe(subscribers, subscriber, scripthash);
  subscribers.all.delete(subscriber);
}
