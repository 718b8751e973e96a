/** Something that a sender sent on a topic. */
type Sent = { readonly topic: string };

/** One copy of an envelope on its way to one node. */
export type Delivery<Envelope> = {
  readonly envelope: Envelope;
  /** Key of the receiver. */
  readonly to: string;
  /** Hands it over, each time it is called. */
  readonly deliver: () => void;
};

/** Decides the fate of each copy: delivered now, later, more than once, or never. */
export type DeliveryPolicy<Envelope> = (delivery: Delivery<Envelope>) => void;

type Owner = { readonly self: string };

type Listener<Envelope> = {
  readonly owner: Owner;
  readonly topic: string;
  readonly onMessage: (envelope: Envelope) => void;
  open: boolean;
};

export type Topics<Envelope> = {
  /** Gives a copy to the policy for every subscription to the topic but those of the sender. */
  readonly publish: (sender: Owner, envelope: Envelope) => void;
  readonly subscribe: (
    owner: Owner,
    given: { readonly topic: string; readonly onMessage: (envelope: Envelope) => void },
  ) => { readonly close: () => void };
};

/** Topics inside one process. Neither the sender nor other receivers notice a receiver's error. */
export function createTopics<Envelope extends Sent>(policy: DeliveryPolicy<Envelope>): Topics<Envelope> {
  const topics = new Map<string, Set<Listener<Envelope>>>();

  const leave = (listener: Listener<Envelope>): void => {
    listener.open = false;
    const listeners = topics.get(listener.topic);
    listeners?.delete(listener);
    if (listeners?.size === 0) topics.delete(listener.topic);
  };

  return {
    publish(sender, envelope) {
      for (const listener of [...(topics.get(envelope.topic) ?? [])]) {
        if (listener.owner === sender) continue;
        policy({ envelope, to: listener.owner.self, deliver: () => hand(listener, envelope) });
      }
    },
    subscribe(owner, { topic, onMessage }) {
      const listener = { owner, topic, onMessage, open: true };
      const known = topics.get(topic);
      if (known === undefined) topics.set(topic, new Set([listener]));
      else known.add(listener);
      return { close: () => leave(listener) };
    },
  };
}

export function deliverNow({ deliver }: Delivery<unknown>): void {
  deliver();
}

/** @throws RangeError for anything except a key of 32 bytes in lower-case hex. */
export function checkedKey(key: string): string {
  if (!/^[0-9a-f]{64}$/.test(key)) throw new RangeError('a key has 32 bytes in lower-case hex');
  return key;
}

function hand<Envelope>({ open, onMessage }: Listener<Envelope>, envelope: Envelope): void {
  if (!open) return;
  try {
    onMessage(envelope);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
