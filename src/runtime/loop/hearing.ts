import type { PeerEnvelope, Peers } from '../../ports/peers.ts';
import type { Slot } from './slot.ts';

type Topic = { readonly slots: Set<Slot>; readonly close: () => void };

/** Which slots hear which topics: one subscription for each topic, however many slots it has. */
export type Topics = {
  readonly add: (slot: Slot) => void;
  readonly remove: (slot: Slot) => void;
  readonly close: () => void;
};

export type TopicsOptions = {
  readonly peers: Peers;
  /** A message for a slot, from the key that the slot listens to. */
  readonly deliver: (slot: Slot, envelope: PeerEnvelope) => void;
  /** A message came to which no slot listens: a stranger wrote where only the other side may. */
  readonly ignored?: () => void;
};

export function createTopics({ peers, deliver, ignored }: TopicsOptions): Topics {
  const topics = new Map<string, Topic>();

  const onMessage = (envelope: PeerEnvelope): void => {
    const topic = topics.get(envelope.topic);
    if (topic === undefined) return;
    const from = envelope.from.toLowerCase();
    const listening = [...topic.slots].filter((slot) => slot.ears.from === from);
    if (listening.length === 0) ignored?.();
    for (const slot of listening) deliver(slot, envelope);
  };

  const remove = (slot: Slot): void => {
    const { ears } = slot;
    const name = ears.topic;
    if (name === null) return;
    ears.topic = null;
    ears.from = null;
    ears.kinds = null;
    const topic = topics.get(name);
    if (topic === undefined) return;
    topic.slots.delete(slot);
    if (topic.slots.size > 0) return;
    topics.delete(name);
    topic.close();
  };

  return {
    add(slot) {
      const wanted = slot.driven?.listens() ?? null;
      const { ears } = slot;
      if (ears.topic !== (wanted?.topic ?? null)) remove(slot);
      if (wanted === null) return;
      ears.topic = wanted.topic;
      ears.from = wanted.from;
      ears.kinds = wanted.kinds ?? null;
      const known = topics.get(wanted.topic);
      if (known !== undefined) known.slots.add(slot);
      else {
        const { close } = peers.subscribe(wanted.topic, onMessage);
        topics.set(wanted.topic, { slots: new Set([slot]), close });
      }
    },
    remove,
    close() {
      for (const { close } of topics.values()) close();
      topics.clear();
    },
  };
}
