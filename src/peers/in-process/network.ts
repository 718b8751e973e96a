import type { PeerEnvelope, Peers } from '../../ports/peers.ts';

/** One copy of a message on its way to one peer. */
export type Delivery = {
  readonly envelope: PeerEnvelope;
  /** Key of the receiver. */
  readonly to: string;
  /** Hands it over, each time it is called. */
  readonly deliver: () => void;
};

/** Decides what becomes of each copy: delivered now, later, more than once, or never. */
export type DeliveryPolicy = (delivery: Delivery) => void;

export type InProcessNetworkOptions = {
  /** @defaultValue every copy is delivered at once */
  readonly policy?: DeliveryPolicy;
};

export type InProcessNetwork = {
  /**
   * A node on the network.
   *
   * @param key its signing key without the parity byte, 32 bytes in hex.
   * @throws RangeError for anything else.
   */
  readonly peer: (key: string) => Peers;
};

type Listener = {
  readonly owner: Peers;
  readonly topic: string;
  readonly onMessage: (envelope: PeerEnvelope) => void;
  open: boolean;
};

/**
 * A network inside of one process, for tests, simulations and nodes that share one. A node does not hear itself. What a
 * receiver throws is its own affair: neither the sender nor the other receivers notice.
 */
export function createInProcessNetwork({ policy = deliverNow }: InProcessNetworkOptions = {}): InProcessNetwork {
  const topics = new Map<string, Set<Listener>>();

  const publish = (sender: Peers, envelope: PeerEnvelope): void => {
    for (const listener of [...(topics.get(envelope.topic) ?? [])]) {
      if (listener.owner === sender) continue;
      policy({ envelope, to: listener.owner.self, deliver: () => hand(listener, envelope) });
    }
  };

  const listen = (listener: Listener): void => {
    const known = topics.get(listener.topic);
    if (known === undefined) topics.set(listener.topic, new Set([listener]));
    else known.add(listener);
  };

  const leave = (listener: Listener): void => {
    listener.open = false;
    const listeners = topics.get(listener.topic);
    listeners?.delete(listener);
    if (listeners?.size === 0) topics.delete(listener.topic);
  };

  return {
    peer(key) {
      if (!/^[0-9a-f]{64}$/.test(key)) throw new RangeError('a key has 32 bytes in lower-case hex');
      const self: Peers = {
        self: key,
        // Everybody is trusted here: a key is signed with by naming it.
        send: (topic, message, { signer } = {}) =>
          publish(self, { topic, from: signer === undefined ? key : signer.slice(2).toLowerCase(), message }),
        subscribe: (topic, onMessage) => {
          const listener = { owner: self, topic, onMessage, open: true };
          listen(listener);
          return { close: () => leave(listener) };
        },
      };
      return self;
    },
  };
}

function deliverNow({ deliver }: Delivery): void {
  deliver();
}

function hand({ open, onMessage }: Listener, envelope: PeerEnvelope): void {
  if (!open) return;
  try {
    onMessage(envelope);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
